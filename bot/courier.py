"""The courier: shows every message of the outbox once, in order, as often as it takes and never twice."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from bot.patience import patiently
from bot.refusals import Refusals
from core.conversation import MessageRef, Question
from core.delivery import (
    FIRST,
    NOT_SURELY_OURS,
    Absent,
    Body,
    CannotTell,
    Doubtful,
    Found,
    Later,
    Outcome,
    Outgoing,
    Refused,
    Shown,
)
from core.errors import PortError, whereabouts
from core.phrases import phrase
from core.running import Outbox, Platform
from core.text import language_of
from core.work import NOTE, Claim, Place

log = logging.getLogger("footnote")

# Seconds between looks for messages that nobody in this process knows of: another replica's, or of before a start.
SWEEP = 1.0
# Sweeps between looks for messages that are ours without our knowing.
_CHECK_EVERY = 10
# Seconds before somebody looks for a message of unknown fate: it may still be on its way.
SETTLE = 1.0
# Seconds that one look at an answer in the making may take; the answer waits for it.
TELLING = 5.0
# Refusals that are remembered, so that the log tells each once.
_REMEMBERED = 1_000
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 60.0
_NOT_NOW = Later(0.0, "real messages go first", expected=True)


class Courier:
    """Shows messages, one at a time in each channel or chat.

    `term`: the number of the time for which others have taken us for alive, None when that may be over;
    `look`: how a message may be shown that comes late; `elsewhere`: shows it to who asked where the place is shut.
    """

    def __init__(
        self,
        outbox: Outbox,
        platforms: Mapping[str, Platform],
        term: Callable[[], int | None] = lambda: 0,
        look: Callable[[Claim], Awaitable[Outgoing | Refused]] | None = None,
        elsewhere: Callable[[Claim, Refused], Awaitable[Outcome]] | None = None,
    ) -> None:
        # Lets a place that the platform calls by another name keep all that is its own; it is made after us.
        self.moved: Callable[[Place, Place], Awaitable[None]] | None = None
        self._elsewhere = elsewhere
        self._look_again = look
        self._outbox = outbox
        self._platforms = platforms
        self._term = term
        self._lanes: dict[Place, asyncio.Task[None]] = {}
        self._called: set[Place] = set()
        self._stopped = False
        self._in_hand: set[int] = set()
        self._strayed: set[int] = set()
        self._pauses: dict[int, float] = defaultdict(lambda: _FIRST_PAUSE)
        self._refusals = Refusals()
        # Questions and the reasons for which a message of theirs was refused, as the log has told them.
        self._logged: dict[tuple[str, str], None] = {}
        self._timers: set[asyncio.TimerHandle] = set()
        # Where nothing can be shown until some time of the loop's clock.
        self._resting: dict[Place, float] = {}
        self._telling: set[asyncio.Task[Outcome]] = set()

    def wake(self, place: Place) -> None:
        """See to the messages for a channel or chat now, or once it may be spoken in again."""
        if self._stopped:
            return
        if self._resting.get(place, 0.0) > asyncio.get_running_loop().time():
            return
        self._resting.pop(place, None)
        if place in self._lanes:
            self._called.add(place)
            return
        task = asyncio.create_task(self._serve(place))
        self._lanes[place] = task
        task.add_done_callback(lambda _: self._rest(place))

    async def tell(self, question: Question, body: Body) -> Outcome:
        """Let it be seen how the answer to a question goes, unless real messages are on their way there.

        What is begun is ended, also when whoever waits for it is cancelled: only then may anything take its place.
        """
        task = asyncio.create_task(self._tell(question, body))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)
        return await asyncio.shield(task)

    async def run(self) -> None:
        """Look for messages that are due, until cancelled."""
        sweeps = 0
        while True:
            try:
                await self._look()
                if sweeps % _CHECK_EVERY == 0:
                    await self._check()
            except PortError as error:
                log.warning("Messages wait: %s", error)
            sweeps += 1
            await asyncio.sleep(SWEEP)

    async def finish(self, seconds: float) -> None:
        """Wait for the messages on their way, then stop."""
        self._stopped = True
        for timer in self._timers:
            timer.cancel()
        if under_way := {*self._lanes.values(), *self._telling}:
            await asyncio.wait(under_way, timeout=seconds)
        for task in self._lanes.values():
            task.cancel()
        await asyncio.gather(*self._lanes.values(), return_exceptions=True)

    async def _tell(self, question: Question, body: Body) -> Outcome:
        place, term = (question.platform, question.place), self._term()
        if self._stopped or place in self._lanes or not self._may_speak_in(place, term):
            return _NOT_NOW
        try:
            loan = await self._outbox.borrow(question.id, question.version)
        except PortError:
            return _NOT_NOW
        if loan is None:
            return _NOT_NOW
        if loan.claim:
            return await self._told_in_place(place, loan.claim, body, term)
        asked = MessageRef(question.platform, question.place, question.message)
        return await self._told(Outgoing(0, question.id, FIRST, body, asked, question.root), term)

    async def _told_in_place(self, place: Place, claim: Claim, body: Body, term: int | None) -> Outcome:
        """Change the sign, which is ours meanwhile, and give it back as what it was."""
        self._in_hand.add(claim.outgoing.id)
        try:
            outcome = await self._told(replace(claim.outgoing, body=body), term)
            await patiently(lambda: self._outbox.sent(claim, claim.outgoing.shown))
        finally:
            self._in_hand.discard(claim.outgoing.id)
        self.wake(place)
        return outcome

    async def _told(self, message: Outgoing, term: int | None) -> Outcome:
        # The claim may have been long in coming: another copy may have shown the answer by now.
        outcome = await self._attempted(message) if self._lasts(term) else NOT_SURELY_OURS
        if isinstance(outcome, Doubtful):
            # It may still be on its way, and must not come after the answer.
            await asyncio.sleep(SETTLE)
        return outcome

    async def _attempted(self, message: Outgoing) -> Outcome:
        try:
            async with asyncio.timeout(TELLING):
                return await self._platforms[message.platform].tell(message)
        except TimeoutError:
            return Doubtful("no answer in time")
        except Exception as error:  # noqa: BLE001 - the answer does not depend on it
            return Refused(f"a defect: {whereabouts(error)}")

    async def _look(self) -> None:
        for place, at in (await self._outbox.due(tuple(self._platforms))).items():
            if at <= datetime.now(UTC):
                self.wake(place)

    async def _check(self) -> None:
        """Let go of what is ours in the database alone: its answer to a claim was lost, twice as long ago as a look."""
        strayed = await self._outbox.held() - self._in_hand
        if lost := strayed & self._strayed:
            await self._outbox.let_go(lost)
        self._strayed = strayed - lost

    def _rest(self, place: Place) -> None:
        self._lanes.pop(place, None)
        if place in self._called:
            self._called.discard(place)
            self.wake(place)

    def _wake_in(self, seconds: float, place: Place) -> None:
        """See to a place after some time; the sweep would, too, but later."""

        def due() -> None:
            self._timers.discard(timer)
            self.wake(place)

        timer = asyncio.get_running_loop().call_later(seconds, due)
        self._timers.add(timer)

    async def _serve(self, place: Place) -> None:
        # What is claimed in one term is not shown in another.
        term = self._term()
        try:
            claim = await self._next(place, term)
            while claim:
                claim = await self._seen_to(place, claim, term)
        except PortError as error:
            log.warning("Messages for %s wait: %s", place[1], error)

    async def _next(self, place: Place, term: int | None) -> Claim | None:
        return await self._outbox.claim(place) if self._may_speak_in(place, term) else None

    async def _seen_to(self, place: Place, claim: Claim, term: int | None) -> Claim | None:
        self._in_hand.add(claim.outgoing.id)
        try:
            return await self._settle(place, claim, await self._outcome(claim, term), term)
        finally:
            self._in_hand.discard(claim.outgoing.id)

    def _may_speak_in(self, place: Place, term: int | None) -> bool:
        return self._lasts(term) and place not in self._resting

    def _lasts(self, term: int | None) -> bool:
        """Return whether nobody can have taken us for dead since the term began."""
        return term is not None and self._term() == term

    async def _outcome(self, claim: Claim, term: int | None) -> Outcome | CannotTell:
        """Show the message, after a look for it where it may stand already."""
        platform = self._platforms[claim.outgoing.platform]
        message = claim.outgoing
        try:
            if claim.in_doubt:
                match await platform.find(message):
                    case Found(ref) if claim.version == 1:
                        return Shown(ref)
                    case Found(ref):
                        # It stands there, and once said something else: whether that was ever changed is not known.
                        message = replace(message, shown=ref)
                    # A note may come twice; nobody would hear of the answer if it never came.
                    case CannotTell() if claim.tried == claim.version and not message.shown and message.part != NOTE:
                        return CannotTell()
                    case Later() as later:
                        return later
                    case Absent() | CannotTell():
                        pass
            if message.body is None and message.shown is None:
                return Shown(None)
            return await self._shown(replace(claim, outgoing=message), platform, term)
        except Exception as error:  # noqa: BLE001 - a defect in one message must not hold up the others
            return Refused(f"a defect: {whereabouts(error)}")

    async def _shown(self, claim: Claim, platform: Platform, term: int | None) -> Outcome:
        """Show it as those may see it who read there by now, if it is surely still ours after all that was awaited."""
        try:
            allowed = await self._look_again(claim) if self._look_again else claim.outgoing
        except PortError as error:
            return Later(_FIRST_PAUSE, f"who reads there is not known: {error}")
        if isinstance(allowed, Refused):
            return allowed
        if not self._lasts(term):
            return NOT_SURELY_OURS
        outcome = await platform.show(allowed)
        if isinstance(outcome, Refused) and self._elsewhere:
            return await self._shown_elsewhere(replace(claim, outgoing=allowed), outcome, term)
        return outcome

    async def _shown_elsewhere(self, claim: Claim, why: Refused, term: int | None) -> Outcome:
        assert self._elsewhere
        if not self._lasts(term):
            return NOT_SURELY_OURS
        try:
            outcome = await self._elsewhere(claim, why)
        except PortError as error:
            return Later(_FIRST_PAUSE, f"who asked is not known: {error}")
        if isinstance(outcome, Shown) and not why.shut:
            asked = claim.outgoing
            log.warning("%s of %s is shown to who asked alone: %s", asked.part, asked.question, why.reason)
        return outcome

    async def _settle(
        self, place: Place, claim: Claim, outcome: Outcome | CannotTell, term: int | None
    ) -> Claim | None:
        """Note what became of the message, however long the database is away: until then nobody else touches it.

        Returns the next one to show there.
        """
        outbox, refusals = self._outbox, self._refusals
        if not isinstance(outcome, Later | Doubtful):
            self._forget(claim)
        match outcome:
            case Shown(message, str(name)) if self.moved and name != place[1]:
                await patiently(lambda: outbox.sent(claim, message))
                await patiently(partial(self.moved, place, (place[0], name)))
            case Shown(message):
                self._refusals.shown_in(place)
                may_go_on = partial(self._may_speak_in, place, term)
                return await patiently(lambda: outbox.sent(claim, message, claim_next=may_go_on()))
            # Our own pace, or a platform that is not connected here, refuses nothing.
            case Later(reason=reason, expected=False, ours_alone=False) if after := self._refusals.too_long(
                place, claim
            ):
                await self._give_up(claim, f"given up after {after}: {reason}", "not_shown")
            # One that was not in doubt before is looked for once.
            case Doubtful(reason) if (after := refusals.too_long(place, claim)) and claim.in_doubt:
                await self._give_up(claim, f"given up after {after}: {reason}", _said_of(claim, "maybe_sent"))
            case Later():
                await self._put_back(place, claim, outcome)
            case Doubtful(reason, anew):
                await self._doubt(place, claim, reason, anew=anew)
            case Refused(reason) as refused:
                is_offered = not (refused.shut or refused.withheld)
                await self._give_up(claim, reason, _said_of(claim, "refused") if is_offered else None)
            case CannotTell():
                await self._lose(claim)
        return await self._next(place, term)

    async def _doubt(self, place: Place, claim: Claim, reason: str, *, anew: bool) -> None:
        log.info("Whether %s of %s arrived is not known: %s", claim.outgoing.part, claim.outgoing.question, reason)
        seconds = max(SETTLE, self._pause(claim))
        await patiently(lambda: self._outbox.doubted(claim, seconds, reason, anew=anew))
        self._wake_in(seconds, place)

    def _pause(self, claim: Claim) -> float:
        """Return how long to wait before the message is tried again, each time longer."""
        pause = self._pauses[claim.outgoing.id]
        self._pauses[claim.outgoing.id] = min(2 * pause, _LONGEST_PAUSE)
        return pause

    async def _put_back(self, place: Place, claim: Claim, outcome: Later) -> None:
        pause = self._pause(claim)
        seconds = outcome.seconds if outcome.whole_place else max(outcome.seconds, pause)
        if not outcome.expected and (pause == _FIRST_PAUSE or not outcome.whole_place):
            # A minute in which nothing is shown somewhere is worth an operator's look, with the place that it is.
            level, where = logging.WARNING if seconds >= _LONGEST_PAUSE else logging.INFO, claim.outgoing.asked.place
            name = claim.outgoing.platform.capitalize()
            log.log(level, "%s: a message in %s waits: %s; next try in %g s", name, where, outcome.reason, seconds)
        if outcome.whole_place:
            self._resting[place] = asyncio.get_running_loop().time() + seconds
        wait, all_of_it = (0.0, False) if outcome.ours_alone else (seconds, outcome.whole_place)
        await patiently(lambda: self._outbox.later(claim, wait, outcome.reason, whole_place=all_of_it))
        self._wake_in(seconds, place)

    async def _give_up(self, claim: Claim, reason: str, why: str | None) -> None:
        """Offer what could not be shown, in place of the sign that stands for it; what is no answer goes unsaid.

        `why`: the name of the sentence that offers it; None where that could not be said either, or must not be.
        """
        self._forget(claim)
        self._log(claim, reason)
        if why and claim.final and claim.outgoing.body is not None:
            note = self._note(claim, why)
            await patiently(lambda: self._outbox.unknown(claim, note, in_place=True))
        else:
            await patiently(lambda: self._outbox.refused(claim, reason))

    def _forget(self, claim: Claim) -> None:
        self._pauses.pop(claim.outgoing.id, None)
        self._refusals.forget(claim)

    def _log(self, claim: Claim, reason: str) -> None:
        """Log what could not be shown; the sign, the answer and its evidence are refused for one reason, told once."""
        told = claim.outgoing.question, reason
        level = logging.INFO if told in self._logged else logging.ERROR
        log.log(level, "%s of %s could not be shown: %s", claim.outgoing.part, *told)
        self._logged[told] = None
        if len(self._logged) > _REMEMBERED:
            del self._logged[next(iter(self._logged))]

    async def _lose(self, claim: Claim) -> None:
        """Nobody can tell whether it stands there: never send it again unasked, but offer to."""
        log.warning("Whether %s of %s arrived cannot be found out", claim.outgoing.part, claim.outgoing.question)
        note = self._note(claim, _said_of(claim, "maybe_sent")) if claim.final else None
        await patiently(lambda: self._outbox.unknown(claim, note))

    def _note(self, claim: Claim, why: str) -> Body:
        language = language_of(str((claim.outgoing.body or {}).get("text", "")))
        platform = self._platforms[claim.outgoing.platform]
        return platform.button(phrase(why, language), f"show:{claim.outgoing.question}", phrase("show_it", language))


def _said_of(claim: Claim, what: str) -> str:
    """Return the name of the sentence that says it of the answer, or of its sources."""
    return f"{what}_sources" if claim.outgoing.is_evidence else what
