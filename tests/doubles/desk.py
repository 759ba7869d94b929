"""A desk in place of the bot: it takes what a platform brings and shows the replies that a test scripts."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from core.access import Admission, Doors, OpenDoors, Paired, Visitor
from core.conversation import Aside, Audience, Command, MessageRef, Mode, Question
from core.delivery import FIRST, Absent, Body, Doubtful, Found, Later, Outcome, Outgoing, Part, Refused, Shown
from core.errors import DeliveryError, StorageError
from core.feedback import Reaction
from core.phrases import phrase
from core.press import Alone, Heard, OutOfDate, Press, PressOutcome
from core.render import say
from core.reply import RenderedReply
from core.running import Platform
from core.text import Language, language_of, tells_language
from core.visiting import Caller, Introduction, KeepsDoor
from core.work import Place

Answer = Callable[[Question], Awaitable[RenderedReply | None]]


@dataclass
class Desk:
    """Satisfies `Intake` in memory: every question once, those of a thread in order, each reply shown by the platform.

    `fails`: how many of the next questions cannot be stored. `longest`: what a wait that a platform asks for is cut to.
    """

    platform: Platform
    answer: Answer
    fails: int = 0
    longest: float = 0.3
    mode: Mode = "mention"
    commands: list[Command] = field(default_factory=list)
    callers: list[Caller] = field(default_factory=list)
    greeted: dict[str, tuple[Question, Language]] = field(default_factory=dict)
    introduction: Introduction = field(default_factory=lambda: Introduction({}))
    questions: dict[str, Question] = field(default_factory=dict)
    brought: list[Question] = field(default_factory=list)
    outcomes: list[tuple[str, Outcome]] = field(default_factory=list)
    presses: list[tuple[str, MessageRef]] = field(default_factory=list)
    gone: OutOfDate = field(default_factory=OutOfDate)
    people: list[tuple[str, Audience]] = field(default_factory=list)
    alone: Alone | None = None
    openings: list[tuple[Question, int]] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)
    asks: RenderedReply | None = None
    hears: Heard = field(default_factory=Heard)
    knows_buttons: bool = True
    doors: Doors = field(default_factory=OpenDoors)
    glances: list[str] = field(default_factory=list)
    glanced: RenderedReply | None = None
    moves: list[tuple[str, str]] = field(default_factory=list)
    shown: dict[str, dict[str, MessageRef]] = field(default_factory=lambda: defaultdict(dict))
    finished: set[str] = field(default_factory=set)
    _lanes: dict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))
    _work: set["asyncio.Task[None]"] = field(default_factory=set)

    async def asked(self, question: Question) -> None:
        self.brought.append(question)
        if self.fails > 0:
            self.fails -= 1
            raise StorageError("the database did not do it (OperationalError)", retry=True)
        resent = question.resend and any(known.resend == question.resend for known in self.questions.values())
        if question.id not in self.questions and not resent:
            self.questions[question.id] = question
            self._start(question)

    async def waiting(self, question: Question) -> Question | None:
        known = self.questions.get(question.id)
        return None if question.id in self.finished else known

    async def known(self, messages: Sequence[MessageRef]) -> list[Question]:
        asked = {str(message) for message in messages}
        return [question for id_, question in self.questions.items() if id_ in asked]

    async def edited(self, question: Question) -> bool:
        self.brought.append(question)
        known = self.questions.get(question.id)
        if known is None:
            return False
        around = question.around or known.around
        if question.version > known.version and (question.text, around) != (known.text, known.around):
            known = replace(known, text=question.text, version=question.version, around=around)
            self.questions[question.id] = replace(known, at_door=known.at_door or question.at_door)
            self._start(self.questions[question.id])
        return True

    async def dropped(self, question: Question) -> bool:
        self.brought.append(question)
        known = self.questions.pop(question.id, None)
        for name, ref in self.shown.pop(question.id, {}).items():
            assert known is not None
            await self.platform.show(self._outgoing(known, name, None, ref))
        return known is not None

    async def withdrawn(self, message: MessageRef, question: Question | None = None) -> None:
        question = self.questions.pop(str(message), None)
        for name, ref in self.shown.pop(str(message), {}).items():
            assert question is not None
            await self.platform.show(self._outgoing(question, name, None, ref))

    async def pressed(self, press: Press) -> PressOutcome:
        self.presses.append((press.button, press.message))
        self.people.append((press.person, press.audience))
        self.alone = press.alone
        known = press.button.startswith(("show:", "choose:", "more:", "why:", "judge:", "reason:", "forget:"))
        return self.hears if known and self.knows_buttons else self.gone

    async def opened(self, question: Question, number: int) -> bool:
        self.openings.append((question, number))
        if self.knows_buttons:
            await self.asked(replace(question, text=f"about {number}"))
        return self.knows_buttons

    async def reacted(self, reaction: Reaction) -> RenderedReply | None:
        self.reactions.append(reaction)
        return self.asks

    async def thread_of(self, message: MessageRef) -> str | None:
        if str(message) in self.questions:
            return self.questions[str(message)].thread
        carrying = (key for key, parts in self.shown.items() if message in parts.values())
        return next((self.questions[key].thread for key in carrying), None)

    async def language_in(self, place: Place, asker: str | None = None) -> Language | None:
        asked = [one for one in self.questions.values() if (one.platform, one.place) == place]
        words = [one.text for one in asked if asker in (None, one.asker) and tells_language(one.text)]
        return language_of(words[-1]) if words else None

    async def commanded(self, command: Command) -> RenderedReply:
        self.commands.append(command)
        return say(f"{command.verb} {command.words}", command.language)

    async def invited(self, note: Question, language: Language) -> None:
        if note.id not in self.greeted:
            self.greeted[note.id] = (note, language)

    async def introduced(self, caller: Caller) -> Introduction:
        self.callers.append(caller)
        return self.introduction

    async def admit(self, visitor: Visitor) -> Admission:
        return await self.doors.admit(visitor)

    async def pair(self, visitor: Visitor, code: str) -> Paired:
        return await self.doors.pair(visitor, code)

    async def glance(self, words: str) -> RenderedReply | None:
        self.glances.append(words)
        return self.glanced

    async def moved(self, old: Place, new: Place) -> None:
        self.moves.append((old[1], new[1]))
        await self.doors.moved(old, new)

    async def heard(self, aside: Aside) -> Question | None:
        question = replace(aside.question, overheard=False, unasked=self.mode == "all")
        goes_on = aside.in_thread and any(known.thread == question.thread for known in self.questions.values())
        return question if self.mode == "all" or (goes_on and not aside.calls_others) else None

    async def idle(self) -> None:
        """Return once nothing is being worked on."""
        while self._work:
            await asyncio.gather(*self._work)

    async def show(self, question: Question, name: str, body: Body | None) -> Outcome:
        """Show one message, as often as it takes to know what became of it."""
        doubted = False
        while True:
            message = self._outgoing(question, name, body, self.shown[question.id].get(name))
            outcome: Outcome = await self._settled(message) if doubted else await self.platform.show(message)
            self.outcomes.append((name, outcome))
            match outcome:
                case Shown(ref) if ref:
                    self.shown[question.id][name] = ref
                    return outcome
                case Later(seconds):
                    await asyncio.sleep(min(seconds, self.longest))
                case Doubtful():
                    doubted = not doubted
                    if not doubted:
                        return outcome
                case Refused() | Shown():
                    return outcome

    async def _settled(self, message: Outgoing) -> Outcome:
        match await self.platform.find(message):
            case Found(ref):
                return await self.platform.show(replace(message, shown=ref))
            case Absent():
                return await self.platform.show(message)
            case Later() as later:
                return later
        return Doubtful("nobody can look")

    def _outgoing(self, question: Question, name: str, body: Body | None, ref: MessageRef | None) -> Outgoing:
        asked = MessageRef(question.platform, question.place, question.message)
        first = self.shown[question.id].get(FIRST)
        return Outgoing(1, question.id, name, body, asked, question.root, ref, first)

    def _start(self, question: Question) -> None:
        task = asyncio.create_task(self._serve(question))
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _let_in(self, question: Question) -> bool:
        """Return whether the question may be answered, however often the platform cannot tell."""
        assert isinstance(self.platform, KeepsDoor)
        while True:
            try:
                found = await self.platform.let_in(question)
            except DeliveryError:
                await asyncio.sleep(0.05)
            else:
                break
        if self.questions.get(question.id) != question:
            return False
        if found is None:
            del self.questions[question.id]
        else:
            self.questions[question.id] = found
        return found is not None

    async def _serve(self, question: Question) -> None:
        if question.at_door:
            if not await self._let_in(question):
                return
            question = self.questions[question.id]
        language = language_of(question.text)
        if self.platform.shows_sign and question.version == 0 and not question.private:
            [sign] = self.platform.parts(say(phrase("looking", language), language))
            await self.show(question, FIRST, sign.body)
        async with self._lanes[question.thread]:
            async with self.platform.working(question):
                reply = await self.answer(question)
            self.finished.add(question.id)
            for part in self.platform.parts(reply) if reply else ():
                await self._say(question, part)

    async def _say(self, question: Question, part: Part) -> None:
        if self.questions.get(question.id, question).version == question.version:
            await self.show(question, part.name, part.body)
