"""One update after another, brought to the intake before Telegram may forget it."""

import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from telegram import Bot, Update
from telegram.error import TelegramError

from adapters.telegram.drafts import HALTED, halted_by
from adapters.telegram.errands import Errands
from adapters.telegram.events import (
    Asked,
    Commanded,
    Edited,
    Event,
    Forwarded,
    Guest,
    Hinted,
    Inline,
    Me,
    Moved,
    Opened,
    Overheard,
    Pairing,
    Pressed,
    conversation,
    event_of,
)
from adapters.telegram.failures import in_words
from adapters.telegram.forwards import Forwards, may_belong_to
from adapters.telegram.happenings import Halted
from adapters.telegram.held import without_the_rest
from adapters.telegram.inline import InlineAnswers
from adapters.telegram.links import OPEN, Links
from adapters.telegram.names import with_names
from adapters.telegram.notices import Notice, in_private
from adapters.telegram.tongues import spoken
from adapters.telegram.visitors import ByAPerson, said_in, visitor_of
from adapters.telegram.words import hint
from core.access import Visitor
from core.around import in_its_thread
from core.commands import is_alone
from core.conversation import Aside, Audience, MessageRef, Question, Target
from core.errors import PortError, whereabouts
from core.feedback import Reaction
from core.phrases import phrase
from core.press import HALT, Heard, Press
from core.remarks import Around
from core.render import say, text_of
from core.reply import RenderedReply
from core.running import Intake
from core.summons import has_a_question
from core.text import Language, Untrusted, language_of

log = logging.getLogger(__name__)

AUDIENCE = Audience(tenant="telegram")
# Telegram repeats an update for a day at most; in a day few bots give more hints than this.
REMEMBERED = 10_000
LONGEST_KIND = 40
KINDS = ("message", "edited_message", "callback_query", "inline_query", "guest_message", "message_reaction")
# A button that is pressed once: what it did stands in place of the message that asked.
ONCE = "forget:"
MAX_ANSWER = 200  # core.telegram.org/bots/api#answercallbackquery: characters

