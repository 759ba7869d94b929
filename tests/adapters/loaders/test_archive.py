"""Zip archives are read member by member, and no bomb goes off."""

from io import BytesIO
from zipfile import ZipFile, ZipInfo

import pytest

from adapters.loaders import archive
from core.errors import IngestError
from core.ingest.document import Document
from tests.adapters.loaders.made import docx, inside, mail, paragraph, zipped

ZEROS = b"\0" * 40_000_000


def test_members_become_documents() -> None:
    """Every member is read by its own format; hidden files, what a Mac adds and pictures are left out."""
    found = inside(
        "папка/z.zip",
        zipped(
            {
                "a.md": "# Т\n\nтекст",
                "dir/b.csv": "a,b\n1,2",
                "dir/c.docx": docx(paragraph("text")),
                "__MACOSX/a.md": "x",
                ".git/a.md": "x",
                "dir/": "",
                "logo.png": "x",
            }
        ),
        link_base="https://docs.example",
    )

    assert [r.id for r in found if isinstance(r, Document)] == [
        "папка/z.zip/a.md",
        "папка/z.zip/dir/b.csv",
        "папка/z.zip/dir/c.docx",
    ]
    assert isinstance(found[1], Document)
    assert (found[1].kind, found[1].link) == (
        "dir",
        "https://docs.example/%D0%BF%D0%B0%D0%BF%D0%BA%D0%B0/z.zip/dir/b.csv",
    )


def test_archives_in_archives() -> None:
    """Two levels are read; a third is reported and the rest goes on."""
    third = zipped({"deep.md": "text"})
    second = zipped({"c.md": "text", "third.zip": third, "m.eml": mail("text")})
    found = inside("first.zip", zipped({"b.md": "text", "second.zip": second, "end.md": "text"}))

    assert [r.id if isinstance(r, Document) else r.path for r in found] == [
        "first.zip/b.md",
        "first.zip/second.zip/c.md",
        "first.zip/second.zip/third.zip",
        "first.zip/second.zip/m.eml",
        "first.zip/end.md",
    ]
    assert str(found[2]).endswith("lies more than 2 archives or mails deep: unpack it")


@pytest.mark.parametrize(
    "name",
    ["../a.md", "a/../../b.md", "/etc/a.md", "C:\\a.md", "..\\a.md", "a/.."],
)
def test_paths_out_of_the_archive(name: str) -> None:
    """A member whose path leads elsewhere is refused; its neighbour is read."""
    bad, good = inside("z.zip", zipped({name: "text", "отпуск.md": "text"}))

    assert isinstance(bad, IngestError)
    assert "leads out of the archive" in bad.reason
    assert isinstance(good, Document)


def test_names_with_line_ends() -> None:
    """A member whose name cannot be shown is reported with its escapes."""
    bad, good = inside("z.zip", zipped({"a\nb.md": "text", "c.md": "text"}))

    assert isinstance(bad, IngestError)
    assert bad.path == "z.zip/a\\nb.md"
    assert isinstance(good, Document)


def test_two_members_of_one_name() -> None:
    """The first is the document; the second is reported."""
    out = BytesIO()
    with pytest.warns(UserWarning, match="Duplicate name"), ZipFile(out, "w") as packed:
        packed.writestr("a.md", "first")
        packed.writestr("a.md", "второй")
    first, second = inside("z.zip", out.getvalue())

    assert isinstance(first, Document)
    assert first.text == "first"
    assert str(second).startswith("z.zip/a.md: another document has the same path")


@pytest.mark.parametrize("encoding", ["cp866", "utf-8"])
def test_names_of_russian_windows_and_of_macs(encoding: str) -> None:
    """Names without a word about their encoding are read as people wrote them."""
    raw = "Отпуск.md".encode(encoding)
    member = ZipInfo("x" * len(raw))
    out = BytesIO()
    with ZipFile(out, "w") as packed:
        packed.writestr(member, "text")
    (found,) = inside("z.zip", out.getvalue().replace(b"x" * len(raw), raw))

    assert isinstance(found, Document)
    assert found.id == "z.zip/Отпуск.md"


def test_a_bomb_by_its_ratio() -> None:
    """Megabytes of nothing in a few kilobytes are not unpacked; the neighbour is read."""
    bad, good = inside("z.zip", zipped({"a.csv": ZEROS[:10_000_000], "b.md": "text"}))

    assert "unpacks to more than 200 times its size" in str(bad)
    assert isinstance(good, Document)


def test_a_member_too_large_for_its_format() -> None:
    """What would be refused as a file is refused as a member, before it is unpacked."""
    (bad,) = inside("z.zip", zipped({"a.md": ZEROS}))

    assert str(bad) == "z.zip/a.md: has 40,000,000 bytes, more than 10,000,000: split it"


def test_a_bomb_by_its_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over all members and all archives inside no more is unpacked than one item may be."""
    monkeypatch.setattr(archive.Allowance.__init__, "__defaults__", (1_000, archive.MEMBERS_LIMIT))
    inner = zipped({f"{n}.md": "слово " * 10 for n in range(30)})
    found = inside("z.zip", zipped({"a.zip": zipped({"a.md": "x"}), "b.zip": inner}))

    documents = [r for r in found if isinstance(r, Document)]
    assert documents
    assert len(documents) * 110 < 1_000
    assert "unpacks to more than" in str(found[-1])


def test_a_bomb_by_its_members(monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive of very many files is refused by its list alone."""
    monkeypatch.setattr(archive, "MEMBERS_LIMIT", 20)
    (bad,) = inside("z.zip", zipped({f"{n}.md": "x" for n in range(21)}))

    assert str(bad) == "z.zip: holds more than 20 files: split it"


def test_members_are_counted_over_all_archives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many archives of few files each do not get past the limit either."""
    monkeypatch.setattr(archive.Allowance.__init__, "__defaults__", (archive.UNPACKED_LIMIT, 10))
    found = inside("z.zip", zipped({f"{n}.zip": zipped({f"{i}.md": "x" for i in range(4)}) for n in range(4)}))

    assert len([r for r in found if isinstance(r, Document)]) == 8
    assert "holds more than" in str(found[-1])


def test_protected_and_broken_members() -> None:
    """A member with a password, or with a wrong checksum, is named; the others are read."""
    data = zipped({"a.md": "text one", "b.md": "text two"})
    protected = bytearray(data)
    protected[data.index(b"PK\x01\x02") + 8] |= 1
    out = BytesIO()
    with ZipFile(out, "w") as packed:
        packed.writestr("a.md", "text one")
        packed.writestr("b.md", "text two")
    broken = out.getvalue().replace(b"text one", b"text six")

    assert "protected by a password" in str(inside("z.zip", bytes(protected))[0])
    assert "cannot be unpacked (Bad CRC-32" in str(inside("z.zip", broken)[0])
    assert [isinstance(r, Document) for r in inside("z.zip", broken)] == [False, True]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(zipped({"a.md": "text"})[:-30], "cut off", id="truncated"),
        pytest.param(b"Rar!", "not a zip archive", id="other format"),
        pytest.param(zipped({}), "holds nothing to read", id="empty"),
        pytest.param(zipped({"a.png": "x"}), "holds nothing to read", id="pictures"),
    ],
)
def test_archives_that_cannot_be_read(data: bytes, reason: str) -> None:
    """The archive as a whole is named, with the remedy."""
    (bad,) = inside("z.zip", data)

    assert isinstance(bad, IngestError)
    assert reason in bad.reason
