"""JSON and YAML become headings, fields, lists and tables."""

import pytest

from adapters.loaders import tree
from core.errors import IngestError
from tests.adapters.loaders.made import inside, one, rows_of, shapes

SERVICES = """
title: Сервисы
aliases: [services]
owner: Анна Петрова
version: 1.10
on: yes
empty:
team:
  lead: Bob
  members:
    - Анна
    - Bob
services:
  - {name: api, port: 8080}
  - {name: база, port: 5432, note: main}
steps:
  - name: build
    env: {A: "1"}
  - test
"""


def test_a_tree() -> None:
    """Values are as written; plain ones are fields, keys above others headings, flat objects a table."""
    known = one("a.yaml", SERVICES)

    assert (known.title, known.aliases) == ("Сервисы", ("services",))
    assert [(b.kind, b.depth, b.span.within(known.text), b.headings) for b in known.blocks] == [
        ("field", 0, "owner: Анна Петрова", ()),
        ("field", 0, "version: 1.10", ()),
        ("field", 0, "on: yes", ()),
        ("heading", 2, "aliases", ()),
        ("item", 0, "services", ("aliases",)),
        ("heading", 2, "team", ()),
        ("field", 0, "lead: Bob", ("team",)),
        ("heading", 3, "members", ("team",)),
        ("item", 0, "Анна", ("team", "members")),
        ("item", 0, "Bob", ("team", "members")),
        ("heading", 2, "services", ()),
        ("row", 0, "api | 8080 | ", ("services",)),
        ("row", 0, "база | 5432 | main", ("services",)),
        ("heading", 2, "steps", ()),
        ("item", 0, "test", ("steps",)),
        ("heading", 3, "build", ("steps",)),
        ("field", 0, "name: build", ("steps", "build")),
        ("heading", 4, "env", ("steps", "build")),
        ("field", 0, "A: 1", ("steps", "build", "env")),
    ]
    assert rows_of(known)[0][0] == ("name", "port", "note")


def test_json_is_read_alike() -> None:
    """Numbers keep their digits, true is true and null is nothing."""
    assert shapes(one("a.json", '{"a": 1.10, "b": true, "c": null, "г": 1e400, "d": [1, "два"]}')) == [
        ("field", "a: 1.10"),
        ("field", "b: true"),
        ("field", "г: 1e400"),
        ("heading", "d"),
        ("item", "1"),
        ("item", "два"),
    ]


def test_json_lines() -> None:
    """A line an object: a table; lines of other things: one after the other."""
    assert rows_of(one("a.jsonl", '{"имя": "Анна", "n": 1}\n\n{"имя": "Bob", "n": 2}\n')) == [
        (("имя", "n"), "Анна | 1"),
        (("имя", "n"), "Bob | 2"),
    ]
    assert shapes(one("b.jsonl", '"один"\n["two", 3]')) == [("item", "один"), ("item", "two"), ("item", "3")]


def test_several_yaml_documents() -> None:
    """What three dashes part is read one after the other."""
    assert one("a.yml", "---\na: [x]\n---\nб: [y]\n").text == "a\nx\nб\ny"


def test_merged_keys() -> None:
    """What is merged from elsewhere is read where it is merged, without the sign for it."""
    assert one("a.yaml", "base: &b\n  retries: 3\napi:\n  <<: *b\n  owner: Анна").text.split("\n") == [
        "base",
        "retries: 3",
        "api",
        "owner: Анна",
        "retries: 3",
    ]


@pytest.mark.parametrize(("name", "data"), [("a.json", '{"readers": {"group": "hr"}}'), ("a.yaml", "readers: [[hr]]")])
def test_readers_that_are_no_names_close_the_document(name: str, data: str) -> None:
    """What cannot be understood of the readers must not open the document to everyone."""
    (bad,) = inside(name, data)

    assert "must be names of groups" in str(bad)


def test_readers_of_data() -> None:
    """Data can name its readers too; their names are not part of its text."""
    known = one("a.json", '{"readers": ["кадры", "hr"], "a": "b"}')

    assert (known.readers, known.text) == ({"кадры", "hr"}, "a: b")


def bomb(levels: int) -> str:
    """Return YAML in which every level holds the one before nine times."""
    lines = ["a0: &a0 [lol, lol]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        pytest.param("a.yaml", bomb(9), "more than 200,000 values", id="aliases"),
        pytest.param("a.yaml", "a: &a [*a]", "60 levels deep", id="an alias of itself"),
        pytest.param("a.yaml", "a: &a\n  <<: *a", "60 levels deep", id="a merge of itself"),
        pytest.param("a.yaml", "a: *b", "nothing is called 'b'", id="an alias of nothing"),
        pytest.param("a.yaml", "[" * 100_000, "60 levels deep", id="deep flow"),
        pytest.param("a.yaml", "- " * 100_000, "60 levels deep", id="deep block"),
        pytest.param("a.yaml", "{a: " * 100_000, "60 levels deep", id="deep mapping"),
        pytest.param("a.yaml", "a: [\nb", "line 3", id="not closed"),
        pytest.param("a.yaml", "a: \x01", "is not YAML", id="control character"),
        pytest.param("a.json", "[" * 100_000, "60 levels deep", id="deep JSON"),
        pytest.param("a.json", '{"a":' * 62 + "1" + "}" * 62, "60 levels deep", id="62 levels"),
        pytest.param("a.json", '{"a": 1,\n"б": }', "line 2", id="broken JSON"),
        pytest.param("a.jsonl", '{"a": 1}\n{"b"}', "line 2", id="broken line"),
        pytest.param("a.json", '"\\ud800"', "no text", id="half a character"),
        pytest.param("a.json", "[[], {}, null]", "no text", id="nothing in it"),
    ],
)
def test_bad_data_is_named(name: str, data: str, reason: str) -> None:
    """Bombs end at a limit before they take memory, and mistakes are named with their line."""
    (bad,) = inside(name, data)

    assert isinstance(bad, IngestError)
    assert reason in bad.reason


def test_the_limit_of_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values of lists, objects and tables all count."""
    monkeypatch.setattr(tree, "NODES_LIMIT", 50)

    for data in ('{"a": [%s]}' % ",".join(["1"] * 60), "[%s]" % ",".join(['{"a":1}'] * 60)):  # noqa: UP031
        assert "more than 50 values" in str(inside("a.json", data)[0])
