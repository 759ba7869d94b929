"""Asked where the bot is not, in inline mode and as a guest, it answers from what everybody may read."""

import asyncio
import logging
from collections.abc import Sequence
from functools import partial

from telegram import (
    Bot,
    InlineQueryResultArticle,
    InlineQueryResultsButton,
    InputTextMessageContent,
    LinkPreviewOptions,
)
from telegram.error import TelegramError

from adapters.telegram.errands import Errands
from adapters.telegram.events import Guest, Inline
from adapters.telegram.failures import in_words
from adapters.telegram.format import entry_part, in_one
from adapters.telegram.richtext import Part
from core.access import Visitor
from core.errors import PortError
from core.phrases import phrase
from core.render import say
from core.reply import RenderedReply
from core.running import Intake

log = logging.getLogger(__name__)

# What is typed so far is often no question yet.
SHORTEST = 3
# Telegram waits for half a minute (telegram-bot-api, Client.cpp), a person who types hardly for this long.
PATIENCE = 5.0
# Answers that are looked for side by side; what else is typed meanwhile gets none.
MOST_AT_ONCE = 2
CACHED_SECONDS, FAILED_SECONDS = 60, 1
MOST_SOURCES = 5
LONGEST_LINE = 120
# Shows who comes from here; Telegram passes it to /start.
START = "inline"

_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)


class InlineAnswers:
    """Answers what people type after our name, the latest of each person, and where they mention us as a guest."""

    def __init__(self, bot: Bot, intake: Intake, errands: Errands) -> None:
        self._bot = bot
        self._intake = intake
        self._errands = errands
        self._latest: dict[str, str] = {}
        self._busy = 0

    def ask(self, asked: Inline) -> None:
        """Answer in the background: nobody else waits for it."""
        # Only a query that is served is forgotten again.
        if self._errands.start(partial(self._serve, asked), asked.person):
            self._latest[asked.person] = asked.query

    def visit(self, asked: Guest) -> None:
        """Answer a mention where we are a guest, in the background; nobody hears of it where nothing is found."""
        self._errands.start(partial(self._as_guest, asked), asked.person)

    async def _as_guest(self, asked: Guest) -> None:
        reply, is_sure = await self._found(asked)
        if reply is None and not is_sure:
            return
        nothing = "empty" if len(asked.text) < SHORTEST else "guest_nothing"
        part = in_one(reply or say(phrase(nothing, asked.language), asked.language))
        try:
            await self._bot.answer_guest_query(asked.query, _article("answer", "Footnote", part.text, part))
        except TelegramError as error:
            log.info("Telegram: a guest's answer was not taken: %s", in_words(error, self._bot))

    async def _serve(self, asked: Inline) -> None:
        try:
            await asyncio.sleep(0)
            is_latest = self._latest.get(asked.person) == asked.query
            reply, is_sure = await self._found(asked) if is_latest else (None, False)
            await self._answer(asked, reply, CACHED_SECONDS if is_sure else FAILED_SECONDS)
        finally:
            if self._latest.get(asked.person) == asked.query:
                del self._latest[asked.person]

    async def _found(self, asked: Inline | Guest) -> tuple[RenderedReply | None, bool]:
        """Return the answer, and whether it would be the same again."""
        if len(asked.text) < SHORTEST:
            return None, True
        if self._busy >= MOST_AT_ONCE:
            return None, False
        self._busy += 1
        try:
            async with asyncio.timeout(PATIENCE):
                visitor = Visitor("telegram", asked.person, asked.person, True, asked.language, aloud=False)
                admission = await self._intake.admit(visitor)
                return (await self._intake.glance(asked.text), True) if admission.is_let_in else (None, False)
        except (PortError, TimeoutError) as error:
            log.info("Telegram: nothing was found inline: %s", error or "it took too long")
            return None, False
        finally:
            self._busy -= 1

    async def _answer(self, asked: Inline, reply: RenderedReply | None, seconds: int) -> None:
        """Show what was found; what one person is shown is theirs alone, as not everybody may be let in."""
        button = InlineQueryResultsButton(phrase("inline_ask", asked.language), start_parameter=START)
        try:
            await self._bot.answer_inline_query(
                asked.query, results_of(reply) if reply else [], cache_time=seconds, is_personal=True, button=button
            )
        except TelegramError as error:
            log.info("Telegram: an inline answer was not taken: %s", in_words(error, self._bot))


def results_of(reply: RenderedReply) -> Sequence[InlineQueryResultArticle]:
    """Return what can be shared: the answer with its proof, and each source by itself."""
    whole = in_one(reply)
    first = next((line for line in whole.text.splitlines() if line.strip()), whole.text)
    answer = _article("answer", phrase("share_answer", reply.language), first, whole)
    sources = (
        _article(f"source-{entry.number}", entry.title or str(entry.number), entry.quote, entry_part(entry))
        for entry in reply.evidence[:MOST_SOURCES]
    )
    return [answer, *sources]


def _article(name: str, title: str, line: str, part: Part) -> InlineQueryResultArticle:
    content = InputTextMessageContent(part.text, entities=part.entities or None, link_preview_options=_NO_PREVIEW)
    short = " ".join(line.split())[:LONGEST_LINE]
    return InlineQueryResultArticle(name, title[:LONGEST_LINE], content, description=short)
