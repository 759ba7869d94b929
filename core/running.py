"""What the running bot asks of the outside, beside what answers need: its stores and its platforms."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol, runtime_checkable

from core.access import Admission, Paired, Visitor
from core.audience import Reader, Room
from core.conversation import (
    Aside,
    Command,
    MessageRef,
    Mode,
    PlatformName,
    Question,
)
from core.delivery import Body, Health, Outcome, Outgoing, Part, Seen
from core.feedback import Reaction
from core.pacing import Tally
from core.ports import Threads
from core.press import Offer, Press, PressOutcome
from core.reply import RenderedReply, Tasks
from core.text import Language
from core.turn import Spent
from core.visiting import Caller, Introduction
from core.work import Change, Claim, Loan, Place, Waiting, Welcome


class Turns(Threads, Protocol):
    """The stored conversations, as the line needs them."""

    async def pass_over(self, question: Question, because: str, spent: Spent) -> None:
        """Store that an overheard message is not for us, and why, without its words, and what it cost to find out."""

    async def knows(self, thread: str, asker: str | None = None) -> bool:
        """Return whether the thread holds a question that was asked of us, by anybody or by the `asker`."""


class Conversations(Protocol):
    """Which thread a message belongs to."""

    async def thread_of(self, message: MessageRef) -> str | None:
        """Return the thread that a message of ours or of an asker belongs to."""

    async def offered(self, message: MessageRef) -> Offer | None:
        """Return what the reply offers that the message is part of; None while it is made, and for other messages."""

    async def knows(self, thread: str, asker: str | None = None) -> bool:
        """Return whether the thread holds a question that was asked of us, by anybody or by the `asker`."""

    async def asked_last(self, place: Place, asker: str | None) -> Sequence[str]:
        """Return the words of the latest questions that somebody, or without an `asker` anybody, asked in a place."""


class Modes(Protocol):
    """Who is heard in each channel and chat."""

    async def mode(self, platform: str, place: str) -> Mode:
        """Return who is heard there: who mentions us, unless somebody has set another mode."""


class Inbox(Protocol):
    """The questions that were asked of us, shared by all copies of the bot; everything raises StorageError."""

    async def record(self, question: Question, welcome: Callable[[Waiting], Welcome]) -> bool:
        """Store a question with what is said to it at once, given how long the line is; False when it is known."""

    async def edit(self, question: Question, welcome: Callable[[Waiting], Welcome]) -> Change:
        """Let a known question read so from now on and wait for a new answer, unless this is no news.

        One that had its answer joins the line anew, and may be refused, given how long that is; one that is worked on
        may be, for what it has used.
        """

    async def withdraw(self, message: MessageRef, unseen: Question | None = None) -> bool:
        """Forget about the question that the message asked and let its messages go; False when it asked none.

        `unseen`: what it asked, should that be known only later.
        """

    async def settle(self, question: Question) -> None:
        """Keep what the question was found to ask, and what stood around it, unless it is done or changed since."""

    async def question(self, question_id: str, version: int) -> Question | None:
        """Return a question that still wants an answer in this version."""

    async def known(self, messages: Sequence[MessageRef]) -> list[Question]:
        """Return what the messages asked, whatever became of it, but for what was taken back."""

    async def unanswered(self, place: Place) -> list[Question]:
        """Return the questions of a channel or chat that want an answer, but for what was only overheard there."""

    async def let_in(self, question: Question) -> bool:
        """Let a question from the door be answered, and what was said to it be seen.

        False when that says that too many wait, or when the question stands no more in this version.
        """

    async def turn_away(self, question: Question) -> None:
        """Forget a question that may not be answered, if it stands in this version, as if it had never been stored."""

    async def take(self, limit: int, replica: str, platforms: Sequence[str], settle: float = 0.0) -> list[Question]:
        """Hand out questions in turn, at most one of a thread, places taking turns, none younger than `settle` s."""

    async def working(self, replica: str) -> list[Question]:
        """Return what a replica has taken and not finished."""

    async def give_back(self, question_id: str, version: int, replica: str) -> None:
        """Let a question that the replica had taken wait again."""

    async def take_over(self, replica: str, me: str = "", going_on: Collection[tuple[str, int]] = ()) -> int:
        """Let everything that a replica which is gone had taken wait again, but for what goes on with `me`."""

    async def move(self, old: Place, new: Place) -> None:
        """Let everything of a chat belong to its new name: questions, messages, settings and who is let in."""

    async def oldest(self) -> datetime | None:
        """Return when the question arrived that has been waiting or worked on for longest."""

    async def counts(self) -> tuple[int, int]:
        """Return how many questions wait and how many are worked on."""


class GroupBook(Protocol):
    """The groups that were imported; everything raises StorageError."""

    async def members(self) -> Mapping[str, frozenset[str]]:
        """Return who belongs to each group, whatever it comes from."""

    async def replace(self, origin: str, groups: Mapping[str, Collection[str]]) -> None:
        """Let these be all the groups of that origin, at once; those of others stay."""

    async def origins(self) -> tuple[str, ...]:
        """Return where groups were imported from, in order."""


class Membership(Protocol):
    """Who reads where, as a platform tells. Never raises: what cannot be told is a room whose readers nobody knows."""

    async def room(self, place: str, *, fresh: bool = False) -> Room:
        """Return who reads in a channel or chat; `fresh`: as it is now, not as it was a little while ago."""

    async def person(self, place: str, person: str) -> Reader | None:
        """Return somebody by the id that they have there; None when nobody can tell."""


@runtime_checkable
class Peopled(Protocol):
    """A platform that tells who reads where."""

    members: Membership


@runtime_checkable
class Distant(Protocol):
    """A platform that can tell who reads where, and what was said, only while it is connected."""

    async def at_hand(self) -> None:
        """Return once it is, or after a while in which it could not be reached."""


@runtime_checkable
class Sharing(Protocol):
    """A platform that takes only so much from all copies of the bot together."""

    def share(self, copies: Callable[[], int], tally: Tally | None = None) -> None:
        """Keep to it from now on as one of so many copies, which count together what each place takes by the `tally`.

        Without one there is no other copy.
        """


@runtime_checkable
class Wary(Protocol):
    """A platform that looks things up before it shows a message, in which time another copy may take us for dead."""

    def heed(self, term: Callable[[], int | None]) -> None:
        """Show only what was looked up within one `term`: the time for which others have taken us for alive."""


@runtime_checkable
class Stoppable(Protocol):
    """A platform on which whoever asked can stop an answer in the making."""

    def stoppable(self, body: Body, button: str, label: str) -> Body:
        """Return what stands for an answer, or tells how it goes, with a button that stops that."""


class Outbox(Protocol):
    """The messages to be seen, shared by all copies of the bot; everything raises StorageError."""

    async def claim(self, place: Place) -> Claim | None:
        """Return the next message for a place that is due, the messages of a thread in order."""

    async def sent(self, claim: Claim, message: MessageRef | None, *, claim_next: bool = False) -> Claim | None:
        """Note that it is as it was to be, shown by a message of the platform, or by none any more.

        With `claim_next` it returns the next message for the same place, as `claim` does.
        """

    async def borrow(self, question_id: str, version: int) -> Loan | None:
        """Return the sign in place of an answer that we are making, ours alone until `sent`; None when it cannot be.

        It cannot where nothing may be shown just now.
        """

    async def later(self, claim: Claim, seconds: float, reason: str, *, whole_place: bool) -> None:
        """Put it back for some time, and all else for its place with it if nothing can be shown there."""

    async def doubted(self, claim: Claim, seconds: float, reason: str, *, anew: bool = False) -> None:
        """Put it back, with the mark that it may stand in the chat already; `anew`: what showed it before is gone."""

    async def refused(self, claim: Claim, reason: str) -> None:
        """Give it up, unless it has been changed meanwhile."""

    async def unknown(self, claim: Claim, note: Body | None, *, in_place: bool = False) -> None:
        """Give it up because nobody can tell whether it stands in the chat; a note offers to show it after all.

        `in_place`: where something stands for it, the note takes the place of that.
        """

    async def show_again(self, question_id: str, note: MessageRef, *, in_place: bool = True) -> bool:
        """Let what is unknown of a reply be shown, its first message in place of the note, or a stray note go."""

    async def rewrite(self, message: MessageRef, change: Callable[[Body], Body]) -> bool:
        """Let a message of ours that stands in a chat say what `change` makes of it; False when nothing changes."""

    async def due(self, platforms: Sequence[str]) -> dict[Place, datetime]:
        """Return each place that has messages waiting, with when the first is due."""

    async def take_over(self, replica: str) -> int:
        """Let what a replica that is gone was sending wait, with the mark that it may have been sent."""

    async def held(self) -> set[int]:
        """Return the numbers of the messages that are ours to show."""

    async def let_go(self, numbers: Collection[int]) -> None:
        """Let messages wait that are ours by an answer of the database that never reached us."""

    async def unsent(self) -> int:
        """Return how many messages are still to be shown."""


class Replicas(Protocol):
    """The copies of the bot that share a database; everything raises StorageError."""

    me: str

    async def beat(self, count: int) -> dict[str, int]:
        """Say that we are alive; return the count of every copy, ours among them."""

    async def leave(self) -> None:
        """Say that we stop; what only we might do is free."""

    async def bury(self, replica: str) -> None:
        """Forget a copy whose work has been taken over."""

    async def lease(self, name: str) -> bool:
        """Return whether we are the one that does this; we become it when nobody is."""

    async def release(self, name: str) -> None:
        """Let somebody else do this."""

    async def strangers(self) -> set[str]:
        """Return who holds a question, a message or a lease without being among the copies any more."""


class Intake(Protocol):
    """Where a platform brings what people do. What raises PortError was not stored: it must not be acknowledged."""

    async def asked(self, question: Question) -> None:
        """Store the question durably; one that is known, by its id or its `resend`, changes nothing but by an edit."""

    async def waiting(self, question: Question) -> Question | None:
        """Return the question as it waits for its answer, None once that is there or none is to come."""

    async def known(self, messages: Sequence[MessageRef]) -> list[Question]:
        """Return what the messages asked, whatever became of it, but for what was taken back."""

    async def edited(self, question: Question) -> bool:
        """Store that the question now reads so, and answer it anew in place; False when it is not known as one."""

    async def dropped(self, question: Question) -> bool:
        """Take the answer back to a question that now asks nothing of us, until it does; False when it is not known."""

    async def withdrawn(self, message: MessageRef, question: Question | None = None) -> None:
        """Stop work on the question that the message asked, if it did, and take its answer back.

        `question`: what it asked, if that is known; it may be heard of only after it is gone.
        """

    async def pressed(self, press: Press) -> PressOutcome:
        """Do what a button of ours says, once however often it is pressed; a question that it asks is stored."""

    async def opened(self, question: Question, number: int) -> bool:
        """Ask in private what a reply elsewhere answered, of one source alone; False when that reply is gone.

        `question` has no words yet, and replies to the message that shows the source with this number.
        """

    async def reacted(self, reaction: Reaction) -> RenderedReply | None:
        """Store what an emoji on an answer of ours says of it, once; on any other message it says nothing to us.

        Returns what its giver alone is asked, where the platform does not ask it under the answer itself.
        """

    async def thread_of(self, message: MessageRef) -> str | None:
        """Return the thread that a message of ours or of an asker belongs to."""

    async def language_in(self, place: Place, asker: str | None = None) -> Language | None:
        """Return in which language somebody, or without an `asker` anybody, asked last in a place; None: never."""

    async def commanded(self, command: Command) -> RenderedReply:
        """Do what a person tells us to do, and return what is said to them alone."""

    async def invited(self, note: Question, language: Language) -> None:
        """Say hello to a channel or chat that we have been let into, once; the note stands for that in the line."""

    async def introduced(self, caller: Caller) -> Introduction:
        """Return what somebody may see who comes to see what the bot is about."""

    async def heard(self, aside: Aside) -> Question | None:
        """Return what a message that nobody addressed to us asks of us all the same; None when it is not for us."""

    async def admit(self, visitor: Visitor) -> Admission:
        """Return whether a visitor may ask, and what is said to one who may not."""

    async def pair(self, visitor: Visitor, code: str) -> Paired:
        """Let in who has the code, or with no code the chat it is said in, if the visitor is an admin."""

    async def glance(self, words: str) -> RenderedReply | None:
        """Return an answer that anybody may read, at once and without a model; None when there is none. Stores nothing.

        Raises PortError.
        """

    async def moved(self, old: Place, new: Place) -> None:
        """Store that a chat has another name from now on: what is said and set there goes with it."""


class Platform(Protocol):
    """A place where people ask, and where messages are shown."""

    name: PlatformName
    # Whether a sign that the question has arrived is a message, which the answer then replaces.
    shows_sign: bool
    # Whether of several copies of the bot only one may run it at a time, while all may show messages.
    alone: bool

    def connected(self) -> AbstractAsyncContextManager[None]:
        """Hold the connection over which messages are shown while inside.

        Raises ConfigError for what a person must change, DeliveryError when the platform cannot be reached now.
        """

    async def run(self, intake: Intake, ready: Callable[[str], Awaitable[None]]) -> None:
        """Bring in what people do until cancelled, inside `connected`; `ready` is told once, in words, when it begins.

        Raises as `connected` does.
        """

    def parts(self, reply: RenderedReply) -> tuple[Part, ...]:
        """Return the reply in this platform's messages, the answer's first."""

    def button(self, said: str | Tasks, button: str, label: str) -> Body:
        """Return a message of one sentence with one button, whose press brings `button` to the intake."""

    def after(self, body: Body, button: str) -> Body:
        """Return a message once a button of it was pressed: others of its kind are gone, and a choice is named."""

    def working(self, question: Question) -> AbstractAsyncContextManager[None]:
        """Let the asker see that somebody is at work while inside, if the platform has a sign for it. Never raises."""

    async def show(self, message: Outgoing) -> Outcome:
        """Post, change or remove the message, once; `Later` when not connected. Never raises PortError."""

    async def tell(self, message: Outgoing) -> Outcome:
        """Let it be seen how an answer goes: in the message that `shown` names, else by a sign that passes, if any.

        Nothing is ever posted. `Later`: real messages go first. Never raises PortError.
        """

    async def find(self, message: Outgoing) -> Seen:
        """Look whether a message of doubtful fate stands in the chat."""

    def health(self) -> Health:
        """Return whether messages reach us."""
