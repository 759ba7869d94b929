"""What a question's form says, whatever it is about: how many, one beside another, all but one, not, and its parts.

Only words of a closed class count here (how many, except, not, or). What is asked is never told by words.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.asking import parted
from core.brevity import in_brief
from core.counting import AMOUNT, HOW_MANY, NEGATES, is_how_often
from core.entities import EntityMatch, Registry, resolve_entities
from core.kinds import is_kind, known_kind
from core.plan import Period, Shape
from core.sides import sides_of
from core.text import STOP_WORDS, normalise, stem, terms
from core.when import period_in

# A name stands in the question as one sign: its number among the names, from here on.
_FIRST_SIGN = 0xE000
_MOST_NAMES = 60
_MOST_PARTS = 4
_NAME = rf"[{chr(_FIRST_SIGN)}-{chr(_FIRST_SIGN + _MOST_NAMES)}]"
_NAMES = rf"{_NAME}(?:(?:\s*,\s*|\s*,?\s+(?:and|or|nor|и|или|ни)\s+(?:\w+\s+)?){_NAME})*"
_PRIVATE = re.compile(r"[\ue000-\uf8ff]")

_EXCEPT = re.compile(
    r"\b(?:except(?: for)?|apart from|aside from|besides|other than|excluding|not counting|without counting|кроме|"
    rf"помимо|за исключением|исключая|не считая|без учета)\s+(?:[\w-]+\s+){{0,2}}?(?P<names>{_NAMES})"
)
_ALL_BUT = re.compile(
    rf"\b(?:all|every\w*|any\w*|все\w*|всех)\b.{{0,200}}?\b(?:but(?! not\b)|кроме)\s+(?:[\w-]+\s+)?(?P<names>{_NAMES})"
)
# "All projects but not Heron" leaves it out; "those with Kafka but not Redis" are to be without it.
_BUT_NOT = re.compile(rf"\b(?:but not|но не)\s+(?:[\w-]+\s+)?(?P<names>{_NAMES})")
_WITHOUT = re.compile(rf"\b(?:without|no|not using|lacking|без|не использу\w+|нет)\s+(?:[\w-]+\s+)?(?P<names>{_NAMES})")
_NEVER = r"\b(?:not|never|\w+n['’]t|cannot|не|нигде не|никогда не)\s+(?!(?:only|just|только|считая|так)\b)"
# What is said of a condition is not asked for: "What happens if the VPN does not work?".
_CONDITION = re.compile(r"\b(?:if|when|whenever|unless|while|because|если|когда|пока|потому что|чтобы)\b")
_NOT = re.compile(
    rf"(?:{_NEVER}(?:[\w-]+\s+){{1,3}}?|\b(?:(?:but|and|yet|но|а|и),? (?:not|не)|neither|nor|ни)\s+(?:[\w-]+\s+)?)"
    rf"(?P<names>{_NAMES})"
)
_NAMED_NOT = re.compile(rf"(?P<names>{_NAMES})\s+(?:\w+\s+)?{_NEVER}\w+")
_ASKS_WHICH = re.compile(
    r"^\W*(?:\w+\s+)?(?:(?:in|on|at|for|with|в|на|из|с|у|для|над)\s+)?(?:which|what|who|where|list|name|show|how many|"
    r"как(?:ие|их|им|ими|ой|ом|ая|ое)|где|кто|что|чего|кого|кому|сколько|перечисли\w*|назови\w*|покажи\w*|все|all)\b"
)
_NEGATION = re.compile(r"\b(?:did not|does not|do not|not|never|\w+n['’]t|не|нигде|никогда)\b")
_COMPARES = re.compile(
    r"\b(?:compar(?:e|ed|es|ing|ison)|versus|vs|difference|differences|differ|differs|сравн\w+|отличи\w+|отлича\w+|"
    rf"разниц\w+|различи\w+|различа\w+|(?<={_NAME} )против)\b"
)
_COMPARATIVE = re.compile(
    r"\b(?:better|worse|more|less|fewer|rather|than|older|newer|larger|bigger|smaller|faster|slower|cheaper|longer|shorter|"
    r"higher|lower|earlier|later|easier|лучше|хуже|больше|меньше|выше|ниже|чем|старше|раньше|позже|дольше|дешевле|дороже|"
    r"\w{3,}ее)\b"
)
_OR = re.compile(rf"{_NAME}\s+(?:or|или)\s+(?:\w+\s+)?{_NAME}")
_BETWEEN = re.compile(rf"\b(?:between|между)\s+(?:\w+\s+)?{_NAME}\s+(?:and|и)\s+(?:\w+\s+)?{_NAME}")
_AMID = re.compile(r"\b(?:between|между)\b")
_ALONE = re.compile(rf"(?:^|[,:—–-])\s*{_NAME}\s+(?:or|или)\s+{_NAME}\W*$")
_LISTS = re.compile(
    r"\b(?:list|all|every|each|все|всех|всеми|перечисли\w*|перечень|список|каки(?:е|х|ми)|назови(?:те)?|"
    r"(?:which|what) (?:are|were|(?:[\w-]+ ){0,2}?[\w-]+(?<!s)s\b(?<!\bis)(?<!\bdoes)(?<!\bwas)(?<!\bus)))\b"
)
# Right behind these stands what is asked for, or one word before it ("which internal projects").
_WHICH = re.compile(
    r"\b(?:which|what|all|every|each|как(?:ие|их|им|ими|ой|ая|ом)|все|всех|перечисли\w*|список|list)(?: (?:of )?the)? "
)
_WHERE_ALL = re.compile(r"\b(?:where are (?:all )?(?:the|our) |где (?:(?:находятся|расположены|все|наши) )+)")
_TOKEN = re.compile(rf"{_NAME}|[\w-]+|[^\w\s]")
_MOST_BEFORE = 2
# What else may be asked of a kind of thing: "why do projects fail?".
_OTHERWISE = frozenset("why when where how who почему зачем когда где куда откуда как кто кому кем чем что".split())
# Words of a question that say no more of what it asks for: to show it, and that it is there.
SHOWS = frozenset(
    stem(word)
    for word in "list show name give exist existing total altogether overall done made full complete everything "
    "покажи показать перечисли перечислить назови назвать дай выведи список перечень всего вообще существует имеется "
    "полный общий делал сделал сделаны выполнил велись были бывают".split()
)
# Both at once, or those of what was found before: "which of them also use Kafka?".
_BOTH = re.compile(
    r"\b(?:both|together with|at the same time|(?:which|how many|any|some|those) of (?:them|these|those)|"
    r"among (?:them|these|those)|одновременно|вместе с|сразу|из них|среди них|из этих|среди этих|из тех)\b"
    rf"|\bи\s+(?:\w+\s+)?{_NAME},?\s+и\s+(?:\w+\s+)?{_NAME}"
)
_JOINTS = re.compile(
    r"\s*[;?]\s+(?=\w)|\s*,?\s+(?:and also|as well as|along with|and then|plus|а также|и также|и еще|плюс|and|и)\s+"
    r"|,\s+"
)
_SEVERAL = re.compile(_NAMES.replace(")*", ")+"))
_ASKS = re.compile(
    r"\b(?:what|which|who|whom|whose|when|where|why|how|что|чего|чем|кто|кого|кому|кем|когда|где|куда|откуда|почему|зачем|"
    r"как|как(?:ой|ая|ое|ие|их|ую|им|ими|ом)|сколько|чей|чья|чье|чьи)\b"
)
_BLANK = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's form, its names taken for what they are.

    `about` are the names that it speaks of, in order, and `exclude` those that it leaves out; `without`: those that
    what it asks for is not to have to do with. `thing` is the word for what is asked for, if it says one ("projects"
    in "which projects used it?"), and `bare_thing` whether it says nothing else but a name; `both`: that has to do with
    all its names. `counts`, `compares` and `lists` are what its words say, which is one sign among several; `times`: it
    asks how often; `negates`: a word says that something is not, or is left out. `bare` is the question with its names
    masked by their kinds and without the words of its form, empty when it only compares; `parts` are its parts, if it
    is joined of several, each with the names it speaks of. `searches`: what to look for one after the other, where
    several things or things of several names are asked for. `brief`: `bare` without words that only ask.
    """

    question: str
    about: tuple[EntityMatch, ...]
    exclude: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    thing: str = ""
    bare_thing: bool = False
    both: bool = False
    counts: bool = False
    times: bool = False
    compares: bool = False
    lists: bool = False
    negates: bool = False
    period: Period | None = None
    bare: str = ""
    parts: tuple["Part", ...] = ()
    searches: tuple[str, ...] = ()
    brief: str = ""

    @property
    def texts(self) -> list[str]:
        """What is to be embedded: the whole, then each part, and what it asks for in brief, if that is said."""
        return [self.bare, *(part.text for part in self.parts), *filter(None, (self.brief,))]

    @property
    def shape(self) -> Shape:
        """The form of answer that the words alone speak of."""
        if self.compares:
            return Shape.COMPARE
        if self.counts:
            return Shape.COUNT
        return Shape.LIST if self.lists else Shape.PLAIN


