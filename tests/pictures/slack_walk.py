"""What people do in Slack, step by step, and what then stands before them."""

import asyncio
from dataclasses import dataclass, field
from html import escape

from tests.bot.service import LOOKING, PATIENCE
from tests.pictures import slack
from tests.pictures.page import Scene
from tests.platforms.slack import Message, SlackStandIn, visible_text
from tests.platforms.slack.waiting import until

ADMIN, PERSON, GENERAL, HELPERS = "U0ADMIN", "U0ANNA", "C0GENERAL", "C0HELPERS"
TEAM = "T0TEAM"
# Seconds without a call after which nothing more is expected.
_QUIET = 2.0


@dataclass(frozen=True)
class Said:
    """What is asked in one language."""

    question: str
    follow_up: str
    unknown: str
    long: str
    table: str
    many: str
    edited: str
    ambiguous: str


ENGLISH = Said(
    question="How many vacation days do I get?",
    follow_up="And how many of them can I carry over?",
    unknown="Who won the football world cup in 1998?",
    long="Tell me everything about the travel policy",
    table="What are the hotel limits by city?",
    many="Which incidents have there been?",
    edited="What is the hotel limit in Lisbon?",
    ambiguous="What are the results?",
)
RUSSIAN = Said(
    question="Где сейчас работает Дмитрий?",
    follow_up="А какие там достижения?",
    unknown="Кто выиграл чемпионат мира по футболу в 1998 году?",
    long="Расскажи всё про проект AI-Portfolio",
    table="Какие языки знает Дмитрий?",
    many="Какие технологии использовал в AI-Portfolio?",
    edited="Контакты Дмитрия",
    ambiguous="Какие результаты?",
)


