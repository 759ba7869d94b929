"""The intake: what people do on a platform is stored before anybody says that it has arrived."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal
from weakref import WeakValueDictionary

from bot.opinions import Opinions
from bot.sharing import goes_on, shared_question
from bot.welcoming import Limits, Welcomes, hello
from core.access import Admission, Doors, OpenDoors, Paired, Visitor
from core.addressed import asks_everybody, may_be_for_us
from core.conversation import Aside, Command, MessageRef, Mode, Pressed, Question
from core.feedback import Reaction
from core.gist import only_names
from core.joining import joins
from core.phrases import phrase
from core.press import Heard, Offer, OutOfDate, Press, PressOutcome, read_button
from core.render import say
from core.reply import Action, RenderedReply
from core.running import Conversations, Inbox, Modes, Outbox, Platform
from core.summons import drops_it
from core.text import Language, language_of, tells_language
from core.visiting import Caller, Introduction, SaysAtOnce
from core.work import Place, Waiting, Welcome

SHOW = "show:"
_MOST_EXPECTED = 200


class Reception:
    """Satisfies `Intake` over the database.

    `work` and `deliver` are called when there is something to do; `stop` ends the work on a question, except on the
    version given. `why` tells a person (their id) how the reply in a message came about. `doors`: who may ask where
    anybody can find the bot; without them, everybody. `glance` answers from what everybody may read. `presses`: what is
    done for other buttons than those of replies, by what stands before the colon. `sayable`: whether everybody who
    would read a question knows all names in it. `look_up` begins to find out whether one at the door may be answered.
    """

    def __init__(  # noqa: PLR0913 - its parts, each given by name
        self,
        *,
        inbox: Inbox,
        outbox: Outbox,
        conversations: Conversations,
        modes: Modes,
        commanding: Callable[[Command], Awaitable[RenderedReply]],
        introducing: Callable[[Caller], Awaitable[Introduction]],
        platforms: Mapping[str, Platform],
        limits: Limits,
        work: Callable[[], None],
        deliver: Callable[[Place], None],
        stop: Callable[[str, int | None], Awaitable[None]],
        why: Callable[[MessageRef, str], Awaitable[RenderedReply]],
        doors: Doors | None = None,
        glance: Callable[[str], Awaitable[RenderedReply | None]] | None = None,
        presses: Mapping[str, Callable[[Press], Awaitable[PressOutcome]]] | None = None,
        opinions: Opinions,
        sayable: Callable[[Question], Awaitable[bool]] | None = None,
        look_up: Callable[[Question], None] | None = None,
        taken_back: Callable[[MessageRef], Awaitable[None]] | None = None,
    ) -> None:
        self._inbox = inbox
        self._outbox = outbox
        self._conversations = conversations
        self._modes = modes
        self._commanding = commanding
        self._introducing = introducing
        self._platforms = platforms
        self._welcomes = Welcomes(platforms, limits)
        self._work = work
        self._deliver = deliver
        self._stop = stop
        self._why = why
        self._entrance = doors or OpenDoors()
        self._glance = glance or _nothing
        self._presses = {"share": self._shared_by, **(presses or {})}
        self._opinions = opinions
        self._sayable = sayable or _anything
        self._look_up = look_up or _not_here
        self._taken_back = taken_back or _told_nobody
        # What goes on with us for certain, by ids, until it is stored: whoever said it sees that we are at it.
        self._expecting: set[str] = set()
        # One lock for each thread in which something is being stored right now.
        self._doors: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def asked(self, question: Question) -> None:
        """Store a new question with the sign that it has arrived; where too many wait, with a polite refusal.

        The questions of a thread are stored in the order in which they are brought. What is edited already, and
        turns out to be known, is taken as the edit that it is.
        """
        question = await self._in_its_thread(question)
        welcomes: list[Welcome] = []

        def welcome(line: Waiting) -> Welcome:
            welcomes[:] = [self._welcomes.of(question, line)]
            return welcomes[0]

        async with self._doors.setdefault(question.thread, asyncio.Lock()):
            new = await self._inbox.record(question, welcome)
        if new:
            self._taken_in(question, is_worked_on=all(not (one.refusal or one.silence) for one in welcomes))
        elif question.version:
            await self.edited(question)

    async def waiting(self, question: Question) -> Question | None:
        """Return the question as it waits for its answer, None once that is there or none is to come."""
        return await self._inbox.question(question.id, question.version)

    async def known(self, messages: Sequence[MessageRef]) -> list[Question]:
        """Return what the messages asked, whatever became of it, but for what was taken back."""
        return await self._inbox.known(messages)

    async def edited(self, question: Question) -> bool:
        """Let a question that is known read so from now on; work on what it said before ends.

        It may be refused like a new one where work on it has begun or is done: it costs as much to answer it anew.
        Who says in its place that there is nothing to answer any more finds the answer gone.
        """

        def welcome(line: Waiting) -> Welcome:
            return replace(self._welcomes.of(question, line, has_reply=True), sign=None)

        return await self._changed(question, _nothing_asked if drops_it(question.text) else welcome)

    async def dropped(self, question: Question) -> bool:
        """Let a question that is known ask nothing of us from now on: its answer goes, until it is edited again."""
        return await self._changed(question, _nothing_asked)

    async def _changed(self, question: Question, welcome: Callable[[Waiting], Welcome]) -> bool:
        change = await self._inbox.edit(question, welcome)
        if change == "refused":
            self._deliver((question.platform, question.place))
        if change in ("refused", "changed"):
            await self._stop(question.id, question.version)
            self._work()
        if change == "changed" and question.at_door:
            self._look_up(question)
        return change != "unknown"

    async def withdrawn(self, message: MessageRef, question: Question | None = None) -> None:
        """Take the answer back to a question whose message is gone, or never answer it, should it come only now."""
        if await self._inbox.withdraw(message, question):
            await self._stop(str(message), None)
            await self._taken_back(message)
            self._deliver((message.platform, message.place))
            self._work()

    async def pressed(self, press: Press) -> PressOutcome:
        """Do what a button says: show what may be lost, tell why, or ask what it offers as a question of its own."""
        if press.button.startswith(SHOW):
            return await self._show_again(press)
        if own := self._presses.get(press.button.partition(":")[0]):
            return await own(press)
        match read_button(press.button):
            case ("why", _):
                return Heard(await self._why(press.message, press.person))
            case ("judge" | "reason" as kind, value):
                return await self._judged(press, kind, value)
            case ("choose" | "more" as kind, value):
                return await self._asked_by(press, kind, value)
            case _:
                return OutOfDate()

    async def _shared_by(self, press: Press) -> PressOutcome:
        """Ask what only the presser has seen the answer to once more, for everybody who reads there; once."""
        offer = await self._conversations.offered(press.message)
        question = shared_question(press, offer) if offer else None
        if question is None or offer is None:
            return OutOfDate()
        if not await self._sayable(question):
            # Perhaps it is only what the question leans on that not everybody may know.
            question = replace(question, text=offer.text)
            if not await self._sayable(question):
                language = press.reads or language_of(offer.text)
                return Heard(say(phrase("share_withheld", language), language))
        question = replace(question, at_door=press.at_door)
        # Nothing is seen before it is known that it can be shared.
        if await self._inbox.record(question, lambda _: Welcome()):
            self._taken_in(question)
        return Heard()

    async def _show_again(self, press: Press) -> PressOutcome:
        """Show an answer that may have been lost, in place of the message that offered it.

        What only the presser sees cannot be changed: there it comes as a message of its own.
        """
        question, in_place = press.button.removeprefix(SHOW), press.alone is None
        if not await self._outbox.show_again(question, press.message, in_place=in_place):
            return OutOfDate()
        self._deliver((press.message.platform, press.message.place))
        return Heard()

    async def _judged(self, press: Press, kind: Literal["judge", "reason"], value: str) -> PressOutcome:
        """Store what the press says of the answer; where the platform asks why under it, it does so now."""
        taken = await self._opinions.pressed(press, kind, value)
        if taken is None:
            return OutOfDate()
        await self._show_as_pressed(press.message, taken.button)
        return Heard(taken.reply, passing=True)

    async def _show_as_pressed(self, message: MessageRef, button: str) -> None:
        platform = self._platforms[message.platform]
        if await self._outbox.rewrite(message, lambda body: platform.after(body, button)):
            self._deliver((message.platform, message.place))

    async def _asked_by(self, press: Press, kind: Literal["choose", "more"], value: str) -> PressOutcome:
        """Store the question that the button asks, for everybody who reads there, and put the choice in its place.

        Pressed twice, or by two people, it is one question, and nobody is refused for it: one button asks once.
        """
        offer = await self._conversations.offered(press.message)
        action = offer.action(kind, value) if offer else None
        if offer is None or action is None:
            return OutOfDate()
        question = replace(pressed_question(press, offer, action), at_door=press.at_door)
        async with self._doors.setdefault(question.thread, asyncio.Lock()):
            new = await self._inbox.record(question, lambda line: Welcome(self._welcomes.sign(question, line)))
        platform = self._platforms[question.platform]
        # What one person alone sees cannot be changed, and nothing is seen of who is not let in.
        changed = not (question.private or question.at_door) and await self._outbox.rewrite(
            press.message, lambda body: platform.after(body, press.button)
        )
        if changed:
            self._deliver((question.platform, question.place))
        if new:
            self._taken_in(question)
        return Heard()

    async def opened(self, question: Question, number: int) -> bool:
        """Ask in private what a reply elsewhere answered, of its source with this number alone; False when it is gone.

        `question` has no words yet, and replies to the message that shows the source. Whether its asker may read the
        source is looked at like for any question.
        """
        offer = await self._conversations.offered(question.answers.message) if question.answers else None
        if offer is None:
            return False
        pressed = Pressed("open", str(number), offer.question)
        await self.asked(replace(question, text=offer.in_full, pressed=pressed))
        return True

    async def reacted(self, reaction: Reaction) -> RenderedReply | None:
        """Store what an emoji says of an answer of ours, and return what its giver alone is asked, once, if anything.

        Where the platform asks why under the answer, it does so now.
        """
        taken = await self._opinions.reacted(reaction)
        if taken is None:
            return None
        await self._show_as_pressed(reaction.message, taken.button)
        return taken.reply if taken.asks else None

    async def thread_of(self, message: MessageRef) -> str | None:
        """Return the thread that a message belongs to."""
        return await self._conversations.thread_of(message)

    async def language_in(self, place: Place, asker: str | None = None) -> Language | None:
        """Return in which language somebody, or without an `asker` anybody, asked last in a place; None: never."""
        words = await self._conversations.asked_last(place, asker)
        return next((language_of(each) for each in words if tells_language(each)), None)

    async def commanded(self, command: Command) -> RenderedReply:
        """Do what a person tells us to do, and return what is said to them alone."""
        before, colon, root = (command.thread or "").rpartition(":")
        if colon and before == f"{command.platform}:{command.place}":
            thread = await self._thread_under(MessageRef(command.platform, command.place, root))
            command = replace(command, thread=thread or command.thread)
        return await self._commanding(command)

    async def invited(self, note: Question, language: Language) -> None:
        """Say hello to a channel or chat that we have been let into, once."""
        words = hello(await self._modes.mode(note.platform, note.place), language)
        parts = self._platforms[note.platform].parts(words)
        if await self._inbox.record(note, lambda _: Welcome(refusal=parts)):
            self._deliver((note.platform, note.place))

    async def introduced(self, caller: Caller) -> Introduction:
        """Return what somebody may see who comes to see what the bot is about."""
        return await self._introducing(caller)

    async def heard(self, aside: Aside) -> Question | None:
        """Return what a message that nobody addressed to us asks of us all the same; None when it is not for us.

        What is said to somebody else is not. What goes on a conversation with us is, as far as that can be told, and
        nobody but its writer is told that it has no answer; else the channel's mode says who is heard, and in each of
        them it must ask something.
        """
        question = aside.question
        if aside.calls_others and not only_names(question.text):
            return None
        mode = await self._modes.mode(question.platform, question.place)
        aloud = replace(question, overheard=False)
        if aside.in_thread:
            aloud = await self._in_its_thread(aloud)
            if await self._conversations.knows(aloud.thread):
                return await self._joined(aloud, mode)
        if mode == "all" and asks_everybody(question.text):
            return replace(aloud, unasked=True)
        return question if mode in ("gate", "all") and may_be_for_us(aside) else None

    async def _joined(self, aloud: Question, mode: Mode) -> Question | None:
        """Return what somebody says in a thread that we have answered in, if it may go on with us; else it is talk."""
        if mode == "all" and asks_everybody(aloud.text):
            return replace(aloud, unasked=True)
        asked_before = await self._conversations.knows(aloud.thread, aloud.asker)
        found = joins(aloud.text, asked_before=asked_before)
        if found == "surely":
            self._expecting = {*tuple(self._expecting)[-_MOST_EXPECTED:], aloud.id}
        return replace(aloud, overheard=True) if found else None

    async def admit(self, visitor: Visitor) -> Admission:
        """Return whether a visitor may ask, and what is said to one who may not."""
        return await self._entrance.admit(visitor)

    async def pair(self, visitor: Visitor, code: str) -> Paired:
        """Let in who has the code, or with no code the chat it is said in, if the visitor is an admin."""
        return await self._entrance.pair(visitor, code)

    async def glance(self, words: str) -> RenderedReply | None:
        """Return an answer that anybody may read, at once and without a model; None when there is none."""
        return await self._glance(words)

    async def moved(self, old: Place, new: Place) -> None:
        """Let a chat that has another name from now on keep all that is its own."""
        await self._inbox.move(old, new)
        await self._entrance.moved(old, new)
        self._deliver(new)

    def _taken_in(self, question: Question, *, is_worked_on: bool = True) -> None:
        """Let be done what there is to do for a question that has just been stored."""
        self._deliver((question.platform, question.place))
        self._work()
        if question.at_door:
            self._look_up(question)
        elif is_worked_on and isinstance(platform := self._platforms[question.platform], SaysAtOnce):
            is_expecting = question.id in self._expecting
            platform.at_work_on(replace(question, overheard=False) if is_expecting else question)

    async def _in_its_thread(self, question: Question) -> Question:
        """Return the question in the thread that goes on where it stands, under a message of ours that began none."""
        root = MessageRef(question.platform, question.place, question.root or "")
        if question.root in (None, question.message) or question.thread != str(root):
            return question
        return replace(question, thread=await self._thread_under(root) or question.thread)

    async def _thread_under(self, root: MessageRef) -> str | None:
        thread = await self._conversations.thread_of(root)
        return thread if thread and goes_on(root, thread) else None


def _nothing_asked(line: Waiting) -> Welcome:  # noqa: ARG001 - however long the line is
    return Welcome(silence=True, dropped=True)


async def _anything(question: Question) -> bool:  # noqa: ARG001 - where nothing is closed, nothing is kept back
    return True


def _not_here(question: Question) -> None:
    """Nobody is looked up by this one: whoever takes the question up does it."""


async def _told_nobody(message: MessageRef) -> None:
    """Nobody else was told of it, so nothing else is taken back."""


async def _nothing(words: str) -> RenderedReply | None:  # noqa: ARG001 - there is nothing to look in
    return None


def pressed_question(press: Press, offer: Offer, action: Action) -> Question:
    """Return the question that an action asks, in the thread where it is offered, for all who read there now."""
    text, pressed = offer.asked_by(action)
    message, alone = press.message, press.alone
    return Question(
        id=f"{message}!{press.button}",
        platform=message.platform,
        thread=offer.thread,
        text=text,
        asker=press.person,
        audience=press.audience,
        asked_at=datetime.now(UTC),
        place=message.place,
        message=alone.message if alone else message.message,
        root=offer.root,
        pressed=pressed,
        private=alone is not None,
        reads=press.reads,
    )