@dataclass(frozen=True, slots=True)
class Part:
    """One of several things that a question asks for at once, masked, with the names in it, or those of the whole."""

    text: str
    about: tuple[EntityMatch, ...]


def read_question(question: str, matches: Sequence[EntityMatch], asked_at: datetime) -> Asked:
    """Return what the form of the question says, given the names in it and when it was asked."""
    matches = tuple(matches[:_MOST_NAMES])
    signed = _BLANK.sub(" ", normalise(_signed(question, matches))).strip()
    excepted = [found["names"] for pattern in (_EXCEPT, _ALL_BUT) for found in pattern.finditer(signed)]
    rest = _ALL_BUT.sub(_dropped, _EXCEPT.sub(" ", signed))
    if (found := _BUT_NOT.search(rest)) and _are_of(found["names"], _thing(rest, matches), matches):
        excepted.append(found["names"])
        rest = _BUT_NOT.sub(" ", rest)
    exclude = _ids("".join(excepted), matches)
    times = is_how_often(rest)
    thing = "" if times else _thing(rest, matches)
    without = _ids(_negated(rest, matches), matches) if thing or _ASKS_WHICH.match(rest) else ()
    about = tuple(match for match in matches if match.entity.id not in exclude)
    how_many = HOW_MANY.search(rest)
    counts = bool(how_many and not AMOUNT.match(rest, how_many.end()))
    each = sides_of(question)
    compares = bool(each) or _compares(rest, about)
    sides = compares and not _bare(_AMID.sub(" ", rest), matches, counts=counts, negated=bool(without), compares=True)
    bare = _bare(rest, matches, counts=counts, negated=bool(without), compares=compares)
    return Asked(
        question=question,
        about=about,
        exclude=exclude,
        without=without,
        thing=thing,
        bare_thing=bool(thing) and _says_only(thing, rest, about),
        both=bool(_BOTH.search(rest)),
        counts=counts,
        times=times,
        compares=compares,
        lists=bool(_LISTS.search(rest)),
        negates=bool(excepted or NEGATES.search(rest)),
        period=_period(_PRIVATE.sub("x", signed), asked_at),
        bare=bare,
        brief="" if compares or without else in_brief(bare, frozenset(match.entity.type for match in about)),
        parts=_parts(rest, about, matches),
        searches=each or (_searches(rest, about, matches) if not compares else _sides(about) if sides else ()),
    )


