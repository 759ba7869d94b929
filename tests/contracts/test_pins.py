"""The answers that a person has checked, as they are kept."""

from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.storage.database import Database
from adapters.storage.pins import SqlPins
from core.pin import Pin
from tests.adapters.storage.turns import NOON

PIN = Pin("acme", "Где применял RAG?", "telegram:7:1", 0, {"answer": "Там 🦔"}, "telegram:1", NOON)


@pytest.fixture
def pins(database: Database) -> SqlPins:
    """Return the place where nothing is kept yet."""
    return SqlPins(database)


async def test_one_is_found_by_its_words_in_its_workspace(pins: SqlPins) -> None:
    """And by nothing else: case counts, and another workspace has its own."""
    number = await pins.put(PIN)

    assert [replace(PIN, number=number)] == list(await pins.standing("acme", PIN.words))
    assert [] == list(await pins.standing("other", PIN.words))
    assert [] == list(await pins.standing("acme", PIN.words.lower()))


async def test_the_newest_comes_first_and_the_same_answer_is_kept_once(pins: SqlPins) -> None:
    """Kept again, it is the latest person's, and stands again if it had fallen."""
    first = await pins.put(PIN)
    second = await pins.put(replace(PIN, question="telegram:7:2", at=NOON + timedelta(minutes=1)))
    order = [pin.number for pin in await pins.standing("acme", PIN.words)]
    await pins.fall(first, "Leave has changed", NOON)
    again = await pins.put(replace(PIN, by="telegram:2", at=NOON + timedelta(minutes=2)))

    assert ([second, first], first) == (order, again)
    assert [("telegram:2", None), ("telegram:1", None)] == [
        (pin.by, pin.because) for pin in await pins.standing("acme", PIN.words)
    ]


async def test_a_fallen_one_is_listed_with_the_first_reason(pins: SqlPins) -> None:
    """It is not found any more."""
    number = await pins.put(PIN)
    await pins.fall(number, "Отпуск изменился", NOON)
    await pins.fall(number, "another", NOON + timedelta(minutes=1))

    assert [] == list(await pins.standing("acme", PIN.words))
    assert [replace(PIN, number=number, fallen_at=NOON, because="Отпуск изменился")] == list(await pins.all())


async def test_one_is_removed_once(pins: SqlPins) -> None:
    """By its number, which the answer knows."""
    number = await pins.put(PIN)
    known = await pins.of("telegram:7:1", 0)

    assert known is not None
    assert (number, None) == (known.number, await pins.of("telegram:7:1", 1))
    assert [True, False] == [await pins.remove(number), await pins.remove(number)]
    assert [] == list(await pins.all())
