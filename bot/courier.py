"""The courier: shows every message of the outbox once, in order, as often as it takes and never twice."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.patience import patiently
from core.conversation import MessageRef, Question
from core.delivery import FIRST, Absent, Body, CannotTell, Doubtful, Found, Later, Outcome, Outgoing, Refused, Shown
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
# What a platform has refused for so long is not tried any more: a button offers it. A process that was down meanwhile
# has not tried, so it counts from the first refusal that this one met.
GIVE_UP = timedelta(hours=24)
_NOT_NOW = Later(0.0, "real messages go first", expected=True)


class Courier:
    """Shows messages, one at a time in each channel or chat.

    `may_send`: whether others still think that we live; `look`: how a message may be shown that comes late;
    `elsewhere`: shows who asked what cannot be shown where they did.
    """

    def __init__(
        self,
        outbox: Outbox,
        platforms: Mapping[str, Platform],
        may_send: Callable[[], bool] = lambda: True,
        look: Callable[[Claim], Awaitable[Outgoing | Refused]] | None = None,
        elsewhere: Callable[[Claim, Refused], Awaitable[Outcome]] | None = None,
    ) -> None:
        self._elsewhere = elsewhere
        self._look_again = look
        self._outbox = outbox
        self._platforms = platforms
        self._may_send = may_send
        self._lanes: dict[Place, asyncio.Task[None]] = {}
        self._called: set[Place] = set()
        self._stopped = False
        self._in_hand: set[int] = set()
        self._strayed: set[int] = set()
        self._pauses: dict[int, float] = defaultdict(lambda: _FIRST_PAUSE)
        # The version of each message that was refused, and since when on the loop's clock.
        self._refused: dict[int, tuple[int, float]] = {}
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
        place = (question.platform, question.place)
        if self._stopped or place in self._lanes or not self._may_speak_in(place):
            return _NOT_NOW
        try:
            loan = await self._outbox.borrow(question.id, question.version)
        except PortError:
            return _NOT_NOW
        if loan is None:
            return _NOT_NOW
        if loan.claim:
            return await self._told_in_place(place, loan.claim, body)
        asked = MessageRef(question.platform, question.place, question.message)
        return await self._told(Outgoing(0, question.id, FIRST, body, asked, question.root))

    async def _told_in_place(self, place: Place, claim: Claim, body: Body) -> Outcome:
        """Change the sign, which is ours meanwhile, and give it back as what it was."""
        self._in_hand.add(claim.outgoing.id)
        try:
            outcome = await self._told(replace(claim.outgoing, body=body))
            await patiently(lambda: self._outbox.sent(claim, claim.outgoing.shown))
        finally:
            self._in_hand.discard(claim.outgoing.id)
        self.wake(place)
        return outcome

    async def _told(self, message: Outgoing) -> Outcome:
        outcome = await self._attempted(message)
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
        try:
            claim = await self._next(place)
            while claim:
                claim = await self._seen_to(place, claim)
        except PortError as error:
            log.warning("Messages for %s wait: %s", place[1], error)

    async def _next(self, place: Place) -> Claim | None:
        return await self._outbox.claim(place) if self._may_speak_in(place) else None

    async def _seen_to(self, place: Place, claim: Claim) -> Claim | None:
        self._in_hand.add(claim.outgoing.id)
        try:
            return await self._settle(place, claim, await self._outcome(claim))
        finally:
            self._in_hand.discard(claim.outgoing.id)

    def _may_speak_in(self, place: Place) -> bool:
        return self._may_send() and place not in self._resting

    async def _outcome(self, claim: Claim) -> Outcome | CannotTell:
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
            return await self._shown(replace(claim, outgoing=message), platform)
        except Exception as error:  # noqa: BLE001 - a defect in one message must not hold up the others
            return Refused(f"a defect: {whereabouts(error)}")

    async def _shown(self, claim: Claim, platform: Platform) -> Outcome:
        """Show it as those may see it who read there by now."""
        try:
            allowed = await self._look_again(claim) if self._look_again else claim.outgoing
        except PortError as error:
            return Later(_FIRST_PAUSE, f"who reads there is not known: {error}")
        if isinstance(allowed, Refused):
            return allowed
        outcome = await platform.show(allowed)
        if not isinstance(outcome, Refused) or self._elsewhere is None:
            return outcome
        try:
            return await self._elsewhere(replace(claim, outgoing=allowed), outcome)
        except PortError as error:
            return Later(_FIRST_PAUSE, f"who asked is not known: {error}")

    async def _settle(self, place: Place, claim: Claim, outcome: Outcome | CannotTell) -> Claim | None:
        """Note what became of the message, however long the database is away: until then nobody else touches it.

        Returns the next one to show there.
        """
        outbox = self._outbox
        if not isinstance(outcome, Later | Doubtful):
            self._forget(claim)
        match outcome:
            case Shown(message):
                return await patiently(lambda: outbox.sent(claim, message, claim_next=self._may_speak_in(place)))
            # Our own pace, or a platform that is not connected here, refuses nothing.
            case Later(reason=reason, expected=False, ours_alone=False) if self._is_refused_too_long(claim):
                await self._give_up(claim, reason, "not_shown")
            # One that was not in doubt before is looked for once.
            case Doubtful(reason) if self._is_refused_too_long(claim) and claim.in_doubt:
                await self._give_up(claim, reason, _doubt_of(claim))
            case Later():
                await self._put_back(place, claim, outcome)
            case Doubtful(reason, anew):
                await self._doubt(place, claim, reason, anew=anew)
            case Refused(reason):
                await self._refuse(claim, reason)
            case CannotTell():
                await self._lose(claim)
        return await self._next(place)

    def _is_refused_too_long(self, claim: Claim) -> bool:
        """Return whether the platform has refused this version for GIVE_UP, as far as this process has seen."""
        now, id_ = asyncio.get_running_loop().time(), claim.outgoing.id
        version, since = self._refused.get(id_, (claim.version, now))
        if version != claim.version:
            since = now
        self._refused[id_] = (claim.version, since)
        return now - since >= GIVE_UP.total_seconds()

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
            log.info("%s: %s; next try in %g s", claim.outgoing.platform.capitalize(), outcome.reason, seconds)
        if outcome.whole_place:
            self._resting[place] = asyncio.get_running_loop().time() + seconds
        wait, all_of_it = (0.0, False) if outcome.ours_alone else (seconds, outcome.whole_place)
        await patiently(lambda: self._outbox.later(claim, wait, outcome.reason, whole_place=all_of_it))
        self._wake_in(seconds, place)

    async def _give_up(self, claim: Claim, reason: str, why: str) -> None:
        """Offer what could not be shown, in place of the sign that stands for it; what is no answer goes unsaid."""
        reason = f"given up after {GIVE_UP}: {reason}"
        if not claim.final or claim.outgoing.body is None:
            await self._refuse(claim, reason)
            return
        self._forget(claim)
        log.error("%s of %s could not be shown: %s", claim.outgoing.part, claim.outgoing.question, reason)
        note = self._note(claim, why)
        await patiently(lambda: self._outbox.unknown(claim, note, in_place=True))

    def _forget(self, claim: Claim) -> None:
        self._pauses.pop(claim.outgoing.id, None)
        self._refused.pop(claim.outgoing.id, None)

    async def _refuse(self, claim: Claim, reason: str) -> None:
        self._forget(claim)
        told = claim.outgoing.question, reason
        # The sign, the answer and its evidence are refused for one reason, which is told once.
        log.log(
            logging.INFO if told in self._logged else logging.ERROR,
            "%s of %s could not be shown: %s",
            claim.outgoing.part,
            *told,
        )
        self._logged[told] = None
        if len(self._logged) > _REMEMBERED:
            del self._logged[next(iter(self._logged))]
        await patiently(lambda: self._outbox.refused(claim, reason))

    async def _lose(self, claim: Claim) -> None:
        """Nobody can tell whether it stands there: never send it again unasked, but offer to."""
        log.warning("Whether %s of %s arrived cannot be found out", claim.outgoing.part, claim.outgoing.question)
        note = self._note(claim, _doubt_of(claim)) if claim.final else None
        await patiently(lambda: self._outbox.unknown(claim, note))

    def _note(self, claim: Claim, why: str) -> Body:
        language = language_of(str((claim.outgoing.body or {}).get("text", "")))
        platform = self._platforms[claim.outgoing.platform]
        return platform.button(phrase(why, language), f"show:{claim.outgoing.question}", phrase("show_it", language))


def _doubt_of(claim: Claim) -> str:
    """Return the name of the sentence that says what may be missing."""
    return "maybe_sent_sources" if claim.outgoing.is_evidence else "maybe_sent"
