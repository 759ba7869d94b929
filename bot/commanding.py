"""What people tell the bot to do in a chat: who may, what runs it, and what is said when it cannot be done."""

from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeVar

from bot.audiences import Where
from bot.explain import Explainer
from core.commands import HELP, MODE, WHY, Misread, Verb, menu
from core.conversation import Command, Mode, PlatformName
from core.phrases import phrase
from core.render import say
from core.reply import Bullets, Line, Paragraph, RenderedReply, Text
from core.text import Language
from core.work import Place

W = TypeVar("W")
Done = Callable[[Command], Awaitable[RenderedReply]]

# Seconds after which no platform tells of a command any more: Slack repeats what it believes was lost for minutes.
_TOLD_WITHIN = 3600.0

# Longer words that nobody understands are not said back in full.
_SAID_BACK = 60


class Claims(Protocol):
    """What is done once, whichever copies of the bot are told of it; everything raises StorageError."""

    async def claim(self, name: str, seconds: float) -> bool:
        """Return whether it is the caller's to do, and nobody else's for so many seconds."""

    async def release(self, name: str) -> None:
        """Let somebody else claim it: it was not done."""


class ChannelModes(Protocol):
    """Who is heard in each channel and chat, as somebody has set it."""

    async def mode(self, platform: str, place: str) -> Mode:
        """Return who is heard there."""

    async def set_mode(self, place: Place, mode: Mode, *, changed_by: str, at: datetime) -> None:
        """Let from now on be heard there whom the mode says."""


@dataclass(frozen=True, slots=True)
class Duty:
    """A command with what does it, once it is known whether an admin gives it; `offered`: help tells of it."""

    verb: Verb[Any]
    done: Callable[[Command, bool], Awaitable[RenderedReply]]
    offered: bool = True


def duty(verb: Verb[W], run: Callable[[Command, W], Awaitable[RenderedReply]]) -> Duty:
    """Return the command with what is run for it: only for who may give it, and only with words that it understands."""

    async def done(command: Command, is_admin: bool) -> RenderedReply:  # noqa: FBT001 - one of two, and never by name
        refused = refusal(command.person, command.language)
        if not verb.is_for(admin=is_admin):
            return refused
        words = verb.read(command.words)
        if isinstance(words, Misread):
            language, usage = command.language, verb.usage_on(command.platform) or "–"
            known = phrase("commands_words", language, command=form_of(verb, command.platform), usage=usage)
            return say(known, language)
        return await run(command, words) if is_admin or not verb.reserved(words) else refused

    return Duty(verb, done)


@dataclass(frozen=True, slots=True)
class Beside:
    """What only admins may tell us, and only on one platform, which is read there: how it is typed, and its help."""

    platform: PlatformName
    typed: str
    sentence: str


# Heard before anybody is let in (adapters/telegram/events.py).
PAIR = Beside("telegram", "/pair CODE", "command_pair")


class Commanding:
    """Does what a command says; `admins` are the persons who may give those that are not for everybody.

    `beside` stand in the help of those who may give them.
    """

    def __init__(self, duties: Iterable[Duty], admins: Collection[str], beside: Collection[Beside] = ()) -> None:
        self._admins = frozenset(admins)
        self._beside = tuple(beside)
        self._duties = {one.verb.name: one for one in (*duties, duty(HELP, self._help))}

    async def done(self, command: Command) -> RenderedReply:
        """Return what is said to the person alone, once it is done. Raises StorageError."""
        return await self._duties[command.verb].done(command, self.is_admin(command.person))

    def is_admin(self, person: str) -> bool:
        """Return whether the person is named among the admins; nobody in particular never is."""
        return bool(person) and person in self._admins

    def _is_offered(self, verb: Verb[Any]) -> bool:
        return verb.name in self._duties and self._duties[verb.name].offered

    async def _help(self, command: Command, words: str) -> RenderedReply:
        """Return what this person can tell us to do; `words`: what they said that is no command of ours."""
        language = command.language
        admin = self.is_admin(command.person)
        verbs = [one for one in menu(command.platform, admin=admin) if self._is_offered(one)]
        beside = [one for one in self._beside if admin and one.platform == command.platform]
        lines = tuple(_line(one, command, admin=admin) for one in verbs)
        lines += tuple(_beside(one, language) for one in beside)
        first = phrase("commands_unknown" if words else "commands", language, words=words[:_SAID_BACK])
        asking = ("commands_ask", "home_ask") if command.platform == "slack" else ("commands_ask",)
        last = " ".join(phrase(name, language) for name in asking)
        return RenderedReply((_paragraph(first), Bullets(lines), _paragraph(last)), (), language)


def once_each(done: Done, claims: Claims) -> Done:
    """Return what does each command once, whichever copies of the bot are told of it, and says nothing the other times.

    A command that failed may be told of again. Raises StorageError.
    """

    async def once(command: Command) -> RenderedReply:
        if not command.id:
            return await done(command)
        name = f"command:{command.id}"
        if not await claims.claim(name, _TOLD_WITHIN):
            return RenderedReply((), (), command.language)
        try:
            return await done(command)
        except BaseException:
            await claims.release(name)
            raise

    return once


def form_of(verb: Verb[Any], platform: PlatformName) -> str:
    """Return how the command is typed on a platform; Slack hears no slash command in a thread."""
    if platform == "slack" and verb.threaded:
        return f"@footnote /{verb.name}"
    named = verb.spoken[0] if verb.spoken else verb.name
    return f"/{verb.name}" if verb.own or platform != "slack" else f"/footnote {named}"


def refusal(person: str, language: Language) -> RenderedReply:
    """Return that only admins may do this, and how the person becomes one; "" is nobody in particular."""
    return say(phrase("admins_only" if person else "admins_nobody", language, person=person), language)


def ordinary_duties(explainer: Explainer, modes: ChannelModes, now: Callable[[], datetime]) -> tuple[Duty, ...]:
    """Return what everybody may tell the bot to do about an answer, and about a channel."""

    async def why(command: Command, _: None) -> RenderedReply:
        if command.about:
            return await explainer.why(command.about, command.asker)
        if command.thread:
            viewer = Where(command.platform, command.place, command.asker)
            return await explainer.why_last(command.thread, command.language, viewer)
        return await explainer.why_latest((command.platform, command.place), command.asker, command.language)

    async def mode(command: Command, wanted: Mode | None) -> RenderedReply:
        language, place = command.language, (command.platform, command.place)
        if command.is_direct:
            return say(phrase("mode_direct", language), language)
        if wanted:
            await modes.set_mode(place, wanted, changed_by=command.person, at=now())
        who = phrase(f"mode_{wanted or await modes.mode(*place)}", language)
        return say(phrase("mode_set" if wanted else "mode_is", language, who=who), language)

    return duty(WHY, why), duty(MODE, mode)


def _may_add_words(verb: Verb[Any], *, admin: bool) -> bool:
    """Return whether this person may write words after it: what only admins may say is not shown to others."""
    return bool(verb.usage) and (admin or not verb.reserved(verb.read(verb.usage.partition(" | ")[0])))


def _line(verb: Verb[Any], command: Command, *, admin: bool) -> Line:
    words = f" [{verb.usage_on(command.platform)}]" if _may_add_words(verb, admin=admin) else ""
    typed = form_of(verb, command.platform) + words
    return Text(typed, "code"), Text(f": {phrase(verb.sentence, command.language)}")


def _beside(one: Beside, language: Language) -> Line:
    return Text(one.typed, "code"), Text(f": {phrase(one.sentence, language)}")


def _paragraph(text: str) -> Paragraph:
    return Paragraph((Text(text),))
