"""Messages are one printable line without secrets."""

from rules.errors import FairdealError


def test_control_characters_are_shown_as_escapes() -> None:
    text = str(FairdealError("a name", "'\x1b[31mred\x07'", where="deck\u202eevil"))
    assert text == r"deck\u202eevil: expected a name, found '\x1b[31mred\x07'"
    assert text.isprintable()


def test_letters_of_any_language_stay() -> None:
    assert "Käse → 猫" in str(FairdealError("a name", "Käse → 猫"))


def test_a_password_in_a_url_is_not_shown() -> None:
    text = str(FairdealError("pictures", "rtsp://ann:s3cret@cam.local/1 and http://b:p@ss@c/2"))
    assert "s3cret" not in text and "p@ss" not in text
    assert "rtsp://ann:***@cam.local/1" in text and "http://b:***@c/2" in text
