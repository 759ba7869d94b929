"""What a corpus declares about itself (`domain.yaml`): entities and intents as data, checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.entities import Entity
from core.errors import ConfigError
from core.ingest.access import ACCESS
from core.ingest.edges import Relation
from core.ingest.statements import BUILT_IN
from core.mistakes import ended, first_fault
from core.plan import GENERAL, Finder, Intent, Style


class _Entity(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: str = Field(min_length=1, max_length=80)
    type: str = "thing"
    name: str
    aliases: tuple[str, ...] = ()
    page: str | None = None


class _Intent(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(pattern=r"^[A-Z][A-Z0-9_]{1,59}$")
    description: str
    examples: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    find: Literal[Finder, "relation"] = "search"
    headings: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    within: tuple[str, ...] = Field(default=(), alias="in")
    style: Style = Style.BULLETS
    limit: int = Field(default=10, ge=1, le=25)
    relations: tuple[str, ...] = ()


class _Relation(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(pattern=r"^[A-Z][A-Z0-9_]{1,59}$")
    source: str = Field(default="", alias="from")
    target: str = Field(default="", alias="to")
    headings: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


class _Domain(BaseModel):
    model_config = ConfigDict(extra="forbid")
    title: str = "Documents"
    link_base: str | None = None
    entities: tuple[_Entity, ...] = ()
    intents: tuple[_Intent, ...] = ()
    relations: tuple[_Relation, ...] = ()


# What stands at the top of domain.yaml.
DOMAIN_KEYS: Final = frozenset(_Domain.model_fields) - {"title"}


@dataclass(frozen=True, slots=True)
class Domain:
    """A corpus's own vocabulary, with the generic intents behind its own."""

    title: str
    entities: tuple[Entity, ...]
    intents: tuple[Intent, ...]
    relations: tuple[Relation, ...] = ()


def declared_kinds(domain: Domain) -> tuple[str, ...]:
    """Return the kinds of document that the intents speak of: no document can add one."""
    return tuple(sorted({kind for intent in domain.intents for kind in (*intent.of, *intent.within)}))


def read_domain(raw: Mapping[str, Any]) -> Domain:
    """Return the checked domain; raises ConfigError that names the entry and what is wrong with it.

    The rules on who may read what (`core.ingest.access`) are none of its entries.
    """
    try:
        declared = _Domain.model_validate({key: value for key, value in raw.items() if key != ACCESS})
    except ValidationError as error:
        where, words = first_fault(error, _Domain)
        place = ".".join(map(str, where))
        raise ConfigError(f"domain.yaml, {place}: {ended(words)} Correct that entry and index again.") from error
    _check_relations(declared)
    _check_intents(declared)
    intents = tuple(map(_intent, declared.intents))
    own = {intent.name for intent in intents}
    return Domain(
        title=declared.title,
        entities=tuple(Entity(**one.model_dump()) for one in declared.entities),
        intents=(
            *intents,
            *(intent for intent in GENERIC if intent.name not in own and (not intents or intent.name == GENERAL)),
        ),
        relations=tuple(Relation(**one.model_dump()) for one in declared.relations),
    )


def _intent(one: _Intent) -> Intent:
    """Return the intent; one that finds relations looks them up by their names, as fields are by their keys."""
    known = one.model_dump(exclude={"relations", "find"})
    if one.find != "relation":
        return Intent(find=one.find, **known)
    return Intent(find="field", **{**known, "keys": (*one.keys, *one.relations)})


def _check_relations(declared: _Domain) -> None:
    """Raise ConfigError for a relation that is declared twice, found nowhere or named without being declared."""
    names = [relation.name for relation in declared.relations]
    for n, relation in enumerate(declared.relations):
        place = f"domain.yaml, relations.{n}: {relation.name}"
        if relation.name in BUILT_IN or relation.name in names[:n]:
            raise ConfigError(f"{place} is taken. Choose another name and index again.")
        if not (relation.headings or relation.keys or relation.columns):
            raise ConfigError(f"{place} stands nowhere. Name its headings, keys or columns and index again.")
    for n, intent in enumerate(declared.intents):
        place = f"domain.yaml, intents.{n}"
        if bool(intent.relations) != (intent.find == "relation"):
            raise ConfigError(f"{place}: find: relation and relations: [NAME] go together. Write both and index again.")
        for name in intent.relations:
            if name not in names and name not in BUILT_IN:
                known = ", ".join((*names, *sorted(BUILT_IN)))
                raise ConfigError(f"{place}: no relation {name!r}, only {known}. Correct the name and index again.")


def _check_intents(declared: _Domain) -> None:
    """Raise ConfigError for an intent that looks for a section and does not say which."""
    for n, intent in enumerate(declared.intents):
        if intent.find == "section" and not intent.headings:
            place = f"domain.yaml, intents.{n}"
            raise ConfigError(f"{place}: find: section needs headings: [Results]. Write them and index again.")


GENERIC = (
    Intent(
        name="OVERVIEW",
        description="what or who a named thing, person or project is",
        examples=(
            "What is project?", "Who is person?", "Tell me about project", "Describe product", "What does team do?",
            "What happened in incident?", "Give me a short summary of project", "Что произошло в incident?",
            "Что такое project?", "Кто такой person?", "Расскажи про project", "Чем занимается team?",
        ),
        find="overview",
        style=Style.SHORT,
    ),
    Intent(
        name="MENTIONS",
        description="where a named thing is used or mentioned, which pages or projects concern it",
        examples=(
            "Where is technology used?", "Which projects use technology?", "Where is person mentioned?",
            "What did we build with technology?", "Где используется technology?", "В каких проектах применяется technology?",
            "Где упоминается person?",
        ),
        of=("technology", "tool", "product", "customer", "organisation", "thing"),
        find="mentions",
        style=Style.GROUPED_BULLETS,
    ),
    Intent(
        name=GENERAL,
        description="anything else: a fact, a rule, a number, steps, a list from the documents",
        examples=(
            "How many days do I get?", "What is the limit?", "How do I request access?", "Who is responsible for this?",
            "When does it start?", "What are the steps?", "Сколько дней положено?", "Как получить доступ?",
            "Кто за это отвечает?", "Какой срок?", "What was the root cause?", "Who leads project?", "When did project start?",
            "Кто руководит project?", "Когда закончился project?", "What did project achieve?", "Why was project needed?",
            "What were the results of project?", "Which technologies were used in project?", "What came with release?",
            "Who worked on project?", "What is person responsible for?", "What does product cost?", "How long did incident last?",
            "How many people work on project?", "Чего достиг project?", "Зачем нужен был project?", "Кто работал над project?",
            "Какие технологии использованы в project?", "За что отвечает person?", "Сколько длился incident?",
        ),
    ),
)  # fmt: skip
