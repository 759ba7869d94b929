"""What looks like an attempt to say who may read a page is understood, or closes it; running text does neither."""

from pathlib import Path

import pytest

from adapters.loaders import load_corpus
from adapters.loaders.front_matter import split
from adapters.loaders.item import documents_in
from core.errors import IngestError
from core.ingest.document import Document
from core.ingest.source import Item
from tests.adapters.loaders.made import write

BODY = "\n# Pay\n\nLevel L5 earns 90,000 euros a year.\n"
EXAMPLES = Path(__file__).parents[3] / "examples"


def read(name: str, text: str) -> Document | IngestError:
    """Return what a file becomes."""
    return next(iter(documents_in(Item(name, text.encode()))))


@pytest.mark.parametrize(
    "head",
    [
        '+++\nreaders = ["hr"]\ndate = 2025-01-02\n+++\n',
        '+++\ntitle = "Pay"\nReaders = "hr"\n\n[menu]\nmain = 1\n+++\n',
        '{"readers": ["hr"]}\n',
        '\n{\n  "title": "Pay",\n  "readers": ["hr"]\n}\n',
        " ---\n readers: [hr]\n ---\n",
        "<!-- licence: MIT -->\n<!-- lint -->\n---\nreaders: [hr]\n---\n",
        "\u200b---\nreaders: [hr]\n---\n",
        "\ufeff\u2060\n---\nreaders:\n- hr\n---\n",
        "\u00a0---\nreaders: hr\n---\n",
    ],
)
@pytest.mark.parametrize("name", ["a.md", "страница.txt"])
def test_what_is_understood_is_heeded(head: str, name: str) -> None:
    """YAML wherever nothing that is seen stands above it, and the TOML and JSON of Hugo."""
    found = read(name, head + BODY)

    assert isinstance(found, Document)
    assert (frozenset({"hr"}), "earns" in found.text) == (found.readers, True)