def _period(signed: str, asked_at: datetime) -> Period | None:
    """Return the days that the question speaks of; of one that leans on others those that were said last."""
    own, rest = parted(signed)
    return period_in(own, asked_at) or (_period(rest, asked_at) if rest else None)


def _signed(question: str, matches: Sequence[EntityMatch]) -> str:
    """Return the question with a sign for each name; signs that it holds already are none."""
    text = _PRIVATE.sub(" ", question)
    for number in range(len(matches) - 1, -1, -1):
        match = matches[number]
        text = f"{text[: match.start]}{chr(_FIRST_SIGN + number)}{text[match.end :]}"
    return text


def _ids(signs: str, matches: Sequence[EntityMatch]) -> tuple[str, ...]:
    """Return the entities whose signs stand in the text, each once."""
    found = [matches[ord(sign) - _FIRST_SIGN].entity.id for sign in _PRIVATE.findall(signs)]
    return tuple(dict.fromkeys(found))[:6]


def _are_of(signs: str, thing: str, matches: Sequence[EntityMatch]) -> bool:
    """Return whether the names are themselves of the kind that is asked for."""
    named = [matches[ord(sign) - _FIRST_SIGN].entity.type for sign in _PRIVATE.findall(signs)]
    return bool(thing) and all(is_kind(thing, kind) for kind in named)