# Whether all of it is seen.
Notify = Callable[[Notice], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Takes updates in; `notify` gives somebody a sentence that is not an answer."""

    bot: Bot
    me: Me
    intake: Intake
    errands: Errands
    notify: Notify
    inline: InlineAnswers
    links: Links
    forwards: Forwards = field(default_factory=Forwards)
    _hinted: dict[str, None] = field(default_factory=dict)

    async def take(self, raw: object) -> None:
        """Return once Telegram may forget the update. Raises PortError when it could not be stored, and may be later.

        One that never can be would come again for ever, and nothing after it: its asker is told, and it is passed over.
        """
        event = self._event(raw)
        try:
            await self._bring(event)
        except PortError as error:
            if error.retry:
                raise
            self._failed(event, error)
        except Exception as error:  # noqa: BLE001 - a mistake of ours: it would come again for ever
            self._failed(event, error)

    def _event(self, raw: object) -> Event | None:
        """Return what the update says: one that cannot be read must not hold up the others."""
        said = raw.get("update_id") if isinstance(raw, dict) else None
        # Nobody's words get into the log, should they stand there.
        number = said if isinstance(said, int) else None
        try:
            update = Update.de_json(_object(raw), self.bot)
            if all(getattr(update, kind) is None for kind in KINDS) and HALTED not in update.api_kwargs:
                log.warning("Telegram: update %r is of a kind that was not asked for: %s", number, _kind(raw))
            return halted_by(update) or event_of(update, self.me)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is passed over
            log.warning("Telegram: update %r cannot be read: %s", number, whereabouts(error))
            bare = without_the_rest(raw) if isinstance(raw, dict) else None
            return self._event(bare) if bare is not None and bare != raw else None

    async def _bring(self, event: Event | None) -> None:
        match event:
            case Pairing():
                await self._paired(event)
            case Inline():
                self.inline.ask(event)
            case Guest():
                self.inline.visit(event)
            case Halted():
                await self._halted(event)
            case Moved(old, new):
                await self.intake.moved(("telegram", old), ("telegram", new))
            case Commanded() | Pressed() | Hinted() | Opened() | Reaction() if await self._lets_in(event):
                await self._done(event)
            case Asked() | Forwarded() | Overheard() | Edited() if await self._lets_in(event):
                await self._heard(event)

    async def _heard(self, event: Asked | Forwarded | Overheard | Edited) -> None:
        match event:
            case Asked():
                await self._asked(event)
            case Forwarded(asked):
                await self._forwarded(asked)
            case Overheard():
                await self._overheard(event)
            case Edited():
                await self._edited(event)

    async def _done(self, event: Commanded | Pressed | Hinted | Opened | Reaction) -> None:
        match event:
            case Commanded():
                command = event.command
                language = await spoken(event.ref, command.asker, command.language, self.intake)
                event = replace(event, command=replace(command, language=language))
                reply = await self.intake.commanded(event.command)
                self.errands.start(partial(self._reply_to_command, event, reply), command.asker)
            case Pressed(button=button) if button.startswith(OPEN):
                self.errands.start(partial(self._lead_in_private, event), event.person)
            case Pressed():
                await self._pressed(event)
            case Opened():
                await self._opened(event)
            case Reaction():
                await self.intake.reacted(event)
            case Hinted():
                language = await spoken(event.ref, event.asker, event.language, self.intake)
                if self._is_new(event.key):
                    self._say(event.ref, event.root, hint(event.kind, language, self.me.username), language)

    async def _lets_in(self, event: ByAPerson) -> bool:
        """Return whether who does this may; to one who may not it is said once."""
        if isinstance(event, Pressed) and event.message.place.isdecimal() and event.message.place != event.person:
            # A private chat has its person's number: nobody else has its buttons.
            return False
        admission = await self.intake.admit(visitor_of(event))
        if admission.is_let_in:
            return True
        if isinstance(event, Pressed):
            self.errands.start(partial(self._answer_press, event, Heard(admission.reply)), event.person)
        elif admission.reply and not isinstance(event, Reaction):
            self._hint(*said_in(event), admission.reply)
        return False

    async def _paired(self, event: Pairing) -> None:
        """Do what an admin wants, and tell whom it lets in."""
        language = await spoken(event.ref, event.person, event.language, self.intake)
        visitor = Visitor("telegram", event.ref.place, event.person, event.is_direct, language)
        paired = await self.intake.pair(visitor, event.code)
        if paired.reply:
            self._hint(event.ref, event.root, await with_names(paired.reply, self.bot))
        if paired.place and paired.welcome:
            self._hint(MessageRef("telegram", paired.place, ""), None, paired.welcome)

    async def _asked(self, asked: Asked) -> None:
        question = await self._question(asked)
        await self.intake.asked(question)
        if asked.private:
            self.forwards.said(question)
        if asked.media is None:
            return
        # The other pictures of the album need no hint of their own.
        self._is_new(f"only_text:{asked.media}")
        if self._is_new(f"only_words:{asked.ref.place}"):
            language = language_of(asked.text)
            self._say(asked.ref, asked.root, hint("only_words", language, self.me.username), language)

    async def _forwarded(self, asked: Asked) -> None:
        """Ask whether the words hold; right under a comment they belong to it, and it is one question."""
        question = await self._question(asked)
        joined = self.forwards.joined(question) or await self._joined_as_stored(question)
        if joined and await self.intake.edited(joined):
            return
        await self.intake.asked(self.forwards.alone(question))

    async def _joined_as_stored(self, forward: Question) -> Question | None:
        """Return what the forward belongs to, if another copy has heard that, or this one before it began anew."""
        known = await self.intake.known(may_belong_to(forward))
        if not known:
            return None
        latest = max(known, key=lambda one: int(one.message))
        self.forwards.stored(latest, is_done=await self.intake.waiting(latest) is None)
        return self.forwards.joined(forward)

    def _hint(self, ref: MessageRef, root: str | None, reply: RenderedReply) -> None:
        self._give(Notice(ref, root, reply))

    def _give(self, notice: Notice) -> None:
        async def give() -> None:
            await self.notify(notice)

        self.errands.start(give, notice.ref.place)

    async def _reply_to_command(self, event: Commanded, reply: RenderedReply) -> None:
        """Reply where the command stands, if with anything; what is for its giver alone goes to their private chat."""
        if not reply.nodes:
            return
        command, person = event.command, event.command.person.rpartition(":")[2]
        reply = await with_names(reply, self.bot)
        if not command.is_direct and is_alone(command.verb):
            if person and await self.notify(in_private(person, reply)):
                return
            reply = say(phrase("ask_in_private", command.language), command.language)
        await self.notify(Notice(event.ref, event.root, reply))

    async def _overheard(self, event: Overheard) -> None:
        question = replace(await self._question(event.asked), overheard=True)
        aside = Aside(question, calls_others=event.to_others, in_thread=event.asked.answers is not None)
        if asked := await self.intake.heard(aside):
            await self.intake.asked(asked)

    async def _edited(self, event: Edited) -> None:
        question = replace(await self._question(event.asked), overheard=not event.addressed)
        if event.to_others:
            await self.intake.dropped(question)
            return
        if not await self.intake.edited(question) and event.addressed:
            await self.intake.asked(question)

    async def _pressed(self, event: Pressed) -> None:
        by = f"telegram:{event.person}"
        outcome = await self.intake.pressed(
            Press(event.button, event.message, event.person, AUDIENCE, by, f"press {event.query}", reads=event.language)
        )
        heard = outcome
        if not isinstance(heard, Heard):
            heard = Heard(say(phrase(heard.said, event.language), event.language))
        if event.button.startswith(ONCE) and heard.reply:
            told = await with_names(heard.reply, self.bot)
            self._give(Notice(event.message, event.root, told, shown=event.message))
            heard = Heard()
        self.errands.start(partial(self._answer_press, event, heard), event.person)

    async def _halted(self, event: Halted) -> None:
        """Stop the answer: in a private chat whoever does it is its person."""
        message, person = event.message, event.message.place
        await self.intake.pressed(Press(f"{HALT}:{message.message}", message, person, AUDIENCE, f"telegram:{person}"))

    async def _lead_in_private(self, event: Pressed) -> None:
        """Let the person's Telegram open the private chat on the source that the button names."""
        number = event.button.removeprefix(OPEN)
        link = self.links.to(event.message, int(number)) if number.isdecimal() else None
        try:
            await self.bot.answer_callback_query(event.query, url=link)
        except TelegramError as error:
            log.info("Telegram: a source was not opened: %s", in_words(error, self.bot))

    async def _opened(self, event: Opened) -> None:
        """Ask about the source that the link names; a link that names none is a way to get to know us."""
        named, language = (
            self.links.read(event.payload),
            await spoken(event.ref, event.asker, event.language, self.intake),
        )
        if named is None:
            self._say(event.ref, event.root, hint("help", language, self.me.username), language)
            return
        source, number = named
        target = Target(source)
        asked = Asked(event.ref, "", event.asker, event.asked_at, True, event.root, target, reads=event.language)
        if not await self.intake.opened(await self._question(asked), number):
            self._say(event.ref, event.root, phrase("out_of_date", language), language)

    async def _question(self, asked: Asked) -> Question:
        known = await self.intake.thread_of(asked.answers.message) if asked.answers else None
        question = Question(
            id=str(asked.ref),
            platform="telegram",
            thread=_thread(asked, known),
            text=asked.text,
            asker=asked.asker,
            audience=AUDIENCE,
            asked_at=asked.asked_at,
            place=asked.ref.place,
            message=asked.ref.message,
            root=asked.root,
            version=asked.version,
            answers=asked.answers,
            around=Around((), brought=Untrusted(asked.brought)) if asked.brought else None,
            reads=asked.reads and await spoken(asked.ref, asked.asker, asked.reads, self.intake),
        )
        if asked.before is None or asked.brought:
            return question
        # What belongs to a conversation with us is known from there, unless that message itself is to be answered.
        return question if known and has_a_question(asked.text) else in_its_thread(question, [asked.before])

    async def _answer_press(self, event: Pressed, heard: Heard) -> None:
        """Let the button stop turning, with words that the person alone sees; longer ones go to their private chat.

        After a while Telegram takes no answer any more, and nothing is lost.
        """
        reply = heard.reply
        words = text_of(reply) if reply else ""
        if reply and len(words) > MAX_ANSWER:
            sent = await self.notify(in_private(event.person, reply))
            in_a_group = event.message.place != event.person
            words = phrase("told_in_private" if sent else "ask_in_private", event.language)
            words = words if in_a_group or not sent else ""
        try:
            alert = bool(words) and not heard.passing
            await self.bot.answer_callback_query(event.query, words or None, show_alert=alert)
        except TelegramError as error:
            log.info("Telegram: a press was not answered: %s", in_words(error, self.bot))

    def _say(self, ref: MessageRef, root: str | None, words: str, language: Language) -> None:
        self._hint(ref, root, say(words, language))

    def _is_new(self, key: str) -> bool:
        """Return whether this is the first time the process meets the key."""
        if key in self._hinted:
            return False
        self._hinted[key] = None
        if len(self._hinted) > REMEMBERED:
            del self._hinted[next(iter(self._hinted))]
        return True

    def _failed(self, event: Event | None, error: Exception) -> None:
        """Log what happened, and tell under the same reference whoever waits for something."""
        reference = secrets.token_hex(4)
        log.error("Telegram: an update was lost, reference %s: %s", reference, whereabouts(error))
        match event:
            case Pressed():
                told = say(phrase("failed", event.language, reference=reference), event.language)
                self.errands.start(partial(self._answer_press, event, Heard(told)), event.person)
            case Pairing():
                words = phrase("failed", event.language, reference=reference)
                self._say(event.ref, event.root, words, event.language)
            case Asked() | Forwarded() | Commanded() | Opened() | Edited(addressed=True):
                language = visitor_of(event).language
                self._say(*said_in(event), phrase("failed", language, reference=reference), language)


def _thread(asked: Asked, known: str | None) -> str:
    """Return the conversation: a private chat or a topic is one, elsewhere each question and what replies to it."""
    if asked.private:
        return conversation(asked.ref.place, asked.root)
    return known or (conversation(asked.ref.place, asked.root) if asked.root else str(asked.ref))


def _kind(raw: object) -> str:
    """Return the kind of an update, and nothing of what it holds."""
    names = [name for name in raw if name != "update_id"] if isinstance(raw, dict) else []
    return next((name for name in names if name.isidentifier() and len(name) <= LONGEST_KIND), "unnamed")


def _object(raw: object) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise TypeError("an update is an object")
    return raw
