"""A message about one item of the list before it: "the first one", "What does the second one cost?", «А третья?».

The items are those that were shown, in that order. What an item is about is a known thing that it names, or the words
that it begins with: these are the documents' own, looked for alone, and no model that plans reads them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.context import build_context
from core.conversation import Question, Thread, Turn
from core.entities import Entity
from core.executor import run_plan
from core.followup import Carried, FollowUp, recent
from core.leaning import without_opening
from core.looking import Looking, tools_for
from core.phrases import phrase
from core.planning import names_said
from core.ports import Knowledge
from core.quoting import Item, items_of
from core.text import Language, clean, normalise

_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "last")
_PLACES_RU = ("перв", "втор", "трет", "четверт", "пят", "шест", "последн")
_LAST = len(_PLACES) - 1
# Nobody is asked about "the first" of one.
_MANY = 2
_MOST_HEAD = 80
_THE = rf"(?:the )?(?P<place>{'|'.join(_PLACES)})"
_ONE = rf"{_THE} (?:one|of (?:them|these|those|the list))"
_ENDINGS = "ый|ий|ой|ая|яя|ья|ое|ее|ье|ого|его|ьего|ому|ему|ьему|ом|ем|ьем|ую|юю|ью|ей|ьей"
_RU = rf"(?P<place>{'|'.join(_PLACES_RU)})(?:{_ENDINGS})\b(?: из (?:них|этих|тех|списка))?"
_ABOUT = (
    r"(?:(?:tell|show)(?: me)?(?: more| everything| all)?(?: about| of)?|what (?:about|is|was)|more (?:about|on|of)|"
    r"about|"
    r"(?:расскажи|покажи|объясни|опиши)(?:те)?(?: мне)?(?: подробнее| больше| все)?(?: (?:про|о|об))?|"
    r"(?:по)?подробнее(?: (?:про|о|об))?|(?:а )?что (?:за|такое|насчет|с)|как насчет|про|о|об|у|в|по)"
)
_ALONE = tuple(
    re.compile(rf"\s*(?:{_ABOUT} )?(?P<one>{form})\W*(?:please|пожалуйста|подробнее|in detail)?\W*")
    for form in (_ONE, _THE, _RU)
)
# Within a question the words must say that they stand for something of a list; "who was the first one?" asks when.
_WITHIN = (
    re.compile(rf"\b(?P<one>{_ONE})\b"),
    re.compile(
        rf"\b(?:про|о|об|у|в|во|на|по|для|из|с|от|к)\s+(?P<one>{_RU})(?=\W*$|,?\s+(?:как|кто|что|где|когда|сколько|почему))"
    ),
    re.compile(rf"\b(?P<one>{_RU.removesuffix('?')})"),
)
_CAME_FIRST = re.compile(
    r"\b(?:who|which|what)(?: \w+)? (?:is|are|was|were) (?:the )?(?:first|last) one\W*$"
    r"|\b(?:кто|как(?:ой|ая|ое))(?: \w+)? (?:был|стал)[аио]? (?:перв|последн)"
)
# Words in whose place a name may stand as it is.
_AS_IT_IS = re.compile(r"[a-z]|(?:перв|втор|трет|четверт|пят|шест|последн)(?:ый|ий|ой|ая|яя|ья|ое|ее|ье|ую|юю|ью)\b")
_BEFORE = re.compile(r"(?:про|о|об|у|в|во|на|по|для|из|с|от|к)\s+$")
_GAP = re.compile(r"\s+(?=[?!.,]*$)")
_HEAD = re.compile(r"\s*(?: [—–-] | \| |[,:;(]|\s—).*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class OneOfThem:
    """The item of a list that a message is about: its turn, its key, and where in the message it is spoken of.

    `is_all`: nothing else is said.
    """

    turn: Turn
    key: str
    start: int
    end: int
    is_all: bool


async def meant_item(question: Question, thread: Thread, ports: Looking) -> FollowUp | None:
    """Return the question as it asks about an item of the list before it, which is looked up again.

    None where it speaks of none, of one too many, or of one that the documents hold no longer. Raises PortError.
    """
    one = one_of_them(question.text, thread)
    if one is None or one.turn.listed is None:
        return None
    listed = one.turn.listed
    payload = await run_plan(listed.plan, listed.question, tools_for(question, (), ports))
    context = build_context(listed.question, listed.asked, payload, listed.plan, known=ports.knowledge.registry)
    return about_item(one, question.text, items_of(context), ports.knowledge, question.language)


def one_of_them(text: str, thread: Thread) -> OneOfThem | None:
    """Return which item of the latest list the message is about, None where it speaks of none, or of one too many."""
    found, is_all = _spoken_of(text)
    turn = _listing(thread) if found else None
    if found is None or turn is None or turn.listed is None:
        return None
    number, keys = _number(found["place"]), turn.listed.seen
    if len(keys) < _MANY or (number != _LAST and number >= len(keys)):
        return None
    return OneOfThem(turn, keys[-1 if number == _LAST else number], *found.span("one"), is_all)


def _spoken_of(text: str) -> tuple[re.Match[str] | None, bool]:
    """Return where an item of a list is spoken of, and whether nothing else is said."""
    folded = normalise(text)
    if len(folded) != len(text) or _CAME_FIRST.search(folded):
        return None, False
    start = len(text) - len(without_opening(text).lstrip(" ,"))
    alone = next(filter(None, (form.fullmatch(folded, start) for form in _ALONE)), None)
    return alone or next(filter(None, (form.search(folded) for form in _WITHIN)), None), alone is not None


def _listing(thread: Thread) -> Turn | None:
    """Return the turn whose answer was the list: what was asked of other items of it lies in between."""
    return next((one for one in reversed(recent(thread).turns) if _spoken_of(one.question)[0] is None), None)


def _number(place: str) -> int:
    return _PLACES.index(place) if place in _PLACES else _PLACES_RU.index(place)


def about_item(
    one: OneOfThem, text: str, items: Sequence[Item], known: Knowledge, language: Language
) -> FollowUp | None:
    """Return the message as it asks about the item, None when the documents hold it no longer."""
    item = next((item for item in items if one.key in item.keys), None)
    if item is None:
        return None
    thing = _thing_of(item, items, known)
    name = thing.name if thing else clean(_head_of(item))
    because = phrase("because_item", language, word=text[one.start : one.end].strip(), label=name)
    if thing:
        asked = _with(name, text, one, language)
        return FollowUp(asked, Carried(one.turn.standalone, (thing.id,)), because, again=True)
    # What stands in a document goes on in nobody's question.
    return FollowUp(_with(name, text, one, language), Carried(name, ()), because, own=text, again=True)


def _with(name: str, text: str, one: OneOfThem, language: Language) -> str:
    """Return the question with the name in place of the words; beside the rest of it where it would be declined."""
    before, after = text[: one.start], text[one.end :]
    if one.is_all:
        return phrase("tell_about", language, label=name)
    if _AS_IT_IS.match(normalise(text[one.start : one.end])) and not _BEFORE.search(before):
        return f"{before}{name}{after}".strip()
    rest = f"{_BEFORE.sub('', before).rstrip()} {after.lstrip()}".strip()
    return f"{_GAP.sub('', rest)} ({name})"


def _thing_of(item: Item, items: Sequence[Item], known: Knowledge) -> Entity | None:
    """Return what the item is about: its page, where each item is of another, or the name that it begins with."""
    unit = item.units[0]
    pages = {one.units[0].fact.source.doc_id for one in items}
    if len(pages) > 1:
        over = unit.fact.group or str(unit.fact.source.title)
        own = [match.entity for match in names_said(over, known)]
        return next((one for one in own if one.page == unit.fact.source.doc_id), own[0] if own else None)
    named = names_said(unit.words, known)
    head = len(_head_of(item))
    return next((match.entity for match in named if match.start < head), None)


def _head_of(item: Item) -> str:
    """Return the words that an item begins with, up to what it says of them."""
    return _HEAD.sub("", item.units[0].words)[:_MOST_HEAD].strip(' .;,«»“”"') or item.units[0].words[:_MOST_HEAD]
