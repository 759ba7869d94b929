"""Names against a table labelled by hand: typos, case and word forms in both languages, and no false friends."""

import random
import time
from pathlib import Path

import pytest
import yaml

from core.entities import Entity, Registry, make_registry, resolve_entities

TABLE = yaml.safe_load((Path(__file__).parent / "names.yaml").read_text())
NAMES = make_registry(Entity(id_, names[0], "thing", tuple(names[1:])) for id_, names in TABLE["names"].items())
CASES = [(str(text), list(ids)) for text, ids in TABLE["cases"]]


def named(text: str) -> list[str]:
    """Return the ids of what the text names, in order."""
    return [match.entity.id for match in resolve_entities(text, NAMES)]


def test_the_table_is_large_and_in_both_languages() -> None:
    """At least 150 different cases, a third near misses, each language in at least a third."""
    texts = {text for text, _ in CASES}
    russian = [text for text in texts if any("а" <= char <= "я" for char in text.lower())]

    assert len(CASES) == len(texts) >= 150
    assert 3 * len(russian) >= len(texts) <= 3 * (len(texts) - len(russian))
    assert 4 * sum(not ids for _, ids in CASES) >= len(CASES)


def test_names_are_found_and_false_friends_are_not() -> None:
    """Of what is found at least 98 % is meant, and of what is meant at least 95 % is found."""
    right = wrong = missed = 0
    for text, expected in CASES:
        found = named(text)
        hits = sum(min(found.count(id_), expected.count(id_)) for id_ in set(expected))
        right, wrong, missed = right + hits, wrong + len(found) - hits, missed + len(expected) - hits

    assert right / (right + wrong) >= 0.98
    assert right / (right + missed) >= 0.95


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [("Kafka", 1.0, 1.0), ("Кафку", 0.9, 0.9), ("Kafkka", 0.8, 0.8), ("C++", 1.0, 1.0), ("на Кубернетесе", 0.9, 0.9)],
)
def test_confidence_says_how_a_name_was_found(text: str, least: float, most: float) -> None:
    """A name as written is certain, in the other alphabet nearly so, misspelt less."""
    (match,) = resolve_entities(text, NAMES)

    assert least <= match.confidence <= most


def test_the_match_covers_the_signs_of_a_name() -> None:
    """What is named is C++, not C."""
    text = "Do we write C++ or C# here?"

    assert ["C++", "C#"] == [text[match.start : match.end] for match in resolve_entities(text, NAMES)]


def test_where_two_names_are_as_near_neither_is_guessed() -> None:
    """A slip that may mean two things means nothing."""
    known = make_registry((Entity("a", "Marlona", "thing"), Entity("b", "Marlena", "thing")))

    assert () == resolve_entities("Marlna", known)


@pytest.mark.parametrize(
    "name", ["(.*", "[a-z]+", "a|b", "\\d", "$^", "{1,2}", "x" * 10_000, "слово " * 2_000, "Q", "Я"]
)
def test_odd_names_are_names(name: str) -> None:
    """Signs of regular expressions, a single letter, a title of ten thousand letters: found as written, and quickly."""
    known = make_registry((Entity("odd", name, "thing"), Entity("aston", "Aston", "company")))

    begun = time.process_time()
    found = [match.entity.id for match in resolve_entities(f"What is {name} in Aston?", known)]

    assert "aston" in found
    assert time.process_time() - begun < 1.0
    assert not resolve_entities("Nothing of this", known)


def many(count: int) -> Registry:
    """Return a registry of made-up names in both languages."""
    chance = random.Random(1)  # noqa: S311 — words for a test
    parts = ["ka", "lo", "mi", "ra", "ton", "ver", "ка", "ло", "ми", "ра", "тон", "вер"]

    def word(first: int) -> str:
        return "".join(chance.choices(parts[first : first + 6], k=3))

    return make_registry(
        Entity(str(n), f"{word(n % 2 * 6)} {word(n % 2 * 6)}", "page", (word(n % 2 * 6) + "1",)) for n in range(count)
    )


def test_a_word_costs_the_same_among_many_names() -> None:
    """Ten thousand names, a thousand words of a question: read within a second, and misspelt ones too."""
    few, thousands = many(100), many(10_000)
    question = "какой то unknown вопросительный sentence " * 200
    for registry in (few, thousands):
        resolve_entities(question, registry)

    begun = time.process_time()
    resolve_entities(question, thousands)
    assert time.process_time() - begun < 1.0
