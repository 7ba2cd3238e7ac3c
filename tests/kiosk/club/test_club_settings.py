"""The club file: its mode, its secrets, what is refused."""

import pytest

from kiosk.club.newclub import NewClub, write_club_files
from kiosk.club.settings import read_club_file
from rules.errors import FairdealError

TOKEN = "0123456789abcdef" * 2
GOOD = f'[club]\nname = "harbour"\n[broker]\nhost = "b"\n[table]\nname = "t-1"\ntoken = "{TOKEN}"\n'


@pytest.fixture
def write(tmp_path):
    def written(text, mode=0o600):
        path = tmp_path / "club.toml"
        path.write_text(text)
        path.chmod(mode)
        return path

    return written


def test_a_tables_file_reads_back(tmp_path):
    club = NewClub.make("harbour", 2)
    write_club_files(tmp_path, club, "10.0.0.2", 1883)
    table = read_club_file(tmp_path / "table-2.toml", is_table=True)
    assert (table.club, table.table, table.broker.host) == ("harbour", "table-2", "10.0.0.2")
    assert table.token == club.tokens["table-2"]
    board = read_club_file(tmp_path / "board.toml", is_table=False)
    assert board.tokens == club.tokens
    assert (tmp_path / "board.toml").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660])
def test_a_file_that_others_can_read_is_refused(write, mode):
    with pytest.raises(FairdealError, match=r"mode 0600.*chmod 600"):
        read_club_file(write(GOOD, mode), is_table=True)


def test_secrets_are_never_shown(write):
    text = GOOD.replace('host = "b"', 'host = "b"\nuser = "u"\npassword = "sesame-open"')
    found = read_club_file(write(text), is_table=True)
    assert "sesame" not in repr(found) and TOKEN not in repr(found)
    with pytest.raises(FairdealError) as error:
        read_club_file(write(GOOD.replace(TOKEN, "sesame")), is_table=True)
    assert "sesame" not in str(error.value) and "openssl rand" in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"harbour"', '"Harbour"', "the name of a club"), ('"t-1"', '"a/b"', "the name of a table"),
        ('"t-1"', '"+"', "the name of a table"), ('host = "b"', "port = 70000", "from 1 to 65535"),
        ('host = "b"', 'certificate = "none.pem"', "a PEM file"), ("[table]", "[tabel]", "one of"),
        ('host = "b"', "password = 5", "expected text, found another value"),
        ("[club]", "", "mend"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(write, old, new, words):
    with pytest.raises(FairdealError, match=words) as error:
        read_club_file(write(GOOD.replace(old, new)), is_table=True)
    assert "\n" not in str(error.value)


def test_a_key_that_others_can_read_is_refused(write, tmp_path):
    for name in ("client.pem", "client.key"):
        (tmp_path / name).write_text("x")
    (tmp_path / "client.key").chmod(0o644)
    more = 'tls = true\ncertificate = "client.pem"\nkey = "client.key"'
    with pytest.raises(FairdealError, match="0600"):
        read_club_file(write(GOOD.replace('host = "b"', more)), is_table=True)
    (tmp_path / "client.key").chmod(0o600)
    assert read_club_file(write(GOOD.replace('host = "b"', more)), is_table=True).broker.tls


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises(FairdealError, match="a club file"):
        read_club_file(tmp_path / "none.toml", is_table=False)
