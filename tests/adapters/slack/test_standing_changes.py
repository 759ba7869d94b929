"""Somebody is a guest now, or reads another language: what an event says of them holds from that moment on."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.people import People, Person
from core.phrases import phrase
from tests.adapters.slack.scene import Scene
from tests.adapters.slack.test_commands import whispers
from tests.platforms.slack.lookup_methods import described


async def changed(stage: Scene, kind: str = "user_change", **traits: Any) -> None:
    """Let U1 be somebody else from now on, and Slack tell of it."""
    workspace = stage.slack.workspace
    workspace.users["U1"] = replace(workspace.users["U1"], **traits)
    await stage.slack.deliver({"type": kind, "user": described(workspace, workspace.users["U1"]), "event_ts": "1.1"})
    await stage.slack.settled()


@pytest.mark.parametrize(("locale", "language"), [("en-GB", "en"), ("ru-RU", "ru")])
@pytest.mark.parametrize("way", ["direct", "channel", "/ask"])
async def test_who_becomes_a_guest_is_answered_no_more(stage: Scene, way: str, locale: str, language: str) -> None:
    """Though they had been answered a moment ago, as a member."""
    stage.slack.add_user("U1", name="Ada", locale=locale)
    direct = stage.slack.open_dm("U1")
    first = await stage.slack.post_as("U1", direct, "How many days?")
    await stage.answered(direct, first)
    await changed(stage, is_guest=True)
    before = len(stage.desk.questions)
    if way == "/ask":
        await stage.slack.command_as("U1", "C1", "/ask", "How many days?")
    else:
        place = direct if way == "direct" else "C1"
        await stage.slack.post_as("U1", place, "How many days?" if way == "direct" else f"{stage.at_bot} How many?")

    assert [phrase("outside_person", language)] == [one[2] for one in await whispers(stage)]
    assert before == len(stage.desk.questions)


@pytest.mark.parametrize("kind", ["user_change", "user_profile_changed"])
@pytest.mark.parametrize(("old", "new", "language"), [("ru-RU", "en-US", "en"), ("en-US", "ru-RU", "ru")])
async def test_another_language_is_spoken_at_once(stage: Scene, kind: str, old: str, new: str, language: str) -> None:
    """To who has just chosen it."""
    stage.slack.add_user("U1", name="Ada", locale=old)
    await stage.slack.command_as("U1", "C1", "/ask", " ")
    await whispers(stage)
    await changed(stage, kind, locale=new)
    await stage.slack.command_as("U1", "C1", "/ask", " ")

    assert phrase("private_how", language) == (await whispers(stage, 2))[1][2]


async def test_an_answer_from_before_the_change_is_not_kept() -> None:
    """A look-up that was under way when the event came is made anew for who waits for it, and remembered as it is."""
    people = People(AsyncWebClient())
    went, asked = asyncio.Event(), 0

    async def look(*_: object) -> Person:
        nonlocal asked
        asked += 1
        is_first = asked == 1
        await went.wait()
        return Person("en", is_guest=not is_first)

    people._ask = look  # type: ignore[method-assign]
    waiting = asyncio.create_task(people.person("T1", "U1"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    people.forget("U1")
    went.set()

    assert Person("en", is_guest=True) == await waiting == people.known("T1", "U1")