def _dropped(found: re.Match[str]) -> str:
    return found.group()[: found.start("names") - found.start()]


def _negated(text: str, matches: Sequence[EntityMatch]) -> str:
    """Return the names of what something is not to have to do with.

    A person before "not" is who does not do it: what they say no to is asked for.
    """
    text = text[: found.start()] if (found := _CONDITION.search(text)) else text
    for pattern in (_WITHOUT, _NOT, _NAMED_NOT):
        names = "".join(found["names"] for found in pattern.finditer(text))
        signs = [sign for sign in _PRIVATE.findall(names) if pattern is not _NAMED_NOT or not _is_person(sign, matches)]
        if signs:
            return "".join(signs)
    return ""


def _is_person(sign: str, matches: Sequence[EntityMatch]) -> bool:
    return matches[ord(sign) - _FIRST_SIGN].entity.type == "person"


def denies(text: str, names: Registry, asked: frozenset[str]) -> bool:
    """Return whether a passage says one of the names not to be there, or no to all that is asked of it besides."""
    matches = resolve_entities(text, names, typos=False)[:_MOST_NAMES]
    signed = _BLANK.sub(" ", normalise(_signed(text, matches)))
    return bool(_negated(signed, matches)) or (_NEGATION.search(signed) is not None and asked <= frozenset(terms(text)))


def _thing(text: str, matches: Sequence[EntityMatch]) -> str:
    """Return the word for what is asked for: a kind of thing near the beginning, or what "which" stands before.

    A kind that only introduces a name ("the project Lotsman") is not asked for, nor a word behind a verb ("what is not
    covered").
    """
    which = HOW_MANY.search(text) or _WHICH.search(text) or _WHERE_ALL.match(text)
    tokens = _TOKEN.findall(text, which.end() if which else 0)
    said = [n for n, token in enumerate(tokens) if token not in STOP_WORDS][: 1 + _MOST_BEFORE]
    if not said or (not which and _OTHERWISE.intersection(tokens[: said[0]])):
        return ""
    for n in said:
        if not tokens[n][0].isalpha():
            break
        if kind := known_kind(tokens[n]):
            follows = _PRIVATE.match("".join(tokens[n + 1 : n + 2]))
            introduces = follows and matches[ord(follows[0]) - _FIRST_SIGN].entity.type == kind
            return "" if introduces else tokens[n]
    return tokens[0] if which and said[0] == 0 and tokens[0][0].isalpha() else ""


def thing_asked(question: str) -> str:
    """Return the word for what is asked for, whatever the names in the question stand for; empty where none says it."""
    return _thing(_BLANK.sub(" ", normalise(question)).strip(), ())


def _says_only(thing: str, text: str, about: Sequence[EntityMatch]) -> bool:
    """Return whether the text has no word with a topic but this one, and the kinds that introduce its names."""
    kinds = {one.entity.type for one in about}
    said = terms(_PRIVATE.sub(" ", _WHERE_ALL.sub(" ", HOW_MANY.sub(" ", text))))
    return all(term in SHOWS or term == stem(thing) or known_kind(term) in kinds for term in said)


def _compares(text: str, about: Sequence[EntityMatch]) -> bool:
    """Return whether two things are set beside each other: by a word for it, or by "or" between two of one kind."""
    if _COMPARES.search(text) or _BETWEEN.search(text):
        return True
    kinds = [match.entity.type for match in about]
    two = len({match.entity.id for match in about}) > 1 and len(set(kinds)) < len(kinds)
    if not two:
        return False
    return bool(
        _ALONE.search(text) or (_COMPARATIVE.search(text) and (_OR.search(text) or "than" in text or "чем" in text))
    )


def _bare(text: str, matches: Sequence[EntityMatch], *, counts: bool, negated: bool, compares: bool) -> str:
    """Return the question as if it asked plainly: "how many" reads "which", without "not" and "compare".

    Nothing is left of one that only sets two things beside each other.
    """
    if counts:
        text = HOW_MANY.sub(_which, text)
    if negated:
        text = _BLANK.sub(" ", _NEGATION.sub(" ", text))
    if compares:
        text = _BLANK.sub(" ", _COMPARATIVE.sub(" ", _COMPARES.sub(" ", text)))
        text = text if terms(_PRIVATE.sub(" ", text)) else ""
    return _masked(text, matches)


