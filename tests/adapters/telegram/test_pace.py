"""Telegram is never asked more than it takes, and nobody waits for ever."""

import asyncio
from bisect import bisect_right
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.telegram.pace import EVERYWHERE, FEWEST, GROUP, IDLE_SECONDS, PRIVATE, Pace
from core.pacing import Limit, share
from tests.adapters.telegram.scene import ANNA, BORIS, TEAM, Hands
from tests.doubles.tally import TallyInMemory

chats = st.sampled_from([ANNA, BORIS, TEAM, -TEAM, -5, *range(10, 50)])
gaps = st.sampled_from([0.0, 0.0, 0.0, 0.01, 0.3, 1.0, 2.9, 17.0])


def limits(chat: int) -> tuple[Limit, ...]:
    return GROUP if chat < 0 else PRIVATE


def most_within(times: list[float], seconds: float) -> int:
    """Return the most calls that any stretch of so many seconds holds."""
    return max((bisect_right(times, start + seconds - 1e-6) - number for number, start in enumerate(times)), default=0)


@settings(max_examples=50)
@given(st.lists(st.tuples(gaps, chats, st.booleans()), max_size=300))
def test_no_stretch_of_time_holds_more_than_its_limit(steps: list[tuple[float, int, bool]]) -> None:
    """Whatever is sent or signalled where and when, no window of any budget is overdrawn."""
    clock = Hands()
    pace, made = Pace(clock), dict[int, list[float]]()
    for gap, chat, courtesy in steps:
        clock.now += gap
        if pace.spares(chat) if courtesy else pace.wait(chat) == 0:
            pace.take(chat)
            made.setdefault(chat, []).append(clock.now)

    everything = sorted(chain(*made.values()))
    assert most_within(everything, EVERYWHERE.seconds) <= EVERYWHERE.calls
    for chat, times in made.items():
        assert all(most_within(times, limit.seconds) <= limit.calls for limit in limits(chat))


@settings(max_examples=50)
@given(st.lists(st.tuples(gaps, chats), max_size=100), chats, st.integers(1, 3))
def test_who_waits_as_long_as_told_may_speak(steps: list[tuple[float, int]], chat: int, calls: int) -> None:
    """The wait is never longer than the longest stretch, and it is enough for all the calls it was asked for."""
    clock = Hands(123.456)
    pace = Pace(clock)
    for gap, other in steps:
        clock.now += gap
        if pace.wait(other) == 0:
            pace.take(other)
    wait = pace.wait(chat, calls)
    clock.now += wait

    assert 0 <= wait < IDLE_SECONDS
    for _ in range(calls):
        assert pace.wait(chat) == 0
        pace.take(chat)


@settings(max_examples=50)
@given(st.lists(chats, min_size=1, max_size=120))
def test_everybody_gets_a_turn(wanted: list[int]) -> None:
    """However many messages contend, all are sent, each after no more than what its chat and all chats need."""
    clock = Hands()
    pace, waiting = Pace(clock), [(0.0, chat) for chat in wanted]
    while waiting:
        waiting.sort()
        when, chat = waiting.pop(0)
        clock.now = max(clock.now, when)
        if wait := pace.wait(chat):
            waiting.append((clock.now + wait, chat))
        else:
            pace.take(chat)

    assert clock.now <= 70 * (1 + len(wanted) / 20)


@pytest.mark.parametrize(("chat", "burst", "minute"), [(ANNA, 3, 60), (TEAM, 3, 20)])
def test_a_chat_gets_a_short_burst_and_then_its_share(chat: int, burst: int, minute: int) -> None:
    """In private three at once and then one a second; in a group three at once and twenty a minute."""
    clock, made = Hands(), list[float]()
    pace = Pace(clock)
    while clock.now < 60:
        if wait := pace.wait(chat):
            clock.now += wait
        else:
            pace.take(chat)
            made.append(clock.now)

    assert [0.0] * burst == [each for each in made if each == 0]
    assert minute - 3 <= len([each for each in made if each < 60]) <= minute


def test_a_penalty_is_kept_to_and_concerns_one_chat() -> None:
    """Until it is over nothing goes there, not even a courtesy; a shorter one later takes nothing off it."""
    clock = Hands()
    pace = Pace(clock)
    pace.penalize(ANNA, 30)
    pace.penalize(ANNA, 5)

    assert (pace.wait(ANNA), pace.spares(ANNA), pace.wait(BORIS)) == (30, False, 0)
    clock.now = 30
    assert (pace.wait(ANNA), pace.spares(ANNA)) == (0, True)


