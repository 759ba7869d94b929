"""Telegram with people in it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from core.press import HALT
from tests.faults.town import SOURCES, Asked, PlatformName, Sight, Sights
from tests.platforms.telegram import Message, TelegramStandIn
from tests.platforms.telegram.markup import button_data

PEOPLE = tuple(range(1001, 1009))
GROUPS = {"C1": -1001, "C2": -1002, "C3": -1003}
# What Telegram refuses without any harm: a change that changes nothing, and the second answer to a press, which is told
# of again when a worker died before it could confirm that it had heard of it.
_HARMLESS = ("message is not modified", "query is too old")


class _Drafts(dict[tuple[int, int], str]):
    """The drafts of a chat, which besides are seen."""

    def __init__(self, seen: Sights) -> None:
        self._seen = seen

    def __setitem__(self, key: tuple[int, int], text: str) -> None:
        self._seen.add(str(key[0]), str(key[1]), text)
        super().__setitem__(key, text)


@dataclass
class TelegramTown:
    """Satisfies `Town`: threads of C1 are private chats, those of the others reply chains in a group."""

    telegram: TelegramStandIn
    sights: Sights = field(default_factory=Sights)
    name: PlatformName = "telegram"
    posts: tuple[str, ...] = ("sendMessage",)
    changes: tuple[str, ...] = ("editMessageText",)
    tells_of_deletions: bool = False
    drafts: Sights = field(default_factory=Sights)
    _threads: dict[str, int] = field(default_factory=dict)
    _told: dict[tuple[int, int], Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        world = self.telegram.world
        put, remove, add = world.put, world.remove, world.updates.add

        def seen(message: Message) -> Message:
            if message.sender == world.bot:
                evidence = message.text.startswith(SOURCES)
                place, number, asked = (
                    str(each or "") for each in (message.chat_id, message.message_id, message.reply_to)
                )
                self.sights.add(place, number, message.text, evidence=evidence, asked=asked)
            return put(message)

        def removed(message: Message) -> None:
            if message.sender == world.bot:
                self.sights.add(str(message.chat_id), str(message.message_id), None)
            remove(message)

        def told(kind: str, content: Any) -> Any:
            update = add(kind, content)
            if update and "message" in update:
                self._told[content["chat"]["id"], content["message_id"]] = deepcopy(update)
            return update

        world.drafts = _Drafts(self.drafts)
        world.put, world.remove, world.updates.add = seen, removed, told  # type: ignore[method-assign]

    @property
    def env(self) -> Mapping[str, str]:
        return {
            "TELEGRAM_BOT_TOKEN": self.telegram.token,
            "TELEGRAM_BASE_URL": self.telegram.base_url,
            "TELEGRAM_BASE_FILE_URL": self.telegram.base_file_url,
        }

    async def ask(self, asked: Asked, text: str) -> None:
        person, chat = self._where(asked)
        if chat < 0:
            asked.thread = f"{asked.thread}/{asked.number}"
            text = f"@{self.telegram.bot.username} {text}"
        said = await self.telegram.say(person, chat, text)
        asked.place, asked.message = str(chat), str(said.message_id)

    def is_taken(self, asked: Asked) -> bool:
        """Return True: Telegram tells of one message after the other."""
        return True

    async def edit(self, asked: Asked, text: str) -> None:
        if int(asked.place) < 0:
            text = f"@{self.telegram.bot.username} {text}"
        await self.telegram.edit(int(asked.place), int(asked.message), text)

    async def delete(self, asked: Asked) -> None:
        """Take it away; the bot is never told, so the answer stays."""
        await self.telegram.unsend(int(asked.place), int(asked.message))

    async def stop(self, asked: Asked) -> bool:
        """Press Telegram's button of the draft, or ours under the message that stands for the answer."""
        chat, number = int(asked.place), int(asked.message)
        if (chat, number) in self.telegram.world.stoppable:
            await self.telegram.stop_draft(chat, number)
            return True
        button, asker = f"{HALT}:{number}", self.telegram.world.messages[chat][number].sender.id
        offering = [each for each in self.telegram.bot_messages(chat) if button in button_data(each.keyboard)]
        for each in offering:
            await self.telegram.press(asker, chat, each.message_id, button)
        return bool(offering)

    async def repeat(self, asked: Asked, times: int) -> None:
        for _ in range(times):
            await self.telegram.deliver(self._told[int(asked.place), int(asked.message)])

    async def press(self, sight: Sight) -> None:
        chat, number = int(sight.place), int(sight.message)
        message = self.telegram.world.messages[chat][number]
        person = chat if chat > 0 else PEOPLE[0]
        [data] = button_data(message.keyboard)
        await self.telegram.press(person, chat, number, data)

    async def cut(self, how: str) -> None:
        """Let the poll under way break off."""
        if how == "refresh":
            self.telegram.fail_next("getUpdates", status=502)
        else:
            self.telegram.fail_next("getUpdates", drop="after")
        self.telegram.world.changes.announce()

    def fail(self, method: str, **how: Any) -> None:
        self.telegram.fail_next(method, **how)

    def died(self, *, alone: bool) -> None:
        """Telegram keeps what was not confirmed."""

    def is_heard(self) -> bool:
        return not self.telegram.pending_updates

    def complaints(self) -> list[str]:
        refused = [
            f"{call.method}: {call.description}"
            for call in self.telegram.calls
            if call.status == 400 and not any(harmless in call.description for harmless in _HARMLESS)
        ]
        return [*self.telegram.warnings, *refused]

    def _where(self, asked: Asked) -> tuple[int, int]:
        number = self._threads.setdefault(asked.thread, len(self._threads))
        person = PEOPLE[number % len(PEOPLE)]
        return person, (person if asked.place == "C1" else GROUPS[asked.place])


@asynccontextmanager
async def telegram_town() -> AsyncIterator[TelegramTown]:
    """Serve a Telegram: everybody has a private chat with the bot, and is in three groups with it."""
    telegram = TelegramStandIn()
    for number, person in enumerate(PEOPLE):
        telegram.add_user(person, f"P{person}", language_code="ru" if number % 2 else "en")
    for chat in GROUPS.values():
        telegram.add_group(chat, f"G{chat}", members=list(PEOPLE))
    async with telegram:
        yield TelegramTown(telegram)
