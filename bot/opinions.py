"""What people say of answers, by buttons and by emoji: stored once, answered with a word, and heard by the pins."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from bot.pinning import Pinning
from core.feedback import Deed, Reaction, Said, read_deed, reason_in_words, reasons
from core.phrases import phrase
from core.press import Press
from core.render import say
from core.reply import RenderedReply
from core.text import Language, language_of


class Feedback(Protocol):
    """Where judgements are kept."""

    async def judge(self, deed: Deed) -> Said | None:
        """Store what the deed makes of the person's judgement; None when the message shows no answer of ours."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A judgement that is stored: the word for the one who gave it, and the button that stands for it now.

    `asks`: the word asks why the answer did not help, of somebody who has only just said so.
    """

    reply: RenderedReply
    button: str
    asks: bool


class Opinions:
    """Takes judgements; what `admins` say is heard by `pinning`, too."""

    def __init__(
        self, feedback: Feedback, pinning: Pinning, admins: Collection[str], now: Callable[[], datetime]
    ) -> None:
        self._feedback = feedback
        self._pinning = pinning
        self._admins = frozenset(admins)
        self._now = now

    async def pressed(self, press: Press, kind: Literal["judge", "reason"], value: str) -> Taken | None:
        """Store what the press says; None for one that means nothing (any more). Raises StorageError."""
        read = read_deed(kind, value)
        if read is None or not press.by:
            return None
        verdict, reason, version = read
        way: Literal["press", "reason"] = "press" if kind == "judge" else "reason"
        deed = Deed(press.message, press.by, press.id, way, verdict, self._now(), reason, version)
        said = await self._feedback.judge(deed)
        return await self._heard(said, press.by, press.reads) if said else None

    async def reacted(self, reaction: Reaction) -> Taken | None:
        """Store what an emoji says; None when it does not stand on an answer of ours. Raises StorageError."""
        way: Literal["given", "taken"] = "given" if reaction.given else "taken"
        deed = Deed(reaction.message, reaction.by, reaction.id, way, reaction.verdict, self._now())
        said = await self._feedback.judge(deed)
        return await self._heard(said, reaction.by, reaction.reads) if said else None

    async def _heard(self, said: Said, by: str, reads: Language | None) -> Taken:
        """Return the word of thanks, once the pins know of it too: also when it is told of twice, after a crash."""
        language, now = reads or language_of(said.text), said.now
        noted = await self._noted(said, by) if by in self._admins else None
        if noted and not now.reason:
            words = phrase(noted, language)
        elif now.verdict == "down" and now.reason:
            words = phrase("thanks_reason", language, reason=reason_in_words(now.reason, language))
        else:
            words = phrase({"up": "thanks_up", "down": "thanks_down", None: "taken_back"}[now.verdict], language)
        reply = say(words, language)
        asks = now.verdict == "down" and not now.reason
        if asks:
            reply = RenderedReply(reply.nodes, (), language, reasons(said.version, language))
        return Taken(reply, f"judge:{'down' if asks else 'up'}.{said.version}", asks=asks and said.is_news)

    async def _noted(self, said: Said, by: str) -> Literal["pinned", "unpinned"] | None:
        """Return what an admin's judgement did to the checked answers."""
        match said.now.verdict:
            case "up":
                pin = await self._pinning.pin(said.question, said.version, said.tenant, by)
                return "pinned" if pin else None
            case "down":
                gone = await self._pinning.unpin(said.question, said.version, said.given_from)
                return "unpinned" if gone else None
            case None:
                gone = await self._pinning.unpin(said.question, said.version, by=by)
                return "unpinned" if gone else None
