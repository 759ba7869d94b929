"""What else people do in Telegram, beside a plain question: forwards, links, topics, signs, and what is no text."""

import time
from dataclasses import dataclass

from tests.pictures.page import Scene
from tests.pictures.telegram_walk import ADMIN, PERSON, TEAM, TelegramWalk
from tests.platforms.telegram.markup import button_data

FORUM = -100777
MOST = 4_096


@dataclass
class TelegramWays(TelegramWalk):
    """One person's other ways; each adds a scene."""

    async def all(self) -> list[Scene]:
        """Return what stood before people after each step."""
        ways = (self.by_name, self.from_elsewhere, self.no_text, self.in_a_forum, self.gone, self.inline, self.orders)
        for step in ways:
            try:
                await step()
            except (LookupError, ValueError, TimeoutError) as error:
                self.note(f"{step.__name__} broke off", repr(error))
        return self.scenes

    async def by_name(self) -> None:
        """Ask by names and digits alone, which tell no language."""
        for words in ("RAG?", "112", "2024?", "AI-Portfolio"):
            await self.says("names and digits alone", words)

    async def from_elsewhere(self) -> None:
        """Forward a question, a statement, and nonsense; then with a comment."""
        origin = {"type": "hidden_user", "date": 1_800_000_000, "sender_user_name": "Eva"}
        for words in (self.said.question, self.said.unknown, self.said.follow_up):
            await self.delivers(f"forwarded: {words}", text=words, forward_origin=origin)

    async def no_text(self) -> None:
        """Send what is not read."""
        file, words = {"file_id": "a", "file_unique_id": "b"}, self.said.question
        await self.delivers("a voice message", voice=file | {"duration": 3})
        await self.delivers("a file", document=file)
        await self.delivers("a picture with a caption", photo=[file | {"width": 9, "height": 9}], caption=words)
        await self.delivers("a die", dice={"emoji": "🎲", "value": 1})
        await self.delivers("a poll as an older server tells it", poll={"id": "1", "question": "?", "options": []})
        await self.delivers("something new", hologram={"file_id": "a"})
        await self.says("4,096 emoji", "😀" * MOST)
        await self.says("only digits", "7")

    async def in_a_forum(self) -> None:
        """Ask in a topic of a forum, and in the general one."""
        topic, name = self.office.add_topic(PERSON, FORUM, "Vacation"), f"@{self.office.bot.username}"
        for thread in (topic, None):
            asked = await self.office.say(PERSON, FORUM, f"{name} {self.said.question}", thread=thread)
            await self.quiet()
            later = [m for m in self.office.chat(FORUM) if m.message_id >= asked.message_id]
            self.draw(f"in topic {thread}", later)
            self.note("topics of what came", str([m.thread_id for m in later]))

    async def gone(self) -> None:
        """Take a question back before it is edited, and open a source of a group in private."""
        asked = await self.office.say(PERSON, TEAM, f"@{self.office.bot.username} {self.said.question}")
        await self.office.unsend(TEAM, asked.message_id)
        await self.quiet()
        later = [m for m in self.office.chat(TEAM) if m.message_id > asked.message_id]
        self.draw("the question is deleted at once", later)
        evidence = self.office.bot_messages(TEAM)[-1]
        link = next((data for data in button_data(evidence.keyboard) if data.startswith("open:")), None)
        if link is None:
            return self.note("no button leads to the private chat", str(button_data(evidence.keyboard)))
        query = await self.office.press(PERSON, TEAM, evidence.message_id, link)
        await self.quiet()
        url = str((self.office.callback(query).answer or {}).get("url", ""))
        self.note("the button opens", url)
        await self.says("the deep link followed", f"/start {url.rpartition('=')[2]}")
        await self.says("a link that names nothing", "/start AAAA")
        return None

    async def inline(self) -> None:
        """Type behind the bot's name in any chat."""
        for words in (self.said.question, self.said.unknown, "RAG"):
            offered = await self.office.wait_for_offer(await self.office.type_inline(PERSON, words), timeout=30)
            for title, text in zip(offered.titles, offered.texts, strict=True):
                self.note(f"inline: {words}: {title}", text)

    async def orders(self) -> None:
        """Let the index be made anew and cancel it; look into the log."""
        ordered = await self.office.say(ADMIN, ADMIN, "/reindex")
        shown = await self.office.wait_for_messages(ADMIN, count=len(self.office.bot_messages(ADMIN)) + 1, timeout=60)
        self.draw("/reindex", [ordered, *shown[-1:]])
        button = next((data for m in shown for data in button_data(m.keyboard) if data.startswith("stop")), None)
        self.note("its button", str(button))
        await self.says("cancelled", "/reindex cancel", by=ADMIN, chat=ADMIN)
        for words in ("/log 2", "/log RAG", "/log 2024", "/pair", "/pair 00000000"):
            await self.says("an administrator", words, by=ADMIN, chat=ADMIN)

    async def delivers(self, title: str, **content: object) -> None:
        """Let Telegram tell of a message of the person's in private, and draw what comes of it."""
        last = self._last(PERSON)
        number = 50_000 + len(self.scenes)
        chat = {"id": PERSON, "type": "private", "first_name": "Anna"}
        author: dict[str, object] = {"id": PERSON, "is_bot": False, "first_name": "Anna"}
        language = self.office.world.users[PERSON].language_code
        base = {
            "message_id": number,
            "date": int(time.time()),
            "chat": chat,
            "from": author | {"language_code": language},
        }
        await self.office.deliver({"message": base | content})
        await self.quiet()
        self.draw(title, [m for m in self.office.chat(PERSON) if m.message_id > last])
