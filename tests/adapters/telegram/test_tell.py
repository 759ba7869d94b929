"""How an answer goes is told as a draft or in the message that stands for it, and messages always go first."""

from typing import Any

import pytest

from core.delivery import Doubtful, Later, Outcome, Refused, Shown
from tests.adapters.telegram.scene import (
    ANNA,
    FORUM,
    TEAM,
    Hands,
    calls,
    joined,
    outgoing,
    place_of,
    ref,
    telegram,
    unpaced,
    words,
)

DRAFT = "sendMessageDraft"


async def test_a_private_chat_has_a_draft_that_grows() -> None:
    """One draft for a question; nothing of it is left when the answer comes, which is the only message."""
    async with telegram() as tg, joined(tg, unpaced) as platform:
        asked = await tg.say(ANNA, ANNA, "Сколько дней?")
        told = [await platform.tell(outgoing(asked, words(text))) for text in ("Читаю…", "• 28 дней\nПишу…")]
        await platform.show(outgoing(asked, words("• 28 дней")))

    assert [Shown(None)] * 2 == told
    assert "• 28 дней\nПишу…" == tg.draft(ANNA, asked.message_id)
    assert ["• 28 дней"] == [message.text for message in tg.bot_messages(ANNA)]


@pytest.mark.parametrize("chat", [TEAM, FORUM])
async def test_a_group_has_typing_alone(chat: int) -> None:
    """Twenty messages a minute are for answers."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, chat, "/ask")
        outcome = await platform.tell(outgoing(asked, words("Reading…")))

    assert (Refused, []) == (type(outcome), calls(tg, DRAFT, "sendMessage", "editMessageText"))


@pytest.mark.parametrize("chat", [ANNA, TEAM])
async def test_a_message_that_stands_for_the_answer_tells_it(chat: int) -> None:
    """As the one that says that the line is long; told the same again, it stands as it is to."""
    async with telegram() as tg, joined(tg, unpaced) as platform:
        asked = await tg.say(ANNA, chat, "/ask")
        sign = place_of(await platform.show(outgoing(asked, words("You are number 9."))))
        told = [await platform.tell(outgoing(asked, words("Reading…"), shown=sign)) for _ in range(2)]

    assert [Shown(sign)] * 2 == told
    assert ["Reading…"] == [message.text for message in tg.bot_messages(chat)]


async def test_messages_go_first() -> None:
    """What is told leaves room for an answer at any moment, and is told when there is room for it."""
    clock = Hands()
    async with telegram() as tg, joined(tg, clock) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        first = await platform.tell(outgoing(asked, words("1…")))
        early = await platform.tell(outgoing(asked, words("2…")))
        answers = [await platform.show(outgoing(asked, words(f"answer {n}"), f"answer-{n}")) for n in (1, 2)]
        clock.now += 3.1
        late = await platform.tell(outgoing(asked, words("3…")))

    assert [Shown, Later, Shown] == [type(one) for one in (first, early, late)]
    assert [Shown, Shown] == [type(one) for one in answers]


@pytest.mark.parametrize(
    ("trouble", "kind"),
    [
        ({"retry_after": 7}, Refused),
        ({"status": 404, "description": "Not Found"}, Refused),
        ({"status": 400, "description": "Bad Request: TEXTDRAFT_PEER_INVALID"}, Refused),
        ({"status": 403, "description": "Forbidden: bot was blocked by the user"}, Refused),
        ({"status": 500, "description": "Internal Server Error"}, Doubtful),
        ({"drop": "after"}, Doubtful),
    ],
)
async def test_what_goes_wrong_is_the_end_of_it(trouble: dict[str, Any], kind: type[Outcome]) -> None:
    """It is tried once; the answer comes all the same."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        tg.fail_next(DRAFT, **trouble)
        outcome = await platform.tell(outgoing(asked, words("Reading…")))

    assert (kind, [DRAFT]) == (type(outcome), calls(tg, DRAFT, "sendMessage"))


async def test_a_server_without_drafts_is_asked_once() -> None:
    """An older Bot API server answers 404 to a method that it does not know."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        tg.fail_next(DRAFT, status=404, description="Not Found", times=5)
        told = [type(await platform.tell(outgoing(asked, words("Reading…")))) for _ in range(3)]

    assert ([Refused] * 3, [DRAFT]) == (told, calls(tg, DRAFT))


async def test_a_sign_that_is_gone_is_not_posted_again() -> None:
    """Only the answer may be."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        outcome = await platform.tell(outgoing(asked, words("Reading…"), shown=ref(asked)))

    assert (Refused, []) == (type(outcome), calls(tg, "sendMessage"))