@dataclass
class SlackWalk:
    """One person's way through a workspace; every step adds a scene."""

    office: SlackStandIn
    said: Said
    scenes: list[Scene] = field(default_factory=list)

    async def all(self) -> list[Scene]:
        """Return what stood before people after each step."""
        root = await self.in_a_channel()
        for step in (self.judging, self.in_private, self.for_oneself, self.changing, self.commands, self.home):
            try:
                await step(root)
            except (LookupError, TimeoutError, AssertionError) as error:
                self.note(f"{step.__name__} broke off", repr(error))
        return self.scenes

    async def in_a_channel(self) -> str:
        """Ask, go on, ask for the rest of a list, ask what nobody knows; return the first question's thread."""
        root = await self.asks("mention", self.said.question)
        await self.asks("follow-up without a mention", self.said.follow_up, thread=root)
        for title, question in (
            ("a table", self.said.table),
            ("a long answer", self.said.long),
            ("no subject", self.said.ambiguous),
            ("a list", self.said.many),
        ):
            asked = await self.asks(title, question)
            if self.offered(asked, "more") and await self.clicks(GENERAL, asked, "more"):
                self.draw("“N more” pressed", self.office.thread(GENERAL, asked))
        unknown = await self.asks("nobody knows", self.said.unknown)
        if await self.clicks(GENERAL, unknown, "person"):
            self.draw("“Ask a person” pressed", self.whispered())
            self.draw("what people are asked", self.everything_in(HELPERS))
        await self.asks("nothing but the mention", "")
        return root

    async def judging(self, root: str) -> None:
        """Ask why, and say that it did not help."""
        if await self.clicks(GENERAL, root, "why"):
            self.draw("Why? pressed", self.whispered())
        before = len(self.office.ephemerals)
        await self.clicks(GENERAL, root, "judge", choose="down")
        self.draw("👎 pressed", self.office.ephemerals[before:])
        for message in self.office.ephemerals[before:]:
            named = (each.get("action_id") for block in message.blocks for each in block.get("elements", ()))
            action = next(filter(None, named), None)
            if action:
                await self.office.click_as(PERSON, message.channel, message.ts, action)
                await self.quiet()
        self.draw("a reason chosen", self.office.ephemerals[before:])

    async def in_private(self, _: str) -> None:
        """Write directly."""
        direct = self.office.open_dm(PERSON)
        await self.office.open_app_as(PERSON, "messages")
        root = await self.office.post_as(PERSON, direct, self.said.question)
        await self.quiet()
        self.draw("a direct message", self.office.thread(direct, root))
        offered = self.office.workspace.prompts
        self.note("what is offered to ask", "\n".join(f"{p.title}: {[t for t, _ in p.prompts]}" for p in offered[-1:]))

    async def for_oneself(self, root: str) -> None:
        """Ask with /ask, and by the shortcut."""
        before = len(self.office.ephemerals)
        await self.command("/ask", self.said.question, settle=before)
        await self.office.shortcut_as(PERSON, GENERAL, root, "footnote_answer")
        await self.quiet()
        self.draw("the shortcut on what has its answer", self.whispered())

    async def changing(self, _: str) -> None:
        """Change a question, and delete another."""
        root = await self.asks("a question, soon to be changed", self.said.question)
        words = f"<@{self.office.bot_user_id}> {self.said.edited}"
        await self.office.edit_as(PERSON, GENERAL, root, words)
        await self.quiet()
        self.draw("the question changed", self.office.thread(GENERAL, root))
        await self.office.delete_as(PERSON, GENERAL, root)
        await self.quiet()
        self.draw("the question deleted", self.office.thread(GENERAL, root))

    async def commands(self, root: str) -> None:
        """Type each command, as a person and as an administrator."""
        for words in ("help", "why", "sources", "channel", "person", "nonsense", "log", "forget"):
            await self.command("/footnote", words)
        for words in ("help", "status", "sources", "log", f"log {self.said.question.split()[0]}", "channel mode gate"):
            await self.command("/footnote", words, by=ADMIN)
        before = len(self.office.ephemerals)
        await self.asks("@footnote /pin in the thread", "/pin", thread=root, by=ADMIN)
        self.draw("what the administrator alone sees of it", self.office.ephemerals[before:])
        await self.command("/reindex", "status", by=ADMIN)
        await self.command("/reindex", "", by=ADMIN)
        await asyncio.sleep(20)
        self.draw("the run in the administrator's direct messages", self.everything_in(self.office.open_dm(ADMIN)))

    async def home(self, _: str) -> None:
        """Open the Home tab."""
        for person in (PERSON, ADMIN):
            await self.office.open_app_as(person, "home")
            await self.quiet()
            view = self.office.workspace.homes.get(person)
            self.scenes.append(Scene(f"Home of {person}", slack.blocks(view["blocks"]) if view else "nothing"))

    async def asks(self, title: str, words: str, *, thread: str | None = None, by: str = PERSON) -> str:
        """Say the words in the channel, wait, and draw the thread; return its first message's ts."""
        mention = "" if thread and not words.startswith("/") else f"<@{self.office.bot_user_id}> "
        ts = await self.office.post_as(by, GENERAL, f"{mention}{words}".strip(), thread_ts=thread)
        await self.quiet()
        self.draw(f"{title}: {words}", self.office.thread(GENERAL, thread or ts))
        return thread or ts

    def everything_in(self, channel: str) -> list[Message]:
        """Return what stands in a channel."""
        return [message for (place, _), message in self.office.workspace.messages.items() if place == channel]

    def offered(self, root: str, name: str) -> bool:
        """Return whether a button of that name stands in the thread."""
        return any(f"'footnote_{name}" in str(message.blocks) for message in self.office.answers(GENERAL, root))

    async def clicks(self, channel: str, root: str, name: str, *, choose: str = "") -> bool:
        """Press the first button of that name in the thread, if there is one."""
        for message in self.office.answers(channel, root):
            for block in message.blocks:
                for element in block.get("elements", ()):
                    if str(element.get("action_id", "")).startswith(f"footnote_{name}"):
                        value = element["negative_button"]["value"] if choose else None
                        await self.office.click_as(PERSON, channel, message.ts, element["action_id"], value=value)
                        await self.quiet()
                        return True
        self.note(f"no button {name}", root)
        return False

    async def command(self, command: str, words: str, *, by: str = PERSON, settle: int | None = None) -> None:
        """Type a slash command, and draw what only its writer sees."""
        before = len(self.office.ephemerals) if settle is None else settle
        await self.office.command_as(by, GENERAL, command, words)
        await self.quiet()
        who = "an administrator" if by == ADMIN else "somebody"
        self.draw(f"{who}: {command} {words}", self.office.ephemerals[before:])

    async def quiet(self) -> None:
        """Return once nothing is under way any more."""
        await self.office.settled(timeout=PATIENCE)
        calls = -1
        while calls != len(self.office.calls) or self._looking():
            calls = len(self.office.calls)
            await asyncio.sleep(_QUIET)
        await until(lambda: not self._looking(), lambda: "still looking", PATIENCE)

    def _looking(self) -> bool:
        shown = [*self.office.workspace.messages.values(), *self.office.ephemerals]
        ours = [message for message in shown if message.user == self.office.bot_user_id]
        return any(visible_text(one) in LOOKING or any(b["type"] == "plan" for b in one.blocks) for one in ours)

    def whispered(self) -> list[Message]:
        """Return the latest message that one person alone sees."""
        return self.office.ephemerals[-1:]

    def draw(self, title: str, messages: list[Message]) -> None:
        """Add what stands there."""
        names = {self.office.bot_user_id: "Footnote", ADMIN: "admin", PERSON: "Anna"}
        shown = (slack.message(each, names.get(each.user, each.user)) for each in messages)
        self.scenes.append(Scene(title, "".join(shown) or '<p class="note">nothing</p>'))

    def note(self, title: str, words: str) -> None:
        """Add a remark."""
        self.scenes.append(Scene(title, f'<p class="note">{escape(words)}</p>'))
