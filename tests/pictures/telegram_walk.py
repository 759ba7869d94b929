"""What people do in Telegram, step by step, and what then stands before them."""

import asyncio
from dataclasses import dataclass, field
from html import escape

from tests.pictures import telegram
from tests.pictures.page import Scene
from tests.pictures.slack_walk import Said
from tests.platforms.telegram import Message, TelegramStandIn
from tests.platforms.telegram.markup import button_data

ADMIN, PERSON, TEAM = 1001, 1002, -100123
_QUIET = 2.0
# Signs of work, which come and go.
_LOOKING = ("…",)


@dataclass
class TelegramWalk:
    """One person's way through private chat and group; every step adds a scene."""

    office: TelegramStandIn
    said: Said
    scenes: list[Scene] = field(default_factory=list)

    async def all(self) -> list[Scene]:
        """Return what stood before people after each step."""
        for step in (self.in_private, self.in_a_group, self.commands):
            try:
                await step()
            except (LookupError, ValueError, TimeoutError) as error:
                self.note(f"{step.__name__} broke off", repr(error))
        return self.scenes

    async def in_private(self) -> None:
        """Ask, go on, judge, change."""
        await self.says("/start", "/start")
        asked = await self.says("a question", self.said.question)
        answer, evidence = self._answer_to(asked)
        await self.says("a follow-up", self.said.follow_up)
        for title, words in (
            ("a table", self.said.table),
            ("a long answer", self.said.long),
            ("no subject", self.said.ambiguous),
            ("nobody knows", self.said.unknown),
            ("a list", self.said.many),
        ):
            shown, _ = self._answer_to(await self.says(title, words))
            if shown and any(data.startswith("more:") for data in button_data(shown.keyboard)):
                await self.presses("“N more” pressed", shown, "more:")
        await self.presses("Why? pressed", answer, "why:")
        await self.presses("👎 pressed", answer, "judge:down")
        await self.presses("a reason chosen", answer, "reason:")
        if evidence:
            await self.says("a reply to a source", self.said.follow_up, reply_to=evidence.message_id)
        await self.office.edit(PERSON, asked.message_id, self.said.edited)
        await self.quiet()
        changed = [asked.message_id, *(each.message_id for each in (answer, evidence) if each)]
        self.draw("the question changed", [m for m in self.office.chat(PERSON) if m.message_id in changed])

    async def in_a_group(self) -> None:
        """Mention, reply, and say nothing but the name."""
        name = f"@{self.office.bot.username}"
        asked = await self.says("a mention in a group", f"{name} {self.said.question}", chat=TEAM)
        answer, _ = self._answer_to(asked)
        if answer:
            await self.says("a reply", self.said.follow_up, chat=TEAM, reply_to=answer.message_id)
        await self.says("nothing but the name", name, chat=TEAM)
        await self.says("/ask without words", "/ask", chat=TEAM)
        await self.says("people among themselves", "Boris, are you in today?", chat=TEAM)

    async def commands(self) -> None:
        """Type each command, as a person and as an administrator."""
        for words in ("/help", "/why", "/sources", "/mode", "/person", "/status", "/forget", "/nonsense"):
            await self.says("somebody", words)
        for words in ("/help", "/status", "/sources", "/log", "/pair", "/reindex status", "/reindex"):
            await self.says("an administrator", words, by=ADMIN, chat=ADMIN)
        await asyncio.sleep(15)
        await self.says("an administrator, later", "/reindex status", by=ADMIN, chat=ADMIN)
        self.draw("all of the administrator's chat", self.office.chat(ADMIN))

    async def says(
        self, title: str, words: str, *, by: int = PERSON, chat: int = PERSON, reply_to: int | None = None
    ) -> Message:
        """Say the words, wait, and draw what has come since."""
        said = await self.office.say(by, chat, words, reply_to=reply_to)
        await self.quiet()
        self.draw(f"{title}: {words}", [each for each in self.office.chat(chat) if each.message_id >= said.message_id])
        return said

    async def presses(self, title: str, under: Message | None, kind: str) -> None:
        """Press the first button of a kind, and draw the message as it is then, what came, and what popped up."""
        now = under and self.office.world.find(self.office.world.chats[under.chat_id], under.message_id)
        offered = button_data(now.keyboard) if now else []
        data = next((data for data in offered if data.startswith(kind)), None)
        if now is None or data is None:
            self.note(f"no button {kind}", "")
            return
        before = self._last(now.chat_id)
        query = await self.office.press(PERSON, now.chat_id, now.message_id, data)
        await self.quiet()
        chat = self.office.chat(now.chat_id)
        self.draw(title, [m for m in chat if m.message_id == now.message_id or m.message_id > before])
        self.note("what pops up", str(self.office.callback(query).answer))

    async def quiet(self) -> None:
        """Return once nothing is under way any more."""
        await self.office.wait_until_confirmed(timeout=60)
        calls, looks = -1, 0
        while calls != self._calls() or (self._looking() and looks < 30):
            calls, looks = self._calls(), looks + 1
            await asyncio.sleep(_QUIET)

    def _calls(self) -> int:
        return sum(call.method.lower() != "getupdates" for call in self.office.calls)

    def _looking(self) -> bool:
        return any(m.text.endswith(_LOOKING) and len(m.text) < 60 for m in self.office.bot_messages(PERSON)[-1:])

    def _last(self, chat: int) -> int:
        return max((each.message_id for each in self.office.chat(chat)), default=0)

    def _answer_to(self, asked: Message) -> tuple[Message | None, Message | None]:
        later = [m for m in self.office.bot_messages(asked.chat_id) if m.message_id > asked.message_id]
        return (later[0] if later else None, later[1] if len(later) > 1 else None)

    def note(self, title: str, words: str) -> None:
        """Add a remark."""
        self.scenes.append(Scene(title, f'<p class="note">{escape(words)}</p>'))

    def draw(self, title: str, messages: list[Message]) -> None:
        """Add what stands there."""
        shown = []
        for each in messages:
            target = self.office.world.messages[each.chat_id].get(each.reply_to or 0)
            ours = each.sender == self.office.bot
            replied = target.text.splitlines()[0] if target and target.text else None
            shown.append(telegram.message(each, ours=ours, who=each.sender.first_name, replied=replied))
        self.scenes.append(Scene(title, "".join(shown) or '<p class="note">nothing</p>'))
