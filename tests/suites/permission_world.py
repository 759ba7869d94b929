"""Companies made up at random: documents with marks of their own, rules, people and places; and who may read what.

Who may read what is decided here a second time, person by person and slowly, by nothing that the product uses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from random import Random

from adapters.search.lance import LanceIndex
from core.audience import Groups, Reader, Room
from core.entities import make_registry
from core.errors import IngestError
from core.ingest.access import Access, ruled
from core.ingest.document import Document
from core.ingest.domain import read_domain
from core.ingest.generation import Generation, Make, Tables
from core.ingest.graph import entities_of, with_names
from core.ingest.rows import ANALYZER
from tests.adapters.search.shelf import Letters, rows_of
from tests.core.corpus import page
from tests.doubles.shelves import Kept, Shelves

TEAM = "T1"
HOME = f"workspace:{TEAM}"
DOMAIN = {"entities": [{"id": "kafka", "type": "technology", "name": "Kafka", "aliases": ["Кафка"]}]}
_GROUPS = ("people-team", "managers", "finance", "staff", "бухгалтерия")
_LATIN, _CYRILLIC = ("bdfglmnrtvz", "aeiou"), ("бвгдзлмнртф", "аеиоу")


@dataclass(frozen=True)
class Somewhere:
    """A channel or chat. `people`: who reads there; `known`: whether the platform tells; `shared`: outsiders read."""

    platform: str
    id: str
    people: tuple[str, ...]
    known: bool = True
    shared: bool = False
    declared: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The place as questions have it."""
        return f"{TEAM}:{self.id}" if self.platform == "slack" else self.id

    @property
    def name(self) -> str:
        """What documents and permissions call it."""
        return f"{self.platform}:{self.place}"


@dataclass
class World:
    """A company. `marks`: what stands in one document and in no other; `people`: what each is called."""

    documents: list[Document]
    marks: dict[str, frozenset[str]]
    people: dict[str, frozenset[str]]
    places: list[Somewhere]
    groups: dict[str, frozenset[str]]
    access: Access

    def named(self, names: frozenset[str]) -> frozenset[str]:
        """Return the names with those of all groups, found slowly."""
        found = set(names)
        while True:
            more = {group for group, members in self.groups.items() if members & found} - found
            if not more:
                return frozenset(found)
            found |= more

    def hidden_from(self, place: Somewhere) -> list[Document]:
        """Return the documents that somebody who reads in the place may not read."""
        return [one for one in self.documents if not self.may_all_read(place, one.readers)]

    def may_all_read(self, place: Somewhere, readers: frozenset[str]) -> bool:
        """Return whether everybody who reads, or may read, in the place may read what is for these."""
        if not readers or place.name in readers or (place.platform == "telegram" and "workspace:telegram" in readers):
            return True
        if place.shared:
            return False
        here = [self.people[one] for one in place.people]
        home = HOME if place.platform == "slack" else "workspace:telegram"
        outsiders = place.known and any(home not in names for names in here)
        if place.declared and not outsiders:
            return bool(readers & self.named(frozenset(place.declared)))
        return place.known and bool(here) and all(readers & self.named(names) for names in here)

    def unreadable_by(self, person: str, where: Somewhere) -> list[Document]:
        """Return the documents that a person who sees a place may not read by themselves."""
        names = self.named(self.people[person] | {where.name})
        return [one for one in self.documents if one.readers and not one.readers & names]

    def marks_of(self, documents: Sequence[Document]) -> frozenset[str]:
        """Return the marks of the documents."""
        return frozenset(mark for one in documents for mark in self.marks[one.id])


def make_world(seed: int, *, documents: int = 24) -> World:
    """Return a company; the same for the same seed."""
    random = Random(seed)  # noqa: S311 - made-up companies, no secrets
    people, groups = _people(random)
    places = _places(random, people)
    access = _access(random)
    made = [_document(random, number, places) for number in range(documents)]
    kept: list[Document] = []
    marks: dict[str, frozenset[str]] = {}
    for document, own in made:
        try:
            found = ruled(document, access)
        except IngestError:
            continue
        kept.append(found)
        marks[found.id] = own
    # One page that names nobody whom there is, as a slip of the pen does.
    closed, own = _document(random, documents, places)
    kept.append(replace(closed, readers=frozenset({"peple-team"})))
    marks[closed.id] = own
    return World(kept, {one.id: _alone(marks[one.id], one, kept) for one in kept}, people, places, groups, access)


