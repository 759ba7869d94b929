"""`/log`: the latest questions of an admin's own workspace with what came of them, for the admin alone."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.admin.status import tenant_of
from bot.admin.words import bullets, cut
from bot.commanding import Duty, duty
from core.audited import AuditEntry, Wanted
from core.commands import LOG, LogWish
from core.conversation import Command
from core.feedback import SIGNS, reason_in_words
from core.phrases import phrase
from core.render import say
from core.reply import Line, RenderedReply, Text
from core.text import Language

_QUESTION, _SAID_BACK = 160, 60


@dataclass(frozen=True, slots=True)
class LogDuty:
    """Looks into the log. `search` gives so many of the latest entries that are wanted."""

    search: Callable[[Wanted, int], Awaitable[Sequence[AuditEntry]]]

    def duty(self) -> Duty:
        """Return the command with what is done for it."""
        return duty(LOG, self._done)

    async def _done(self, command: Command, wish: LogWish) -> RenderedReply:
        language, words = command.language, wish.words
        found = await self.search(Wanted(asked=words or None, tenant=tenant_of(command)), wish.most)
        said = cut(words, _SAID_BACK)
        if not found:
            return say(phrase("log_not_found" if words else "log_none", language, words=said), language)
        heading = phrase("log_found" if words else "log_title", language, words=said)
        within = f"slack:{tenant_of(command)}" if command.platform == "slack" else command.platform
        return RenderedReply((bullets([_line(one, within, language) for one in found], heading),), (), language)


def _line(entry: AuditEntry, within: str, language: Language) -> Line:
    """Return what a line says of an entry; `within` is where who asked has a number, as it stands before that."""
    question = cut(str(entry.record.get("question", "")), _QUESTION)
    quoted = phrase("why_quoted", language, word=question) + " · " if question else ""
    asker, verdict = entry.asker, _verdict(entry.record, language)
    person = asker if ":" in asker else f"{within}:{asker}"
    who = Text(asker.rpartition(":")[2], about=person)
    return Text(f"{entry.at:%Y-%m-%d %H:%M} · "), who, Text(f" · {cut(quoted + verdict)}")


def _verdict(record: Mapping[str, Any], language: Language) -> str:
    if because := record.get("passed_over"):
        return phrase("log_passed", language, because=because)
    if said := record.get("feedback"):
        return _opinion(said, language)
    if record.get("is_refusal"):
        return phrase("log_refused", language)
    level = phrase(f"level_{record.get('confidence_level', 'low')}", language)
    return phrase("log_answered", language, level=level)


def _opinion(said: Mapping[str, Any], language: Language) -> str:
    """Return what somebody said of an answer, and why; it is an entry of the log like any other."""
    if said.get("verdict") not in SIGNS:
        return phrase("log_taken_back", language)
    reason = reason_in_words(said["reason"], language) if said.get("reason") else ""
    return phrase("log_opinion", language, said=f"{SIGNS[said['verdict']]} {reason}".strip())
