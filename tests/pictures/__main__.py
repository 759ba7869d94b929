"""`python -m tests.pictures FOLDER`: walk the journeys of both platforms in both languages, and draw them."""

import asyncio
import shutil
import sys
from pathlib import Path

from tests.bot.service import Offices, footnote_run
from tests.bot.terminal import footnote
from tests.pictures import slack_walk, telegram_walk
from tests.pictures.page import write_pages
from tests.pictures.slack_walk import ENGLISH, GENERAL, RUSSIAN, Said, SlackWalk
from tests.pictures.telegram_walk import TelegramWalk
from tests.pictures.telegram_ways import FORUM, TelegramWays
from tests.platforms.slack import SlackStandIn
from tests.platforms.telegram import TelegramStandIn

EXAMPLES = Path(__file__).parents[2] / "examples"
LANGUAGES: dict[str, tuple[str, str, Said]] = {
    "en": ("handbook", "en-GB", ENGLISH),
    "ru": ("portfolio", "ru-RU", RUSSIAN),
}


async def walk(folder: Path, name: str) -> None:
    """Walk through both platforms in one language, over the example in it."""
    example, locale, said = LANGUAGES[name]
    data = folder / f"data-{name}"
    async with workspace(locale) as slack, chats(locale) as telegram:
        both = Offices(slack, telegram)
        admins = f"slack:{slack_walk.TEAM}:{slack_walk.ADMIN}, telegram:{telegram_walk.ADMIN}"
        helpers = f"slack:{slack_walk.TEAM}:{slack_walk.HELPERS}"
        async with footnote_run(
            data, ADMINS=admins, HANDOFF_CHANNEL=helpers, TELEGRAM_INLINE="true", **both.polling
        ) as service:
            await service.says("Slack")
            drawn = await asyncio.gather(SlackWalk(slack, said).all(), TelegramWalk(telegram, said).all())
            drawn[1].extend(await TelegramWays(telegram, said).all())
        for platform, scenes in zip(("slack", "telegram"), drawn, strict=True):
            write_pages(folder, platform, name, scenes)
        print("\n".join(service.lines), *slack.violations, *telegram.warnings, sep="\n")
    print(f"{name}: {example}, {sum(map(len, drawn))} scenes in {folder}")


def workspace(locale: str) -> SlackStandIn:
    """Return a workspace with a person and an administrator."""
    slack = SlackStandIn()
    slack.add_user(slack_walk.PERSON, name="Anna", locale=locale)
    slack.add_user(slack_walk.ADMIN, name="Boris", locale=locale)
    members = [slack_walk.PERSON, slack_walk.ADMIN, slack.bot_user_id]
    slack.add_channel(GENERAL, members=members, name="general")
    slack.add_channel(slack_walk.HELPERS, members=members[1:], name="helpers")
    return slack


def chats(locale: str) -> TelegramStandIn:
    """Return private chats with a person and an administrator, and a group of both."""
    telegram = TelegramStandIn()
    telegram.add_user(telegram_walk.PERSON, "Anna", language_code=locale[:2])
    telegram.add_user(telegram_walk.ADMIN, "Boris", language_code=locale[:2])
    telegram.add_group(telegram_walk.TEAM, "Team", members=[telegram_walk.PERSON, telegram_walk.ADMIN])
    telegram.add_group(FORUM, "Forum", members=[telegram_walk.PERSON, telegram_walk.ADMIN], forum=True)
    return telegram


def main() -> None:
    """Index each example, then walk."""
    folder = Path(sys.argv[1]).resolve()
    for name in sys.argv[2:] or LANGUAGES:
        data = folder / f"data-{name}"
        shutil.rmtree(data, ignore_errors=True)  # what an earlier walk asked is known there
        data.mkdir(parents=True)
        done = footnote("index", str(EXAMPLES / LANGUAGES[name][0]), FOOTNOTE_DATA_DIR=str(data))
        print(done.out, done.err)
        asyncio.run(walk(folder, name))


if __name__ == "__main__":
    main()
