# Everything runs from .venv; every target makes it first. Needs Python 3.11 to 3.13, make and git.
PYTHON ?= python3
GAME ?= suds
UV := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
BIN := .venv/bin
# On a Raspberry Pi picamera2 comes with the system, so its packages must be seen.
ON_PI := $(shell grep -qs "Raspberry Pi" /proc/device-tree/model && echo yes)
SITE := $(if $(ON_PI),--system-site-packages,)

.PHONY: setup setup-dev setup-train demo test test-slow check check-page check-shared bench firmware-test browser broker clean \
	deb appliance-bookworm appliance-trixie arm64-bookworm arm64-trixie

setup: .venv/.runtime
setup-dev: .venv/.dev
setup-train: .venv/.train

demo: .venv/.runtime
	$(BIN)/fairdeal demo $(GAME) --open

# On up to four cores: a file's tests stay in one process and share what they set up.
test: .venv/.train
	$(BIN)/pytest -n auto --maxprocesses 4 --dist loadfile

test-slow: .venv/.train
	$(BIN)/pytest -m "slow and not shared"

check-shared: .venv/.dev
	$(BIN)/pytest -m shared

check: .venv/.train
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/vulture
	@$(MAKE) --no-print-directory check-page
	$(BIN)/pytest tests/test_sizes.py tests/docs

# The types of the page's JavaScript, written as JSDoc.
TSC := .npm/node_modules/.bin/tsc
check-page:
	@if ! command -v node npm >/dev/null 2>&1; then \
		echo "NOT CHECKED: the page's JavaScript; sudo apt install nodejs npm"; test -z "$$CI"; \
	else test -x $(TSC) || $(NPM_INSTALL); $(TSC) -p kiosk/web && $(TSC) -p kiosk/club/board; fi

bench: .venv/.runtime
	$(BIN)/fairdeal bench

# The page is tested in a real browser, by axe-core for accessibility and by tsc for its types.
NPM_INSTALL = npm install --silent --no-audit --no-fund --prefix .npm axe-core@4.14.1 typescript@5.9.3
browser:
	@command -v chromium chromedriver >/dev/null 2>&1 || \
		{ apt-get update -qq && apt-get install -y -qq chromium chromium-driver >/dev/null; } || \
		{ echo "expected chromium and chromium-driver; sudo apt install chromium chromium-driver"; exit 2; }
	@command -v espeak-ng >/dev/null 2>&1 || apt-get install -y -qq espeak-ng >/dev/null || \
		{ echo "expected espeak-ng, for spoken calls; sudo apt install espeak-ng"; exit 2; }
	@test -f .npm/node_modules/axe-core/axe.min.js -a -x $(TSC) || $(NPM_INSTALL) || \
		{ echo "expected npm with its registry; sudo apt install npm"; exit 2; }

# The club is tested with a real broker: Eclipse Mosquitto, and openssl for its certificates.
broker:
	@test -n "$$(PATH=$$PATH:/usr/sbin command -v mosquitto)" || \
		{ apt-get update -qq && apt-get install -y -qq mosquitto openssl >/dev/null; } || \
		{ echo "expected Eclipse Mosquitto, an MQTT broker; sudo apt install mosquitto"; exit 2; }

# Needs: sudo apt install gcc-avr avr-libc arduino-core-avr libsimavr-dev libelf-dev
firmware-test: .venv/.dev
	$(MAKE) -C device/firmware all simulator
	$(BIN)/pytest tests/device/serial/test_firmware.py

# The .deb for a Raspberry Pi (arm64) and for a PC (amd64), Debian 12 and 13; in dist/.
deb: | $(UV)
	@for suite in bookworm trixie; do for arch in arm64 amd64; do \
		UV=$(UV) packaging/deb.sh $$suite $$arch || exit 2; done; done

# As root: boots a Debian system with the .deb in a container; tries failures, update, rollback.
appliance-bookworm: .venv/.runtime
	UV=$(UV) packaging/boot.sh bookworm
appliance-trixie: .venv/.runtime
	UV=$(UV) packaging/boot.sh trixie

# As root: tries set-up, games, pictures and the .deb on an emulated Debian arm64 system; half an hour.
arm64-bookworm: .venv/.runtime
	UV=$(UV) packaging/deb.sh bookworm arm64
	packaging/arm64.sh bookworm
arm64-trixie: .venv/.runtime
	UV=$(UV) packaging/deb.sh trixie arm64
	packaging/arm64.sh trixie

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

# uv brings every package as uv.lock says; --inexact leaves what another target has put there.
SYNC = $(UV) sync --locked --inexact --no-progress --python $(BIN)/python

.venv/.runtime: pyproject.toml uv.lock | $(UV) .venv/bin/python
	$(SYNC)
	@$(BIN)/python -m calibration.system
	@touch $@

.venv/.dev: pyproject.toml uv.lock | $(UV) .venv/bin/python
	$(SYNC) --extra dev
	@$(BIN)/python -m calibration.system
	@touch $@ .venv/.runtime

.venv/.train: pyproject.toml uv.lock | $(UV) .venv/bin/python
	$(SYNC) --extra dev --extra train
	@$(BIN)/python -m calibration.system
	@touch $@ .venv/.runtime .venv/.dev

.venv/bin/python: | $(UV)
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
		{ echo "expected Python 3.11 to 3.13, found $$($(PYTHON) -V); make PYTHON=python3.11 …"; exit 2; }
	$(UV) venv --no-progress $(SITE) --python "$$(command -v $(PYTHON))" .venv

.uv/bin/uv:
	@$(PYTHON) -m venv .uv || { echo "expected the venv module; sudo apt install python3-venv"; exit 2; }
	.uv/bin/pip install --quiet --disable-pip-version-check uv
