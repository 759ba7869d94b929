"""Bytes become text."""

import gzip

import pytest

from adapters.loaders.decoding import decode
from core.errors import IngestError

TEXT = "Отпуск — 28 дней.\nПеренос до 31 марта."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1251"])
def test_encodings_of_office_files(encoding: str) -> None:
    """UTF-8 and UTF-16 with and without a mark and Windows Cyrillic are read."""
    assert decode(TEXT.encode(encoding), "a.txt") == TEXT


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r", "cp866"])
@pytest.mark.parametrize(
    "text",
    [
        "Отпуск 28 дней.",
        "ВНИМАНИЕ: отпуск переносится до 31 марта.",
        "Reset the VPN: сбросить пароль, then call Анна.",
        "Кто отвечает за релизы? Анна Петрова, 2025 год.",
    ],
)
def test_russian_encodings_are_told_apart(encoding: str, text: str) -> None:
    """Windows, Unix and DOS gave the same letters different bytes; the one that gives Russian is chosen."""
    assert decode(text.encode(encoding), "a.txt") == text


def test_utf16_of_either_order() -> None:
    """The byte order mark tells the order."""
    assert decode(b"\xfe\xff" + TEXT.encode("utf-16-be"), "a.txt") == TEXT


def test_english_of_windows() -> None:
    """Quotation marks and dashes of Windows files are the same in both of its encodings."""
    assert decode("“Leave” – it’s 25 days".encode("cp1252"), "a.txt") == "“Leave” – it’s 25 days"


@pytest.mark.parametrize(
    "text",
    [
        "Item,Price,Deposit\nMeeting room A,£120,€50\nMeeting room B,£95,€40\nCafé corner,£60,€20\n",
        "The fee is £75 and lunch costs €4 a day; Madame Béatrice runs the café of 40 m² from 9 to 12 o’clock.",
        "“Leave” – it’s 25 days",
    ],
)
def test_signs_and_borrowed_words_of_english(text: str) -> None:
    """A sum in pounds and a borrowed word are no Russian letters."""
    assert decode(text.encode("cp1252"), "a.txt") == text


@pytest.mark.parametrize(
    "text",
    ["The release is approved by Анна", "Смотри README, раздел 5: Reset the VPN", "See №5 of the plan", "Run it и жди"],
)
def test_a_russian_word_in_english(text: str) -> None:
    """One word of Russian is enough to tell."""
    assert decode(text.encode("cp1251"), "a.txt") == text


@pytest.mark.parametrize("declared", [None, "iso-8859-1"])
def test_a_broken_character(declared: str | None) -> None:
    """One broken byte does not make another encoding of a whole text."""
    data = "Правила бассейна. Шапочка обязательна.".encode()

    assert decode(data[:32] + b"\xff" + data[32:], "a.txt", declared) == "Правила бассейна.\ufffd Шапочка обязательна."
    assert decode(data[:-2], "a.txt", declared) == "Правила бассейна. Шапочка обязательн\ufffd"


def test_a_declared_encoding() -> None:
    """What a page declares comes before guessing."""
    assert decode(TEXT.replace("—", "-").encode("koi8-r"), "a.html", "koi8-r") == TEXT.replace("—", "-")
    assert decode(TEXT.encode("cp1251"), "a.html", "no-such-encoding") == TEXT


def test_line_ends() -> None:
    """Line ends of every system become one."""
    assert decode(b"a\r\nb\rc\n", "a.txt") == "a\nb\nc\n"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(b"\x89PNG\r\n\x1a\n\0\0\0", "binary", id="picture"),
        pytest.param(b"text\0text", "binary", id="zero byte"),
        pytest.param(gzip.compress(TEXT.encode() * 50, mtime=0).replace(b"\0", b"\1"), "UTF-8", id="compressed"),
        pytest.param("Résumé à côté de la fenêtre".encode("latin-1"), "UTF-8", id="French"),
        pytest.param(b"\xff\xfea", "UTF-8", id="half a character"),
        pytest.param(b"\xff\xfe\0\0a\0", "UTF-8", id="zero character"),
    ],
)
def test_other_bytes_are_refused(data: bytes, reason: str) -> None:
    """Binary data and unknown encodings are named, with the remedy; nothing is read wrongly."""
    with pytest.raises(IngestError, match=reason):
        decode(data, "a.txt")
