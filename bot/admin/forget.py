"""`/forget`: what is stored of a person goes on their own word, or an administrator's, once a press confirms it."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field, replace

from bot.admin.status import tenant_of
from bot.admin.words import naming
from bot.commanding import Duty, duty, refusal
from core.audited import Forgotten
from core.commands import FORGET as VERB
from core.conversation import Command
from core.people import Person
from core.phrases import TONGUES, phrase
from core.press import Heard, OutOfDate, Press, PressOutcome
from core.reply import MAX_VALUE_BYTES, Action, Line, Paragraph, RenderedReply, Text
from core.text import Language

# What the button brings that confirms it, before the person.
FORGET = "forget"


@dataclass(frozen=True, slots=True)
class ForgetDuty:
    """Asks whether it is meant, and does it on a press; `forget` removes what is stored of a person.

    Everybody may have their own data removed, `admins` also others' of their workspace: who it is, is asked at the
    press as well.
    """

    forget: Callable[[str], Awaitable[Forgotten]]
    admins: Collection[str] = field(default_factory=frozenset)

    def duty(self) -> Duty:
        """Return the command with what is done for it."""
        return duty(VERB, self._done)

    async def _done(self, command: Command, other: Person | None) -> RenderedReply:
        language, person = command.language, str(other) if other else command.person
        if not person:
            return refusal(person, language)
        value = f"{language}.{person}"
        if (other and not _is_of(other, command)) or len(value.encode()) > MAX_VALUE_BYTES:
            return _said(naming("forget_elsewhere", language, "person", person), language)
        is_own = person == command.person
        you: Line = (Text(phrase("forget_sure_you", language)),)
        asked = you if is_own else naming("forget_sure", language, "person", person)
        if command.platform == "telegram":
            asked += (Text(" " + phrase("forget_lets_out", language)),)
        action = Action("forget", phrase("forget_button", language), value)
        return replace(_said(asked, language), actions=(action,))

    async def pressed(self, press: Press) -> PressOutcome:
        """Remove what is stored of the person whom the button names, if it is theirs or an administrator pressed it."""
        said, _, person = press.button.removeprefix(f"{FORGET}:").partition(".")
        if said not in TONGUES or not person:
            return OutOfDate()
        language = said
        if not press.by or not (press.by == person or (press.by in self.admins and _same_place(press.by, person))):
            return Heard(refusal(press.by, language))
        gone = await self.forget(person)
        values = {"questions": gone.questions, "opinions": gone.opinions, "entries": gone.entries}
        name = "forget_done" if gone.anything else "forget_nothing"
        told = naming(name, language, "person", person, **values)
        if gone.let_in:
            told += (Text(f" {phrase('forget_let_out', language)}"),)
        return Heard(_said(told, language))


def _said(line: Line, language: Language) -> RenderedReply:
    return RenderedReply((Paragraph(line),), (), language)


def _is_of(person: Person, command: Command) -> bool:
    """Return whether the person is where the command was given: in that workspace, or on that platform."""
    return (person.workspace or person.platform) == tenant_of(command) and person.platform == command.platform


def _same_place(one: str, other: str) -> bool:
    return one.rpartition(":")[0] == other.rpartition(":")[0]