def _which(found: re.Match[str]) -> str:
    words = found.group()
    return "каких " if words.startswith("скольких") else "какие " if re.match("[а-я]", words) else "which "


def _masked(text: str, matches: Sequence[EntityMatch]) -> str:
    """Return the text with its kind for each name, once for names of a kind that stand side by side."""

    def kinds(found: re.Match[str]) -> str:
        return " ".join(
            dict.fromkeys(matches[ord(sign) - _FIRST_SIGN].entity.type for sign in _PRIVATE.findall(found[0]))
        )

    return re.sub(_NAMES, kinds, text).strip()


def _parts(text: str, about: Sequence[EntityMatch], matches: Sequence[EntityMatch]) -> tuple[Part, ...]:
    """Return the parts that each say something; names side by side are no parts, and one thing asked for has none."""
    pieces = _pieces(text)
    if not 1 < len(pieces) <= _MOST_PARTS:
        return ()
    parts = []
    for piece in pieces:
        own = tuple(matches[ord(sign) - _FIRST_SIGN] for sign in _PRIVATE.findall(piece))
        kind = "" if own or not about else about[0].entity.type
        parts.append(Part(f"{_masked(piece, matches)} {kind}".strip(), own or tuple(about)))
    return tuple(parts)


def _searches(text: str, about: Sequence[EntityMatch], matches: Sequence[EntityMatch]) -> tuple[str, ...]:
    """Return each thing that is asked for in words of its own, with its names or those of the whole, else each name."""
    pieces = _pieces(text)
    if 1 < len(pieces) <= _MOST_PARTS and all(map(_asks_something, pieces)):
        names = ", ".join(dict.fromkeys(match.entity.name for match in about))
        return tuple(
            _unsigned(one, matches) + ("" if _PRIVATE.search(one) or not names else f" ({names})") for one in pieces
        )
    found = next((one for one in _SEVERAL.finditer(text) if _are_alike(one[0], matches)), None)
    if found is None or _BOTH.search(text) or len(_PRIVATE.findall(text)) > len(_PRIVATE.findall(found[0])):
        return ()
    each = (text[: found.start()] + sign + text[found.end() :] for sign in dict.fromkeys(_PRIVATE.findall(found[0])))
    return tuple(_unsigned(one, matches) for one in each)[:_MOST_PARTS]


def _sides(about: Sequence[EntityMatch]) -> tuple[str, ...]:
    """Return each of several things by its name, where nothing is said of them but that they are compared."""
    names = tuple(dict.fromkeys(match.entity.name for match in about))[:_MOST_PARTS]
    return names if len(names) > 1 else ()


def _asks_something(piece: str) -> bool:
    return bool((_ASKS.search(piece) or _PRIVATE.search(piece)) and terms(_PRIVATE.sub(" ", piece)))


def _are_alike(signs: str, matches: Sequence[EntityMatch]) -> bool:
    named = [matches[ord(sign) - _FIRST_SIGN].entity for sign in _PRIVATE.findall(signs)]
    return len({one.type for one in named}) == 1 and len({one.id for one in named}) > 1


def _unsigned(text: str, matches: Sequence[EntityMatch]) -> str:
    """Return the text with the name for each sign."""
    return _PRIVATE.sub(lambda sign: matches[ord(sign[0]) - _FIRST_SIGN].entity.name, text).strip()


def _pieces(text: str) -> list[str]:
    """Return the text cut where two things are joined; a name joined to another stays with it, "tell me" is none."""
    pieces: list[str] = []
    end = 0
    for joint in (*_JOINTS.finditer(text), None):
        piece = text[end : joint.start() if joint else len(text)]
        if _says_something(piece):
            pieces.append(piece)
        elif pieces:
            pieces[-1] += text[end - 1 : joint.start() if joint else len(text)]
        end = joint.end() if joint else end
    return pieces


def _says_something(piece: str) -> bool:
    """Return whether it has a word of its own, or asks about a name: "what is X" does, "of X" and "tell me" do not."""
    words = _PRIVATE.sub(" ", piece)
    return bool(terms(words)) or (words != piece and len(words.split()) > 1)
