"""What a corpus declares about itself, checked."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.entities import Entity
from core.errors import ConfigError
from core.ingest.domain import GENERIC, declared_kinds, read_domain
from core.plan import GENERAL, Intent, Style

ENTITY = {"id": "aston", "type": "company", "name": "Aston", "aliases": ["Астон"], "page": "companies/aston.md"}
INTENT = {
    "name": "TECHNOLOGY_USAGE", "description": "В каких проектах", "of": ["technology"],
    "examples": ["Где применял RAG?"], "find": "mentions", "in": ["project"], "style": "GROUPED_BULLETS", "limit": 12,
}  # fmt: skip


def test_a_corpus_declares_its_names_and_kinds_of_question() -> None:
    """What is written in the file is what is known; only the general intent is added to declared ones."""
    domain = read_domain({"title": "Портфолио", "entities": [ENTITY], "intents": [INTENT]})

    usage = Intent(
        "TECHNOLOGY_USAGE", "В каких проектах", ("Где применял RAG?",), ("technology",), "mentions",
        within=("project",), style=Style.GROUPED_BULLETS, limit=12,
    )  # fmt: skip
    assert (Entity("aston", "Aston", "company", ("Астон",), "companies/aston.md"),) == domain.entities
    assert ("Портфолио", usage, GENERAL) == (domain.title, domain.intents[0], domain.intents[1].name)
    assert 2 == len(domain.intents)


@pytest.mark.parametrize("raw", [{}, {"title": "Handbook"}, {"entities": [ENTITY]}, {"intents": []}])
def test_a_corpus_without_intents_has_the_generic_ones(raw: dict[str, Any]) -> None:
    """A folder of documents needs no declaration."""
    assert GENERIC == read_domain(raw).intents


def test_a_corpus_may_say_what_is_general() -> None:
    """Its own general intent takes the place of the generic one."""
    domain = read_domain({"intents": [{"name": GENERAL, "description": "Остальное", "style": "SHORT"}]})

    assert [(GENERAL, "Остальное")] == [(one.name, one.description) for one in domain.intents]


def test_the_kinds_of_document_are_those_that_intents_speak_of() -> None:
    """Kinds come from the declaration alone, sorted, each once."""
    assert ("project", "technology") == declared_kinds(read_domain({"intents": [INTENT]}))


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        ({"entities": [{"name": "X"}]}, "entities.0.id"),
        ({"entities": [{"id": "", "name": "X"}]}, "entities.0.id"),
        ({"entities": [ENTITY, {"id": "x"}]}, "entities.1.name"),
        ({"entities": [{**ENTITY, "alias": "Астон"}]}, "entities.0.alias"),
        ({"intents": [{**INTENT, "name": "где работает"}]}, "intents.0.name"),
        ({"intents": [{**INTENT, "find": "guess"}]}, "intents.0.find"),
        ({"intents": [{**INTENT, "within": ["project"]}]}, "intents.0.within"),
        ({"intents": [{**INTENT, "limit": 26}]}, "intents.0.limit"),
        ({"intents": [{**INTENT, "style": "POEM"}]}, "intents.0.style"),
        ({"intents": {"a": 1}}, "intents"),
        ({"title": None}, "title"),
        ({"сущности": []}, "сущности"),
        ({1: 2}, "1"),
    ],
)
def test_a_wrong_entry_is_named(raw: dict[Any, Any], place: str) -> None:
    """The error names the file, the entry and what to do."""
    with pytest.raises(ConfigError, match=rf"domain\.yaml, {place}.*: .+ Correct that entry and index again\."):
        read_domain(raw)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"entitys": []}, "entitys: there is no 'entitys': did you mean 'entities'? Correct"),
        ({"entities": [{**ENTITY, "alias": "Астон"}]}, "there is no 'alias': did you mean 'aliases'? Correct"),
        ({"intents": [{**INTENT, "within": ["project"]}]}, "there is no 'within': it takes name, description, "),
        ({"сущности": []}, "there is no 'сущности': it takes title, link_base, entities, intents, relations. Correct"),
        ({"intents": [{**INTENT, "find": "sectoin"}]}, "intents.0.find: did you mean 'section'? Correct"),
        ({"intents": [{**INTENT, "headings": "Итоги"}]}, "headings: write a list, as [one, two]. Correct"),
        ({"intents": [{**INTENT, "name": "lower"}]}, "name: write it in capitals, digits and _, as PROJECT_RESULTS."),
        ({"intents": [{**INTENT, "find": "section", "headings": []}]}, "find: section needs headings: [Results]."),
    ],
)
def test_a_key_that_is_none_comes_with_those_that_are(raw: dict[str, Any], words: str) -> None:
    """Who mistypes a key is told the one that was meant, or all that there are."""
    with pytest.raises(ConfigError) as refused:
        read_domain(raw)

    assert words in str(refused.value)


_VALUE = st.recursive(
    st.none() | st.integers() | st.text(max_size=6) | st.sampled_from([*ENTITY.values()][:3]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*ENTITY, *INTENT]), inner, max_size=4),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from(["title", "entities", "intents", "x"]), _VALUE))
def test_any_declaration_is_a_domain_or_an_error(raw: dict[str, Any]) -> None:
    """Whatever the file holds, nothing but a ConfigError comes of it."""
    try:
        domain = read_domain(raw)
    except ConfigError:
        return
    assert GENERAL in {one.name for one in domain.intents}


def test_generic_intents_are_asked_in_both_languages() -> None:
    """Each generic intent has examples in English and in Russian."""
    for one in GENERIC:
        text = "".join(one.examples).casefold()
        assert any("a" <= char <= "z" for char in text)
        assert any("а" <= char <= "я" for char in text)
