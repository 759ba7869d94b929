"""Mails are read as a reader sees them, with what is attached."""

from email.message import EmailMessage

import pytest

from core.errors import IngestError
from core.ingest.document import Document
from tests.adapters.loaders.made import docx as word
from tests.adapters.loaders.made import inside, mail, one, paragraph, shapes

BODY = """Привет, Боб!

Отпуск одобрен. Take:

- паспорт
- билеты

Best regards

> Можно ли в мае?
> И надолго?
>
>> Bob
"""


def test_a_letter() -> None:
    """The subject is the title, the people and the date are fields, and what is quoted stays apart."""
    known = one("m.eml", mail(BODY))

    assert (known.title, known.updated) == ("Отпуск", "2025-03-31")
    assert shapes(known) == [
        ("field", "From: Анна Петрова <anna@example.org>"),
        ("field", "To: bob@example.org"),
        ("field", "Date: 2025-03-31 14:05"),
        ("paragraph", "Привет, Боб!"),
        ("paragraph", "Отпуск одобрен. Take:"),
        ("item", "паспорт"),
        ("item", "билеты"),
        ("paragraph", "Best regards"),
        ("earlier", "Можно ли в мае? И надолго?"),
        ("earlier", "Bob"),
    ]


ABOVE = "-----Original Message-----\nFrom: Mia <mia@a.test>\nSent: Tuesday 15:12\nTo: Ken\nSubject: Roof\n\n"


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("On 27 March.\n\nOn 9 Mar, Sam <s@a.test> wrote:\n> 20 March?\n", ["paragraph", "heading", "earlier"]),
        ("28 марта.\n\n09.03.2026 12:10, Ира пишет:\n> 21 марта?\n", ["paragraph", "heading", "earlier"]),
        ("Agreed.\n\n" + ABOVE + "Is that enough?\n", ["paragraph", "heading", "earlier"]),
        (
            "Хорошо.\n\nОт: Ира\nОтправлено: вторник\nКому: Егор\n\nВ мае?\n",
            ["paragraph", "heading", "earlier", "earlier", "earlier"],
        ),
        ("On 9 Mar at 09:00 Sam wrote:\n\n20 March?\n", ["earlier", "earlier"]),
        (
            "On 9 Mar at 09:00 Sam wrote:\n> When?\n\nOn Friday.\n\n> And where?\n\nHere.\n",
            ["earlier", "earlier", "paragraph", "earlier", "paragraph"],
        ),
        ("From: here to there it takes an hour.\n\nAs the mayor wrote:\n\nGo.\n", ["paragraph"] * 3),
    ],
)
def test_what_a_letter_repeats(body: str, kinds: list[str]) -> None:
    """Older letters are told by signs, by the line that says who wrote, by their head; nothing of them is lost."""
    message = EmailMessage()
    message["Subject"] = "S"
    message.set_content(body)
    known = one("m.eml", bytes(message))

    assert [kind for kind, _ in shapes(known)] == kinds
    assert known.text.replace(">", "").split() == body.replace(">", "").split()


def test_plain_text_before_html() -> None:
    """Of two forms of one letter the plain one is read; HTML where there is no other."""
    both, rich = EmailMessage(), EmailMessage()
    both["Subject"] = rich["Subject"] = "S"
    both.set_content("plain")
    both.add_alternative("<p>rich</p>", subtype="html")
    rich.set_content("<p>Да</p><blockquote>Вопрос</blockquote>", subtype="html")

    assert shapes(one("m.eml", bytes(both))) == [("paragraph", "plain")]
    assert shapes(one("m.eml", bytes(rich))) == [("paragraph", "Да"), ("earlier", "Вопрос")]


def test_a_plain_text_that_says_next_to_nothing() -> None:
    """Where the plain text only points to the HTML, or is a list's footer, the HTML is the letter."""
    letter = EmailMessage()
    letter["Subject"] = "Отпуск"
    letter.set_content("См. HTML-версию.")
    letter.add_alternative(f"<p>{'Каждому 28 дней. ' * 9}</p><ul><li>one</ul>", subtype="html")

    assert shapes(one("a.eml", bytes(letter))) == [("paragraph", ("Каждому 28 дней. " * 9).strip()), ("item", "one")]


def test_attachments_are_documents() -> None:
    """Each is read by its own format, below the mail and with its date; a picture is left out."""
    found = inside("m.eml", mail("text", план_docx=word(paragraph("План")), logo_png=b"x", setup_exe=b"MZ"))

    assert [r.id if isinstance(r, Document) else r.path for r in found] == [
        "m.eml",
        "m.eml/план.docx",
        "m.eml/setup.exe",
    ]
    assert isinstance(found[1], Document)
    assert (found[1].text, found[1].updated) == ("План", "2025-03-31")