@pytest.mark.parametrize(("chat", "share"), [(ANNA, 1), (TEAM, 10)])
def test_a_courtesy_leaves_half_of_each_budget(chat: int, share: int) -> None:
    """The signal that somebody is typing never takes the place of an answer."""
    clock = Hands()
    pace, made = Pace(clock), 0
    for step in range(120):
        clock.now = step / 2 if chat == TEAM else 0
        if pace.spares(chat):
            pace.take(chat)
            made += 1

    assert made == share


def test_chats_that_are_silent_are_forgotten() -> None:
    """A million chats in a year take no more memory than those of the last minute."""
    clock = Hands()
    pace = Pace(clock)
    for chat in range(1, 20_000):
        clock.now += 0.1
        pace.take(chat)
        pace.penalize(chat, 1)

    assert len(pace._chats) <= 10 * IDLE_SECONDS + 1
    assert len(pace._penalties) <= 11


@settings(max_examples=40)
@given(st.lists(st.tuples(gaps, chats, st.booleans(), st.integers(0, 2)), max_size=300))
def test_copies_together_keep_what_one_would(steps: list[tuple[float, int, bool, int]]) -> None:
    """Whichever of three sends what and when, no window of any budget is overdrawn."""
    clock = Hands()
    tally = TallyInMemory(clock)
    paces, made = [Pace(clock, lambda: 3, tally) for _ in range(3)], dict[int, list[float]]()

    async def send() -> None:
        for gap, chat, courtesy, copy in steps:
            clock.now += gap
            pace = paces[copy]
            may = pace.spares(chat) if courtesy else pace.wait(chat) == 0
            if may and await pace.turn(chat) == 0:
                made.setdefault(chat, []).append(clock.now)

    asyncio.run(send())

    assert most_within(sorted(chain(*made.values())), EVERYWHERE.seconds) <= EVERYWHERE.calls
    for chat, times in made.items():
        assert all(most_within(times, limit.seconds) <= limit.calls for limit in limits(chat))


@pytest.mark.parametrize("copies", [2, 3])
@pytest.mark.parametrize(("chat", "seconds"), [(ANNA, PRIVATE[0].seconds), (TEAM, GROUP[0].seconds)])
async def test_any_copy_may_use_all_that_a_chat_gets(copies: int, chat: int, seconds: float) -> None:
    """Whoever asks thrice at once is answered at once by whichever copy, and after that all wait for the chat."""
    clock = Hands()
    tally = TallyInMemory(clock)
    paces = [Pace(clock, lambda: copies, tally) for _ in range(copies)]
    sent = 0
    while sent < (20 if chat < 0 else 3):
        if paces[0].wait(chat) == 0 and await paces[0].turn(chat) == 0:
            sent += 1
        else:
            clock.now += 1
    waits = [paces[1].wait(chat) or await paces[1].turn(chat), paces[1].wait_of_chat(chat)]
    clock.now += seconds + 1

    assert all(0 < wait <= seconds + 1 for wait in waits)
    assert await paces[1].turn(chat) == 0


async def test_what_cannot_be_counted_is_not_sent() -> None:
    """While the database that the copies share does not answer, messages wait and courtesies are left."""
    clock = Hands()
    tally = TallyInMemory(clock)
    pace = Pace(clock, lambda: 2, tally)
    tally.away = True

    assert await pace.turn(ANNA) == 1.0
    assert (pace.wait(ANNA), pace.spares(ANNA), pace.wait(BORIS)) == (1.0, False, 0.0)
    clock.now += 1
    tally.away = False
    assert (pace.wait(ANNA), await pace.turn(ANNA)) == (0.0, 0.0)


@given(st.sampled_from([*GROUP, *PRIVATE, EVERYWHERE]), st.integers(1, 60))
def test_a_share_lets_a_message_go_and_is_no_more_than_its_part(limit: Limit, copies: int) -> None:
    """A message may take several calls; at any number of copies their rate together is the limit's at most."""
    part = share(limit, copies, FEWEST)

    assert part.calls >= FEWEST
    assert copies * part.calls / part.seconds <= limit.calls / limit.seconds * (1 + 1e-9)
    assert share(limit, 1, FEWEST) == limit


def test_shares_follow_the_number_of_copies() -> None:
    """Of what all chats get in a second each of three has ten; once the others are gone, the rest is there at once."""
    copies = [3]
    pace = Pace(Hands(), lambda: copies[0])
    for chat in range(1, 11):
        assert pace.wait(chat) == 0
        pace.take(chat)

    assert pace.wait(11) > 0
    copies[0] = 1
    assert pace.wait(12) == 0
