"""A running stand-in and the real client library pointed at it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from telegram import Bot, Update
from telegram.error import BadRequest
from telegram.ext import Application, ApplicationBuilder, TypeHandler

from .standin import TelegramStandIn

ANNA = 1001
BORIS = 1002
TEAM = -100123

Answer = Callable[[Update], Awaitable[object]]


@asynccontextmanager
async def talking(
    *, privacy_mode: bool = False, flood_limit: bool = False
) -> AsyncIterator[tuple[TelegramStandIn, Bot]]:
    """Give a stand-in with two people in one group, and a client for it."""
    tg = TelegramStandIn(privacy_mode=privacy_mode, flood_limit=flood_limit)
    tg.add_user(ANNA, "Anna", language_code="ru")
    tg.add_user(BORIS, "Boris")
    tg.add_group(TEAM, "Team", members=[ANNA, BORIS])
    async with tg, client(tg) as bot:
        yield tg, bot


def client(tg: TelegramStandIn, token: str | None = None) -> Bot:
    """Return a client that has not said anything yet."""
    return Bot(token or tg.token, base_url=tg.base_url, base_file_url=tg.base_file_url)


def refused(reason: str) -> pytest.RaisesExc[BadRequest]:
    """Expect a 400 with this reason; the client library changes the case of what it reports."""
    return pytest.raises(BadRequest, match=re.compile(reason, re.IGNORECASE))


def application(tg: TelegramStandIn, answer: Answer) -> Application:  # type: ignore[type-arg]
    """Return an application that hands every update to `answer`."""

    async def hand_over(update: Update, context: object) -> None:
        await answer(update)

    builder = ApplicationBuilder().token(tg.token)
    app = builder.base_url(tg.base_url).base_file_url(tg.base_file_url).build()
    app.add_handler(TypeHandler(Update, hand_over))
    return app
