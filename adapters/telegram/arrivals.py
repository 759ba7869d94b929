"""One update after another, brought to the intake before Telegram may forget it."""

import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from telegram import Bot, Update
from telegram.error import TelegramError

from adapters.telegram.errands import Errands
from adapters.telegram.events import Asked, Commanded, Edited, Event, Hinted, Me, Overheard, Pressed, event_of
from adapters.telegram.failures import in_words
from adapters.telegram.notices import Notice
from adapters.telegram.words import hint
from core.conversation import Aside, Audience, Question
from core.errors import PortError, whereabouts
from core.phrases import phrase
from core.ports import Intake
from core.press import Heard, Press
from core.render import say, text_of
from core.reply import RenderedReply
from core.text import language_of

log = logging.getLogger(__name__)

AUDIENCE = Audience(tenant="telegram")
# Telegram repeats an update for a day at most; in a day few bots give more hints than this.
REMEMBERED = 10_000
MAX_ANSWER = 200  # core.telegram.org/bots/api#answercallbackquery: characters

Notify = Callable[[Notice], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Takes updates in; `notify` gives somebody a sentence that is not an answer."""

    bot: Bot
    me: Me
    intake: Intake
    errands: Errands
    notify: Notify
    _hinted: dict[str, None] = field(default_factory=dict)

    async def take(self, raw: object) -> None:
        """Return once Telegram may forget the update. Raises PortError when what it says could not be stored."""
        event = self._event(raw)
        try:
            await self._bring(event)
        except PortError:
            raise
        except Exception as error:  # noqa: BLE001 - a mistake of ours: it would come again for ever
            self._failed(event, error)

    def _event(self, raw: object) -> Event | None:
        """Return what the update says: one that cannot be read must not hold up the others."""
        number = raw.get("update_id") if isinstance(raw, dict) else None
        try:
            update = Update.de_json(_object(raw), self.bot)
            if not (update.callback_query or update.edited_message or update.message):
                log.warning("Telegram: update %r is of a kind that was not asked for", number)
            return event_of(update, self.me)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is passed over
            log.warning("Telegram: update %r cannot be read: %s", number, whereabouts(error))
            return None

    async def _bring(self, event: Event | None) -> None:
        match event:
            case Asked():
                await self.intake.asked(await self._question(event))
            case Overheard():
                await self._overheard(event)
            case Commanded(ref, root, command):
                reply = await self.intake.commanded(command)
                self.errands.start(partial(self.notify, Notice(ref, root, reply)))
            case Edited():
                await self._edited(event)
            case Pressed():
                await self._pressed(event)
            case Hinted() if self._is_new(event.key):
                words = hint(event.kind, event.language, self.me.username)
                self.errands.start(partial(self.notify, Notice(event.ref, event.root, say(words, event.language))))

    async def _overheard(self, event: Overheard) -> None:
        question = replace(await self._question(event.asked), overheard=True)
        aside = Aside(question, calls_others=event.to_others, in_thread=event.asked.answers is not None)
        if asked := await self.intake.heard(aside):
            await self.intake.asked(asked)

    async def _edited(self, event: Edited) -> None:
        question = replace(await self._question(event.asked), overheard=not event.addressed)
        if not await self.intake.edited(question) and event.addressed:
            await self.intake.asked(question)

    async def _pressed(self, event: Pressed) -> None:
        outcome = await self.intake.pressed(Press(event.button, event.message, event.person, AUDIENCE))
        gone = say(phrase("out_of_date", event.language), event.language)
        self.errands.start(partial(self._answer_press, event, outcome.reply if isinstance(outcome, Heard) else gone))

    async def _question(self, asked: Asked) -> Question:
        return Question(
            id=str(asked.ref),
            platform="telegram",
            thread=await self._thread(asked),
            text=asked.text,
            asker=asked.asker,
            audience=AUDIENCE,
            asked_at=asked.asked_at,
            place=asked.ref.place,
            message=asked.ref.message,
            root=asked.root,
            version=asked.version,
        )

    async def _thread(self, asked: Asked) -> str:
        """Return the conversation: a private chat is one, in a group each question and what replies to it is."""
        if asked.private:
            return f"telegram:{asked.ref.place}"
        known = await self.intake.thread_of(asked.answers) if asked.answers else None
        return known or str(asked.ref)

    async def _answer_press(self, event: Pressed, reply: RenderedReply | None) -> None:
        """Let the button stop turning, with words that the person alone sees; longer ones go under the message.

        After a while Telegram takes no answer any more, and nothing is lost.
        """
        words = text_of(reply) if reply else ""
        fits = len(words) <= MAX_ANSWER
        try:
            await self.bot.answer_callback_query(
                event.query, words if words and fits else None, show_alert=bool(words) and fits
            )
        except TelegramError as error:
            log.info("Telegram: a press was not answered: %s", in_words(error, self.bot))
        if reply and not fits:
            await self.notify(Notice(event.message, event.root, reply))

    def _is_new(self, key: str) -> bool:
        """Return whether this is the first time the process meets the key."""
        if key in self._hinted:
            return False
        self._hinted[key] = None
        if len(self._hinted) > REMEMBERED:
            del self._hinted[next(iter(self._hinted))]
        return True

    def _failed(self, event: Event | None, error: Exception) -> None:
        """Log what happened, and tell the asker under the same reference."""
        reference = secrets.token_hex(4)
        log.error("Telegram: an update was lost, reference %s: %s", reference, whereabouts(error))
        if isinstance(event, Asked):
            language = language_of(event.text)
            words = phrase("failed", language, reference=reference)
            self.errands.start(partial(self.notify, Notice(event.ref, event.root, say(words, language))))


def _object(raw: object) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise TypeError("an update is an object")
    return raw
