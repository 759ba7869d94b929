"""Names that several entities go by."""

import pytest

from core.entities import Entity, Registry, resolve_entities
from core.namesakes import as_meant, namesakes_of, shared_names, with_parts
from tests.core.corpus import registry

ORLOV = Entity("orlov", "Dmitry Orlov", "person")
PETROV = Entity("petrov", "Dmitry Petrov", "person")
IVANOV = Entity("ivanov", "Иван Орлов", "person")
SMIRNOVA = Entity("smirnova", "Иван Смирнов", "person")
BROKER = Entity("broker", "Компания АЛОР", "company")
PRICE = Entity("price", "Anna Price", "person")
SYSTEM = Entity("system", "АЛОР", "project", ("проект АЛОР",))


def shared(text: str, names: Registry) -> list[tuple[str, tuple[str, ...]]]:
    """Return the shared names in the text as they are written there, with those who share them."""
    found = shared_names(text, resolve_entities(text, names), namesakes_of(names))
    return [(text[one.start : one.end], one.ids) for one in found]


@pytest.mark.parametrize(
    ("text", "name", "ids"),
    [
        ("What does Dmitry do?", "Dmitry", ("orlov", "petrov")),
        ("Чем занимается Дмитрий?", "Дмитрий", ("orlov", "petrov")),
        ("Что поручили Ивану?", "Ивану", ("ivanov", "smirnova")),
        ("Что такое АЛОР?", "АЛОР", ("broker", "system")),
    ],
)
def test_a_name_that_several_go_by_is_found_in_any_form(text: str, name: str, ids: tuple[str, ...]) -> None:
    """A first name, in another case or alphabet, and a company's name without the word for what it is."""
    assert [(name, ids)] == shared(text, registry(ORLOV, PETROV, IVANOV, SMIRNOVA, BROKER, SYSTEM))


@pytest.mark.parametrize(
    "text", ["What does Dmitry Orlov do?", "Расскажи о проекте АЛОР", "Расскажи о компании АЛОР", "Where is Porto?"]
)
def test_a_longer_name_says_who_is_meant(text: str) -> None:
    """Where the whole name stands, or one that only one goes by, nothing is shared."""
    assert [] == shared(text, registry(ORLOV, PETROV, BROKER, SYSTEM))


def test_an_alias_outdoes_a_part_of_a_name() -> None:
    """Whoever is declared to be called so is meant, and not a colleague whose first name it is."""
    dima = Entity("dima", "Дмитрий Соколов", "person", ("Дмитрий",))

    assert [] == shared("Где работает Дмитрий?", registry(dima, Entity("other", "Дмитрий Орлов", "person")))


def test_only_people_go_by_a_part_of_their_name() -> None:
    """Two projects whose names begin alike are not both meant by that word."""
    names = registry(Entity("a", "Project Lantern", "project"), Entity("b", "Project Beekeeper", "project"))

    assert [] == shared("What is Lantern? Is it a Project?", names)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Who leads Lantern?", ["a"]),
        ("Lantern or Beekeeper?", ["a", "b"]),
        ("All projects but Lantern", ["a"]),
        ("Кто ведёт Фонарь?", ["c"]),
        ("Фонарь или Lantern?", ["c", "a"]),
        ("Is there a lantern in the yard?", []),
        ("Lantern makers of the town?", []),
    ],
)
def test_a_name_is_known_without_the_word_for_what_it_is(text: str, found: list[str]) -> None:
    """Project Lantern is meant by “Lantern”, written as a name, if nothing else is called so."""
    names = registry(
        Entity("a", "Project Lantern", "project"),
        Entity("b", "Project Beekeeper", "project"),
        Entity("c", "Проект Фонарь", "project"),
    )

    matches = with_parts(text, resolve_entities(text, names), names, namesakes_of(names))

    assert found == [one.entity.id for one in matches]
    assert all(one.confidence == 1.0 for one in matches)


def test_a_chosen_entity_stands_in_for_its_namesake() -> None:
    """When it is known who is meant, the name in the question is that one's, and no other match changes."""
    names = registry(SYSTEM, BROKER, ORLOV)
    text = "What did Dmitry Orlov do for АЛОР?"
    found = as_meant(text, resolve_entities(text, names), ("broker",), names, namesakes_of(names))

    assert ["orlov", "broker"] == [one.entity.id for one in found]


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("expense system", "Expenses policy"), "What expenses do we not pay?"),
        (("система отпусков", "Правила отпусков"), "Кто согласует отпуска?"),
    ],
)
def test_a_word_of_everyday_is_no_name(names: tuple[str, str], text: str) -> None:
    """What is left of a name without its kind is one only if it is written as one."""
    system, policy = names

    assert [] == shared(text, registry(Entity("s", system, "system"), Entity("p", policy, "policy")))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What does Ines do?", ["ines"]),
        ("И что Инес?", ["ines"]),
        ("Where does Carvalhal sit?", ["ines"]),
        ("Where does Ines Carvalhal sit?", ["ines"]),
        ("What does Dmitry do?", []),
        ("What will ines do?", []),
        ("Will it rain?", []),
        ("Carvalhal?", ["ines"]),
        ("Price of an audit?", []),
        ("What did Price say?", ["price"]),
        ("Ines or Dmitry?", ["ines"]),
    ],
)
def test_a_part_of_a_name_that_one_person_alone_has_names_them(text: str, found: list[str]) -> None:
    """Colleagues are called by their first names; two of one name are told apart elsewhere."""
    names = registry(
        ORLOV, PETROV, Entity("ines", "Ines Carvalhal", "person"), Entity("will", "Will Hay", "person"), PRICE
    )
    matches = with_parts(text, resolve_entities(text, names), names, namesakes_of(names))

    assert found == [one.entity.id for one in matches]
