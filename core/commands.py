"""What people may tell the bot to do in a chat: every command as data, who may give it, and how its words are read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from core.conversation import MODES, Mode, PlatformName
from core.errors import ConfigError
from core.people import Person, read_person

W = TypeVar("W")

Who = Literal["everybody", "admins"]
PinWish = Literal["on", "off"]
IndexWish = Literal["start", "status", "cancel"]


@dataclass(frozen=True, slots=True)
class Misread:
    """Words that a command does not understand."""


@dataclass(frozen=True, slots=True)
class Verb(Generic[W]):
    """One command. Its help is the sentence `command_` and the name, in every language.

    `read` makes of the words after it what it means, or `Misread`. `usage` shows these words in help; without it none
    may follow. `who` may give it, and `reserved` says of what was read that only an admin may. `alone`: what it shows
    is for whoever gave it, and nobody else. `also`: other names. `spoken`: what names it without a slash in a mention.
    `own`: it is a slash command of its own on Slack, besides being one of /footnote. `threaded`: it is about the thread
    in which it is said, where Slack takes no slash command, so that it is told in a mention. `common`: other bots know
    a command of this name, so that in a group it is heard only if it is meant for us. `on`: where it can do anything.
    `here`: how the words are said on one platform, where that is simpler than everywhere.
    """

    name: str
    read: Callable[[str], W | Misread]
    usage: str = ""
    who: Who = "everybody"
    reserved: Callable[[W], bool] = lambda _: False
    alone: bool = False
    also: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    own: bool = False
    common: bool = False
    threaded: bool = False
    on: tuple[PlatformName, ...] = ("slack", "telegram", "console")
    here: Mapping[PlatformName, str] = field(default_factory=dict, hash=False)

    @property
    def sentence(self) -> str:
        """The name of the sentence that says what it does."""
        return f"command_{self.name}"

    def usage_on(self, platform: PlatformName) -> str:
        """Return the words that may follow it there."""
        return self.here.get(platform, self.usage)

    def is_for(self, *, admin: bool) -> bool:
        """Return whether such a person may give it."""
        return admin or self.who == "everybody"


def _nothing(words: str) -> Misread | None:
    return Misread() if words.strip() else None


def _anything(words: str) -> str:
    return words.strip()


@dataclass(frozen=True, slots=True)
class LogWish:
    """Which entries of the log are to be shown: so many of the latest, or those that hold the words."""

    words: str = ""
    most: int = 10


# So many entries fit into two messages; a greater number, a year say, is looked for like a word.
MOST_LOGGED = 30
_QUOTES = "\"'“”„«»"


def _log_wish(words: str) -> LogWish:
    """Return what is meant: a small number alone is how many, and in quotes a word like any other."""
    said = words.strip()
    if said.isdecimal() and 1 <= int(said) <= MOST_LOGGED:
        return LogWish(most=int(said))
    return LogWish(said.strip(_QUOTES).strip() if said[:1] in _QUOTES and said[-1:] in _QUOTES else said)


def _mode(words: str) -> Mode | Misread | None:
    wanted = words.strip().lower()
    return next((mode for mode in MODES if mode == wanted), Misread()) if wanted else None


def _index_wish(words: str) -> IndexWish | Misread:
    return _INDEX_WISHES.get(words.strip().lower(), Misread())


_INDEX_WISHES: dict[str, IndexWish] = {
    "": "start", "status": "status", "статус": "status", "cancel": "cancel", "stop": "cancel", "стоп": "cancel",
    "отмена": "cancel",
}  # fmt: skip


def _pin_wish(words: str) -> PinWish | Misread:
    return _PIN_WISHES.get(words.strip().lower(), Misread())


_PIN_WISHES: dict[str, PinWish] = {"": "on", "off": "off", "открепить": "off"}


def _person(words: str) -> Person | Misread | None:
    """Return the person that is named; a bare number is one of Telegram, as no other platform has such."""
    said = words.strip()
    try:
        return read_person(f"telegram:{said}" if said.isdecimal() else said) if said else None
    except ConfigError:
        return Misread()


# In the order of the menus.
WHY: Verb[None] = Verb("why", _nothing, alone=True, also=("почему",))
STOP: Verb[None] = Verb("stop", _nothing, also=("стоп", "остановить"), common=True, on=("telegram",))
MODE: Verb[Mode | None] = Verb(
    "mode",
    _mode,
    usage=" | ".join(MODES),
    reserved=lambda mode: mode is not None,
    also=("channel mode", "channel", "режим"),
    spoken=("channel mode",),
)
REINDEX: Verb[IndexWish] = Verb(
    "reindex", _index_wish, usage="status | cancel", who="admins", alone=True, own=True, also=("переиндексировать",)
)
PIN: Verb[PinWish] = Verb("pin", _pin_wish, usage="off", who="admins", also=("закрепить",), common=True, threaded=True)
FORGET: Verb[Person | None] = Verb(
    "forget",
    _person,
    usage="slack:T0TEAM:U0PERSON | telegram:123456",
    here={"slack": "@name", "telegram": "123456"},
    reserved=lambda person: person is not None,
    alone=True,
    also=("забыть", "забудь"),
    common=True,
)
STATUS: Verb[None] = Verb("status", _nothing, who="admins", alone=True, also=("статус",), common=True)
SOURCES: Verb[None] = Verb("sources", _nothing, also=("источники",), common=True)
PERMISSIONS: Verb[None] = Verb("permissions", _nothing, who="admins", alone=True, also=("права", "доступ"), common=True)
LOG: Verb[LogWish] = Verb("log", _log_wish, usage="5 | …", who="admins", alone=True, also=("журнал",), common=True)
PERSON: Verb[None] = Verb("person", _nothing, alone=True, also=("handoff", "человек"), on=("slack",))
HELP: Verb[str] = Verb("help", _anything, also=("помощь", "справка"), common=True)

VERBS: tuple[Verb[Any], ...] = (WHY, STOP, PERSON, MODE, SOURCES, FORGET, REINDEX, STATUS, PERMISSIONS, LOG, PIN, HELP)


def is_alone(name: str) -> bool:
    """Return whether what the command of this name shows is for whoever gave it, and nobody else."""
    return any(verb.alone for verb in VERBS if verb.name == name)


def verb_in(words: str) -> tuple[Verb[Any], str] | None:
    """Return the command that the words begin with, by any of its names, and the words after it; no slash is needed."""
    said = " ".join(words.split())
    folded = said.removeprefix("/").casefold()
    names = [(name, verb) for verb in VERBS for name in (verb.name, *verb.also)]
    for name, verb in sorted(names, key=lambda named: -len(named[0])):
        if folded == name or folded.startswith(f"{name} "):
            return verb, said.removeprefix("/")[len(name) :].strip()
    return None


def spoken_in(words: str) -> tuple[Verb[Any], str] | None:
    """Return the command that a whole message to the bot is, and the words after it; None for a question.

    A slash before its name makes it one, or a phrase of its own with at most one word after it; and where nothing may
    follow, nothing does.
    """
    found = verb_in(words)
    if found is None:
        return None
    verb, rest = found
    bare = any(words.casefold().startswith(phrase) for phrase in verb.spoken) and len(rest.split()) <= 1
    return found if (words.startswith("/") or bare) and (verb.usage or not rest) else None


# What may be told in the place of a private question, which stands in no thread: "/ask help".
_ASKABLE = (HELP, STATUS, WHY, FORGET)
_ENDS = "?!.…"


def asked_in(words: str) -> tuple[Verb[Any], str] | None:
    """Return the command that a private question is in full, and the words after it; None for a question.

    "/ask why" asks for no document, "/ask why is the garage closed" does. Of these commands only one that removes data
    is followed by words, by a person: one word that names somebody.
    """
    found = verb_in(words.strip().rstrip(_ENDS))
    if found is None:
        return None
    verb, rest = found
    is_whole = not rest or (verb is FORGET and len(rest.split()) == 1 and ("@" in rest or ":" in rest))
    return found if verb in _ASKABLE and is_whole else spoken_in(words.strip())


def menu(platform: PlatformName, *, admin: bool) -> tuple[Verb[Any], ...]:
    """Return the commands that such a person may give there, in order."""
    return tuple(verb for verb in VERBS if verb.is_for(admin=admin) and platform in verb.on)