def _alone(own: frozenset[str], of: Document, documents: Sequence[Document]) -> frozenset[str]:
    """Return the marks that no other document holds by chance, such as the same price."""
    others = "\n".join(str(one) for one in documents if one.id != of.id).casefold()
    return frozenset(mark for mark in own if mark.casefold() not in others)


def _people(random: Random) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    people: dict[str, frozenset[str]] = {}
    for number in range(1, 7):
        own = {f"slack:{TEAM}:U{number}"}
        own |= {HOME, f"p{number}@northwind.example"} if number < 5 else set()
        own |= {f"slack:{TEAM}:S1"} if random.random() < 0.4 else set()
        people[f"U{number}"] = frozenset(own)
    for number in range(1, 4):
        people[str(number)] = frozenset({f"telegram:{number}", "workspace:telegram"})
    handles = [f"slack:{TEAM}:U{n}" for n in range(1, 7)] + [f"p{n}@northwind.example" for n in range(1, 5)]
    handles += [f"telegram:{n}" for n in range(1, 4)] + [f"slack:{TEAM}:S1", "telegram:-100"]
    groups = {name: frozenset(random.sample(handles, random.randrange(1, 6))) for name in _GROUPS}
    groups["managers"] |= {"people-team"} if random.random() < 0.5 else frozenset()
    groups["staff"] |= {HOME} if random.random() < 0.5 else {"managers", "finance"}
    return people, groups


def _places(random: Random, people: Mapping[str, frozenset[str]]) -> list[Somewhere]:
    slack, telegram = [one for one in people if one[0] == "U"], [one for one in people if one[0] != "U"]
    places = [Somewhere("slack", f"D{one}", (one,)) for one in slack]
    for number in range(5):
        members = tuple(random.sample(slack[: random.choice((2, 4, 6))], random.randrange(1, 3)))
        declared = (random.choice(_GROUPS),) if random.random() < 0.3 else ()
        roll = random.random()
        places.append(Somewhere("slack", f"C{number}", members, roll > 0.2, 0.2 < roll < 0.35, declared))
    places += [Somewhere("telegram", one, (one,)) for one in telegram]
    places.append(Somewhere("telegram", "-100", tuple(telegram), known=False, declared=("finance",)))
    places.append(Somewhere("telegram", "-200", tuple(telegram), known=False))
    return places


def _access(random: Random) -> Access:
    folders = {"closed": {"readers": [random.choice(_GROUPS)]}, "closed/deep": {"readers": random.sample(_GROUPS, 2)}}
    labels = {"secret": {"readers": random.sample(_GROUPS, 2), "flag": "confidential"}}
    default = {"readers": [HOME]} if random.random() < 0.3 else {}
    return Access.model_validate({"folders": folders, "labels": labels, **default})


