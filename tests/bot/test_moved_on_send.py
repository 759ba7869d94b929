"""A group that becomes a supergroup while it is answered, and no update says so: Telegram's refusal alone tells it."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from bot.wiring import channels_of
from tests.bot.office import BORIS, PATIENCE, at_work, town, write
from tests.platforms.telegram import TelegramStandIn
from tests.platforms.telegram.model import Chat

OLD, NEW = -7, -1007
PAGES = {
    "leave.md": "# Leave\n\nEverybody has 27 days of leave.\n\n## Sick leave\n\nSick leave takes 5 days at most.\n"
}


def migrate_in_silence(tg: TelegramStandIn) -> None:
    """Let the group have another number without any update: those of a bot that was away for a day are gone."""
    old = tg.world.chats[OLD]
    new = Chat(NEW, "supergroup", "Small")
    new.members, new.admins, old.migrated_to = old.members, old.admins, NEW
    tg.world.add_chat(new)


async def test_a_group_that_moves_while_it_is_answered_loses_nothing(tmp_path: Path) -> None:
    """The answer and its proof stand in the new one, once; its mode, its being let in and its conversation follow."""
    data = tmp_path / "data"
    await write(tmp_path / "docs", PAGES, data)
    async with town() as towns:
        _, tg = towns
        tg.add_group(OLD, "Small", members=[BORIS], kind="group")
        async with at_work(data, towns, TELEGRAM_ACCESS="list", TELEGRAM_ALLOWED=str(OLD)) as office:
            channels = channels_of(office.stores.database)
            await channels.set_mode(("telegram", str(OLD)), "all", changed_by="cli", at=datetime.now(UTC))
            await tg.say(BORIS, OLD, "/ask How many days of leave does everybody have?")
            migrate_in_silence(tg)
            answer, proof, *_ = await tg.wait_for_messages(NEW, count=2, timeout=PATIENCE)
            async with asyncio.timeout(PATIENCE):
                while await channels.modes() != {("telegram", str(NEW)): "all"}:
                    await asyncio.sleep(0.02)
            await tg.say(BORIS, NEW, "And how many of sick leave?", reply_to=answer.message_id)
            said = await tg.wait_for_messages(NEW, count=4, timeout=PATIENCE)
            await office.idle()

    assert "27 days" in answer.text
    assert proof.reply_to == answer.message_id
    assert "5 days" in said[2].text
    assert 4 == len(said) == len(tg.bot_messages(NEW))
    assert [] == tg.bot_messages(OLD)