@pytest.mark.parametrize(
    "head",
    [
        *(
            "---\nreaders:[hr]\n---\n",
            "---\nreaders:hr\n---\n",
            "---\nreaders=hr\n---\n",
            "---\n- readers: [hr]\n---\n",
        ),
        *("---\ntitle: Pay\nreaders:hr\n---\n", "---\ntitle: Pay\nreaders = hr\n---\n"),
        *(
            "---\nreaders： [hr]\n---\n",
            "---\nreаders: [hr]\n---\n",
            "---\nrеadеrs: hr\n---\n",
            "---\nraeders: hr\n---\n",
        ),
        *(
            "----\nreaders: [hr]\n----\n",
            "———\nreaders: [hr]\n———\n",
            "***\nreaders: hr\n***\n",
            "===\nReaders: hr\n===\n",
        ),
        *("```yaml\nreaders: [hr]\n```\n", "~~~\nreaders: hr\n~~~\n", "----\ntitle: Pay\nreaders: [hr]\n----\n"),
        *("---\npermissions:\n  readers: [hr]\n---\n", "---\nmeta: [{acl: {readers: hr}}]\n---\n"),
        *("---\naccess: hr\n---\n", "---\nvisibility: private\n---\n", "---\npermissions: [hr]\n---\n"),
        *("---\nconfidential: true\n---\n", "---\nrestricted_to: [hr, board]\n---\n", "---\nprivate: yes\n---\n"),
        *("---\nчитатели: [кадры]\n---\n", "---\nдоступ: кадры\n---\n", "---\nвидимость: только кадры\n---\n"),
        *("---\nконфиденциально: да\n---\n", "----\nчитатели: кадры\n----\n", "---\nЧитатели：кадры\n---\n"),
        *('+++\nraeders = ["hr"]\n+++\n', "+++\nreaders: [hr]\n+++\n"),
        *('{"title": "Pay", "readers": {"hr": true}}\n', "---\nreaders: [hr]\nreaders: [all]\n---\n"),
        *("---\ntitle: Pay\n---\n---\nreaders: [hr]\n---\n", "# Pay\n---\nreaders: [hr]\n---\n"),
        *(
            "Readers: hr\n",
            "**Readers:** hr, board\n",
            "Читатели: кадры\n",
            "Raeders: [hr]\n",
            "# Оклады\nЧитатели: кадры\n",
        ),
        *(
            "# Pay\n\nReaders: hr · Owner: Anna Petrova\n",
            "Owner: Anna Petrova\nReaders: hr\n",
            "Pay\n===\nReaders: hr\n",
        ),
    ],
)
def test_what_is_not_understood_closes_the_page(head: str) -> None:
    """It is named, with what to write instead, and with the line where it can be told."""
    with pytest.raises(IngestError, match=r"readers|could not find expected ':'|is not TOML"):
        split(head + BODY, "a.md")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", "---\nraeders: [hr]\n---\n<h1>Pay</h1><p>90,000 euros</p>"),
        ("a.html", '<head><meta name="raeders" content="hr"></head><h1>Pay</h1><p>90,000 euros</p>'),
        ("a.csv", "---\nreaders: [hr]\n---\nlevel,pay\nL5,90000\n"),
        ("a.json", '{"raeders": ["hr"], "pay": 90000}'),
        ("a.yaml", "rеaders: [hr]\npay: 90000\n"),
        ("a.txt", "Оклады\n\nRaeders: hr\n\nL5 получает 90 000 евро.\n"),
        ("a.txt", "----\nreaders: hr\n----\nL5 получает 90 000 евро.\n"),
        (
            "a.eml",
            "From: a@b.example\nSubject: Pay\nContent-Type: text/plain\n\n---\nreaders: [hr]\n---\nL5 earns 9.\n",
        ),
    ],
)
def test_so_it_does_in_other_formats(name: str, text: str) -> None:
    """Where people write it as they do in Markdown."""
    found = read(name, text)

    assert isinstance(found, IngestError)
    assert "readers" in found.reason


def test_front_matter_of_a_web_page_counts() -> None:
    """As Jekyll has it."""
    found = read("a.html", "---\ntitle: Оклады\nreaders: [hr]\n---\n<p>L5 earns 90,000 euros</p>")

    assert isinstance(found, Document)
    assert ("Оклады", {"hr"}, "L5 earns 90,000 euros") == (found.title, found.readers, found.text)


@pytest.mark.parametrize("key", ["labels", "label", "lables", "Labels", "lаbels", "метки"])
def test_labels_are_read_with_a_slip_too(key: str) -> None:
    """A label only closes, so a page has it whatever the word before it looks like."""
    found = read("a.md", f"---\n{key}: [confidential]\n---\n{BODY}")

    assert isinstance(found, Document)
    assert {"confidential"} == found.labels