def _document(random: Random, number: int, places: Sequence[Somewhere]) -> tuple[Document, frozenset[str]]:
    """Return a document and its marks: words and numbers that stand in no other."""
    russian = random.random() < 0.4
    word, board, leader, item = (_word(random, russian=russian) for _ in range(4))
    cost, events = str(random.randrange(10_000, 99_999)), str(random.randrange(10_000, 99_999))
    short = f"{'ЖЩЭЮЯ'[number % 5] if russian else 'XQZJK'[number % 5]}{word[0].upper()}{random.randrange(100, 999)}"
    if russian:
        is_person, title = number % 4 == 1, f"Дмитрий {word}" if number % 4 == 1 else f"Проект {word}"
        text = (
            f"{title} стоит {cost} евро. Kafka принимает {events} событий в час.\n\n"
            f"Решает Комитет {board} ({short}). Руководит {leader}.\n\n"
            f"## Этапы\n\n- Этап {item} готов\n- Этап Общий идёт\n"
        )
    else:
        is_person, title = number % 4 == 1, f"Dmitry {word}" if number % 4 == 1 else f"Project {word}"
        text = (
            f"{title} costs {cost} euros. Kafka takes {events} events an hour here.\n\n"
            f"The {board} Board ({short}) decides. It is led by {leader}.\n\n"
            f"## Milestones\n\n- Milestone {item} is done\n- The common one goes on\n"
        )
    known = page(
        f"{random.choice(('open', 'open', 'closed', 'closed/deep', 'mine'))}/{number}.md",
        text,
        title,
        kind="person" if is_person else "project",
        labels=frozenset({"secret"} if random.random() < 0.15 else ()),
        readers=_readers(random, places),
        aliases=(short,),
    )
    digest = sha256(repr((known.digest, sorted(known.readers))).encode()).hexdigest()
    return replace(known, digest=digest), frozenset({word, board, leader, item, cost, events, short})


def _readers(random: Random, places: Sequence[Somewhere]) -> frozenset[str]:
    roll = random.random()
    if roll < 0.4:
        return frozenset()
    if roll < 0.75:
        return frozenset(random.sample(_GROUPS, random.randrange(1, 3)))
    one = (HOME, random.choice(places).name, f"slack:{TEAM}:U{random.randrange(1, 7)}", "workspace:telegram")
    return frozenset({random.choice((*one, "p2@northwind.example", f"slack:{TEAM}:S1"))})


def _word(random: Random, *, russian: bool) -> str:
    consonants, vowels = _CYRILLIC if russian else _LATIN
    return "".join(random.choice(consonants) + random.choice(vowels) for _ in range(4)).capitalize()


@dataclass
class Town:
    """The port `Membership` over places that change: who reads where, as Slack would tell it."""

    world: World
    now: dict[str, Somewhere] = field(default_factory=dict)
    asked: int = 0

    def where(self, place: str) -> Somewhere:
        """Return the place as it is now."""
        return self.now.get(place) or next(one for one in self.world.places if one.place == place)

    async def room(self, place: str, *, fresh: bool = False) -> Room:
        """Return who reads there."""
        self.asked += 1
        here = self.where(place)
        readers = tuple(Reader(self.world.people[one]) for one in here.people) if here.known else None
        return Room(TEAM, frozenset({here.name}), readers, here.shared)

    async def person(self, place: str, person: str) -> Reader | None:
        """Return somebody."""
        names = self.world.people.get(person)
        return Reader(names) if names else None


@dataclass
class Book:
    """The port `GroupBook` over the groups of a world."""

    world: World

    async def members(self) -> Mapping[str, frozenset[str]]:
        """Return who belongs to each."""
        return self.world.groups

    async def replace(self, origin: str, groups: object) -> None:
        """Take nothing."""

    async def origins(self) -> tuple[str, ...]:
        """Return no origin."""
        return ()


@dataclass
class Indexed(Shelves):
    """The documents of a world in a real index, by either lexical engine."""

    folder: Path = Path()

    @property
    def index(self) -> LanceIndex:  # type: ignore[override] # the real one in place of the double
        """The index on disk."""
        return LanceIndex(str(self.folder), full_text=self.full_text)

    async def publish_world(self, world: World) -> Generation:
        """Make the documents of the world the live generation."""
        declared = read_domain(DOMAIN)
        named = with_names(sorted(world.documents, key=lambda one: one.id), declared.entities)
        passages, chunks = await rows_of(named, make_registry(entities_of(named, declared.entities)))
        tables = await self.index.settle(await self.index.build(1, passages, chunks, Letters().dimension))
        make = Make("pages", Letters.id, Letters.dimension, ANALYZER, DOMAIN)
        made = Generation(1, "live", "Tests", make, Tables(1, tables.passages, tables.chunks), {})
        self.kept[1] = Kept(made, {one.id: one for one in world.documents}, [], [])
        self.number = 1
        return made


def groups_of(world: World) -> Groups:
    """Return the groups as the product has them."""
    return Groups(world.groups)
