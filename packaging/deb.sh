#!/usr/bin/env bash
# deb.sh SUITE ARCH [SOURCE [FOLDER]]: FOLDER/fairdeal_VERSION+debN_ARCH.deb (dist/) for Debian 12 (bookworm) or 13
# (trixie), amd64 or arm64, from any machine: wheels of uv.lock for that platform are unpacked into a
# virtual environment, so nothing is compiled or emulated. Decks and networks are in it.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/tools.sh
suite=$1 arch=$2 source=$(realpath "${3:-.}") out=${4:-dist} uv=${UV:-.uv/bin/uv}
case $suite in
bookworm) python=3.11 next=3.12 number=12 glib=libglib2.0-0 libc=2_36 ;;
trixie) python=3.13 next=3.14 number=13 glib=libglib2.0-0t64 libc=2_40 ;;
*) echo "expected bookworm or trixie, found $suite" >&2; exit 2 ;;
esac
case $arch in
amd64) platform=x86_64-manylinux_$libc ;;
arm64) platform=aarch64-manylinux_$libc ;;
*) echo "expected amd64 or arm64, found $arch" >&2; exit 2 ;;
esac
need dpkg-deb=dpkg
uv=$(realpath "$uv")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$source/pyproject.toml" | head -1)
full=$version+deb$number
work=build/deb/$full-$arch
tree=$work/tree home=$work/tree/opt/fairdeal/versions/$version
site=$home/lib/python$python/site-packages
rm -rf "$work"
mkdir -p "$site" "$home/bin" "$tree/usr/bin" "$tree/usr/share/doc/fairdeal" "$tree/DEBIAN" "$out"

# A copy, so that nothing of the build is written into the sources.
mkdir "$work/source"
(cd "$source" && git ls-files -z --cached --others --exclude-standard 2>/dev/null |
    xargs -0 --no-run-if-empty ls -d 2>/dev/null |
    tar --create --files-from=- ) | tar --extract --directory="$work/source"
"$uv" build --quiet --wheel --out-dir "$work/wheel" "$work/source"
"$uv" export --quiet --locked --no-dev --no-emit-project --extra engines --project "$work/source" \
    --format requirements-txt > "$work/requirements.txt"
install=("$uv" pip install --quiet --no-progress --target "$site" --python-platform "$platform"
    --python-version "$python" --only-binary :all:)
"${install[@]}" --require-hashes --no-deps -r "$work/requirements.txt"
"${install[@]}" --no-deps "$work"/wheel/*.whl
rm -rf "$site/bin" "$site"/.lock
find "$site" -type d \( -name __pycache__ -o -path '*/numpy/*/tests' \) -prune -exec rm -rf {} +

ln -s /usr/bin/python3 "$home/bin/python3"
printf 'home = /usr/bin\ninclude-system-site-packages = true\nversion = %s\n' "$python" \
    > "$home/pyvenv.cfg"
install -m 755 packaging/debian/fairdeal "$home/bin/fairdeal"
ln -s /opt/fairdeal/current/bin/fairdeal "$tree/usr/bin/fairdeal"
cp LICENSE "$tree/usr/share/doc/fairdeal/copyright"
gzip -9n < CHANGELOG.md > "$tree/usr/share/doc/fairdeal/changelog.gz"
size=$(du -sk --exclude=DEBIAN "$tree" | cut -f 1)
for file in control prerm postinst postrm; do
    sed "s/@VERSION@/$version/g; s/@DEB_VERSION@/$full/; s/@ARCH@/$arch/; s/@SIZE@/$size/; \
        s/@PYTHON@/$python/; s/@NEXT_PYTHON@/$next/; s/@GLIB@/$glib/" \
        "packaging/debian/$file" > "$tree/DEBIAN/$file"
done
chmod 755 "$tree"/DEBIAN/prerm "$tree"/DEBIAN/postinst "$tree"/DEBIAN/postrm
chmod -R u=rwX,go=rX "$tree"
dpkg-deb --root-owner-group -Zzstd "-z${ZSTD:-9}" --build "$tree" "$out/fairdeal_${full}_$arch.deb" >/dev/null
du -sh "$tree/opt" "$out/fairdeal_${full}_$arch.deb"
