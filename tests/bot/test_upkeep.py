"""What runs beside the answers: a defect in it is no matter to them."""

import asyncio

import pytest

from bot import upkeep
from bot.upkeep import steadily


async def test_a_defect_ends_nothing(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """It is logged with its place and without anybody's words, and what failed begins again until it is cancelled."""
    monkeypatch.setattr(upkeep, "AGAIN", 0.0)
    begun = asyncio.Semaphore(0)
    tries = 0

    async def sweeps() -> None:
        nonlocal tries
        tries += 1
        begun.release()
        if tries < 3:
            raise ValueError("секрет Анны")
        await asyncio.Event().wait()

    task = asyncio.create_task(steadily(sweeps))
    for _ in range(3):
        await asyncio.wait_for(begun.acquire(), 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert [message.count("test_upkeep.py") for message in caplog.messages] == [1, 1]
    assert "секрет" not in caplog.text