def test_a_mail_in_a_mail() -> None:
    """A forwarded letter is a document below the one that brings it."""
    inner, outer = EmailMessage(), EmailMessage()
    inner["Subject"], outer["Subject"] = "Внутри/inside", "Outer"
    inner.set_content("inner text")
    outer.set_content("outer text")
    outer.add_attachment(inner)
    found = inside("m.eml", bytes(outer))

    assert [(r.id, r.title, r.text) for r in found if isinstance(r, Document)] == [
        ("m.eml", "Outer", "outer text"),
        ("m.eml/Внутри inside.eml", "Внутри/inside", "inner text"),
    ]


@pytest.mark.parametrize("name", ["../../etc/a.md", "/a.md", "..\\a.md", "\x00a.md", "a\n.md"])
def test_names_of_attachments_lead_nowhere(name: str) -> None:
    """An attachment lies below its mail, whatever it calls itself."""
    message = EmailMessage()
    message["Subject"] = "S"
    message.set_content("text")
    message.add_attachment(b"attached", maintype="text", subtype="markdown", filename="NAME")
    _, attached = inside("m.eml", bytes(message).replace(b'"NAME"', b'"%s"' % name.encode()))

    assert isinstance(attached, Document | IngestError)
    path = attached.id if isinstance(attached, Document) else attached.path
    assert path.startswith("m.eml/")
    assert ".." not in path.split("/")


def test_letters_of_old_programs() -> None:
    """An undeclared Russian encoding is found; a declared one is believed; a broken one loses only the letter."""
    head = "Subject: S\nFrom: a@b.c\n"
    undeclared = f"{head}\nОтпуск одобрен, спасибо.".encode("cp1251")
    french = "Résumé à côté de la fenêtre".encode("latin-1")
    declared = f"{head}Content-Type: text/plain; charset=iso-8859-1\n\nCafé à côté".encode("latin-1")
    broken = mail("text", a_md=b"attached").replace(b'charset="utf-8"', b"").replace(b"\ntext", b"\n" + french)

    assert one("m.eml", undeclared).text.endswith("Отпуск одобрен, спасибо.")
    assert one("m.eml", declared).text.endswith("Café à côté")
    assert [isinstance(r, Document) for r in inside("m.eml", broken)] == [False, True]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(b"just words", "is not a mail", id="words"),
        pytest.param(b"\0\1\2" * 10, "is not a mail", id="binary"),
        pytest.param(
            b"".join(b"Subject: a\nContent-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(60)),
            "levels deep",
            id="nested",
        ),
        pytest.param(
            b"Subject: a\nContent-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 1_100 + b"--b--",
            "more than 1,000 parts",
            id="many parts",
        ),
    ],
)
def test_what_is_no_mail(data: bytes, reason: str) -> None:
    """Other bytes, and mails made to break a reader, are named with the remedy."""
    (bad,) = inside("m.eml", data)

    assert isinstance(bad, IngestError)
    assert reason in bad.reason


@pytest.mark.parametrize("charset", ["utf\ufffd8", "no-such", "hex", ""])
def test_encodings_that_there_are_not(charset: str) -> None:
    """A header in an unknown encoding is shown as it is written."""
    data = f"Subject: =?{charset}?q?x?=\nFrom: a@b.c\nContent-Type: text/plain; charset={charset}\n\nтекст"

    assert one("m.eml", data).text.endswith("текст")


def test_headers_without_end() -> None:
    """A header of a megabyte is cut before anything looks into it."""
    data = b'Subject: a\nContent-Type: text/plain; a="' + b";" * 1_000_000 + b"\n\ntext"

    assert one("m.eml", data).text == "text"


def test_attachments_of_one_name() -> None:
    """Nobody can rename what lies in a mail, so each has a name of its own, and the first the one it came with."""
    outer = EmailMessage()
    outer["Subject"] = "S"
    outer.set_content("outer text")
    texts = ("one.txt", "first"), ("one.txt", "second"), ("one (2).txt", "third"), ("договор", "x"), ("one.txt", "last")
    for name, text in texts:
        outer.add_attachment(text.encode(), maintype="text", subtype="plain", filename=name)
    for text in ("first letter", "second letter"):
        letter = EmailMessage()
        letter["Subject"] = "Re: Бюджет 2.0"
        letter.set_content(text)
        outer.add_attachment(letter)
    found = inside("m.eml", bytes(outer))

    assert {
        "m.eml": "outer text",
        "m.eml/one.txt": "first",
        "m.eml/one (3).txt": "second",
        "m.eml/one (2).txt": "third",
        "m.eml/one (4).txt": "last",
        "m.eml/Re: Бюджет 2.0.eml": "first letter",
        "m.eml/Re: Бюджет 2.0 (2).eml": "second letter",
    } == {one.id: one.text for one in found if isinstance(one, Document)}
    assert ["m.eml/договор"] == [one.path for one in found if isinstance(one, IngestError)]