ORDINARY = (
    "# Guide\n\nReaders: people who want to learn how the gateway works.\n",
    "Readers of this guide: start with the overview.\n",
    "# Handbook\n\nThis page is for new readers: it explains the basics.\n",
    "Readers: everyone\n\nWelcome.\n",
    "Reader: Anna\n\nA review of a book.\n",
    "# Statistics\n\nReaders: 1200\n\nWriters: 30\n",
    "Our newspaper\n\nReaders: 40,000 a day\n",
    "Для читателей: как пользоваться этим руководством.\n",
    "# Журнал\n\nЧитатели: все, кто интересуется историей города.\n",
    "Читатели: 12 000\n\nПисатели: 30\n",
    "----\n\nText below a line.\n",
    "----\nTitle\n----\n\nText.\n",
    "---\n\nReaders: people.\n",
    "***\nNote: reading takes a minute.\n***\n",
    "=====\nVisibility: 10 km at noon\n=====\n",
    "| Name | Readers |\n| ---- | ------- |\n| Daily | 900 |\n",
    "Name | Access\n---- | ------\nAnna | all doors\n",
    '```json\n{"readers": 3, "writers": 1}\n```\n\nThe settings of the pool.\n',
    "```yaml\naccess: {log: true}\nreplicas: 3\n```\n",
    "```\n$ readers --help\n```\n",
    '{"a": 1}\n\nis a sample.\n',
    '{"name": "x", "readers": 4}\n\nis what the API answers.\n',
    "{{< toc >}}\n\nText.\n",
    "# API\n\n## Access\n\nAccess: by token.\n",
    "Access: by badge at the door, all day.\n",
    "Permissions: ask your lead.\n",
    "Доступ: по пропуску, круглосуточно.\n",
    "Права доступа: спросите руководителя.\n",
    "Headers: X-Request-Id\n\nLeaders: Anna\n",
    "Renders: 12\n\nTraders: all\n",
    "---\ntitle: Reader\ndescription: For readers: none\n---\n".replace("For readers: none", '"For readers: none"'),
    "---\ntitle: Access\naccess: public\n---\nText.\n",
    "---\nvisibility: everyone\n---\nText.\n",
    "---\nдоступ: всем\n---\nТекст.\n",
    "---\nprivate: false\nconfidential: no\ndraft: false\n---\nText.\n",
    "---\nheaders: [a]\nleaders: [b]\nreading_time: 5\nreaders_digest: yes\n---\nText.\n",
    "---\nstats:\n  readers: 120\n---\nText.\n",
    "---\naudience: developers\nlayout: page\nsidebar_label: Start\n---\nText.\n",
    "---\n# readers: [hr]\ntitle: Open again\n---\nText.\n",
    "---\nsummary: |\n  What our readers say.\n  Readers like it.\n---\nText.\n",
    '+++\ntitle = "Post"\ntags = ["a"]\n[author]\nname = "Anna"\n+++\nText.\n',
    "+++\n\nnot front matter\n",
    "<!-- readers like comments -->\n\n# Title\n\nText.\n",
    "---\nkey: value\n---\n\n---\n\nSecond part.\n",
    "- Readers: see below\n- Writers: see above\n",
    "> Readers: this is quoted from a longer text.\n",
    "Q: Who are the readers?\nA: Everybody.\n",
    "# Release 2.0\n\nReaders=4 is the default of the pool, see below.\n",
    "Author: Anna\nDate: 2025-01-02\nReaders: about twenty people a week\n",
    "Оглавление\n=========\n\nЧитатели и писатели: задача о синхронизации.\n",
)  # fmt: skip


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_pages_stay_open(text: str) -> None:
    """Rules, tables, samples of data, and what running text says of readers and of access."""
    found = read("a.md", f"{text}\n\nThe end.\n")

    assert isinstance(found, Document), found
    assert not found.readers


@pytest.mark.parametrize("corpus", ["handbook", "portfolio"])
def test_nothing_of_the_examples_closes(corpus: str) -> None:
    """Every page of them is read as it was."""
    assert not load_corpus(EXAMPLES / corpus).problems


def test_aliases_of_yaml_cost_nothing() -> None:
    """A bomb of aliases is looked through once, however often its parts are named."""
    bomb = "a: &a [x, x]\n" + "".join(
        f"{two}: &{two} [*{one}, *{one}]\n"
        for one, two in zip("abcdefghijklmnopqrstuvwxy", "bcdefghijklmnopqrstuvwxyz", strict=True)
    )
    found = read("a.md", f"---\n{bomb}---\n{BODY}")

    assert isinstance(found, Document)


def test_a_page_in_a_folder_is_named(tmp_path: Path) -> None:
    """The rest is read."""
    known = load_corpus(write(tmp_path, {"a.md": "----\nreaders: hr\n----\n# A\n", "b.md": "# B\n\nText.\n"}))

    assert (["b.md"], ["a.md"]) == ([one.id for one in known.documents], [one.path for one in known.problems])
