"""What several sources declare of themselves becomes one domain."""

import pytest

from core.errors import ConfigError
from core.ingest.domain import read_domain
from core.ingest.domains import merged

VPN = {"id": "vpn", "type": "technology", "name": "VPN", "aliases": ["virtual private network"], "page": "it/vpn.md"}
VPN_RU = {"id": "vpn", "type": "technology", "name": "vpn", "aliases": ["частная сеть"]}
OTHER = {"id": "vpn", "type": "project", "name": "Very Private Network"}
RESULTS = {"name": "RESULTS", "description": "what came of it", "find": "section", "headings": ["Results"]}
LEADS = {"name": "LEADS", "headings": ["Lead"]}


def test_pages_of_entities_lie_below_their_source() -> None:
    """An entity keeps its page when its source stands in a folder of the corpus."""
    (entity,) = merged({}, {"справочник": {"entities": [VPN]}})["entities"]

    assert "справочник/it/vpn.md" == entity["page"]


def test_one_thing_in_two_sources_is_one_under_all_its_names() -> None:
    """The same id and name, in whichever case, are one entity."""
    (entity,) = merged({}, {"en": {"entities": [VPN]}, "ru": {"entities": [VPN_RU]}})["entities"]

    assert ["virtual private network", "частная сеть"] == entity["aliases"]


def test_two_things_with_one_id_stay_two() -> None:
    """Another name makes another thing, whose id begins with its source."""
    entities = merged({}, {"a": {"entities": [VPN]}, "b": {"entities": [OTHER]}})["entities"]

    assert ["vpn", "b/vpn"] == [entity["id"] for entity in entities]


def test_the_word_of_the_corpus_stands_above_its_sources() -> None:
    """What the file declares counts: title, entities, kinds of question."""
    mine = {"title": "Акме", "entities": [OTHER], "intents": [RESULTS | {"limit": 3}]}
    found = merged(mine, {"a": {"title": "A", "entities": [VPN], "intents": [RESULTS]}})

    assert ("Акме", [OTHER], 3) == (found["title"], found["entities"], found["intents"][0]["limit"])
    assert 1 == len(found["intents"])


def test_titles_are_put_together() -> None:
    """Without a title of its own the corpus is called as its sources are; the address of one is not that of all."""
    found = merged({}, {"a": {"title": "Handbook", "link_base": "https://a/"}, "b": {"title": "Портфолио"}, "c": {}})

    assert {"title": "Handbook, Портфолио"} == found


def test_relations_and_intents_of_all_count() -> None:
    """Each is taken once, and the whole is a domain."""
    found = merged({}, {"a": {"relations": [LEADS], "intents": [RESULTS]}, "b": {"relations": [LEADS]}})

    assert (["RESULTS"], ["LEADS"]) == (
        [one.name for one in read_domain(found).intents][:1],
        [one.name for one in read_domain(found).relations],
    )


def test_two_meanings_of_one_name_are_refused() -> None:
    """Nobody can tell which is meant, so the error names both files and the way out."""
    overview = {"name": "RESULTS", "description": "in short", "find": "overview"}
    with pytest.raises(ConfigError, match=r"a/domain.yaml and b/domain.yaml declare RESULTS in two ways"):
        merged({}, {"a": {"intents": [RESULTS]}, "b": {"intents": [overview]}})


def test_words_of_two_languages_are_put_together() -> None:
    """What both mean by one name is found under the headings of both."""
    russian = RESULTS | {"description": "чего достигли", "headings": ["Результаты"], "examples": ["Чего достигли?"]}
    (intent,) = merged({}, {"en": {"intents": [RESULTS]}, "ru": {"intents": [russian]}})["intents"]

    assert ("what came of it", ["Results", "Результаты"], ["Чего достигли?"]) == (
        intent["description"], intent["headings"], intent["examples"],
    )  # fmt: skip


def test_a_wrong_domain_is_named_with_its_source() -> None:
    """A mistake in the file of one source says whose it is."""
    with pytest.raises(ConfigError, match=r"^кадры/domain.yaml, entities.0.name: it is missing"):
        merged({}, {"кадры": {"entities": [{"id": "a"}]}})
