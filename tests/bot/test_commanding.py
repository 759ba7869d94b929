"""What people tell the bot to do in a chat, and who may."""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.commanding import PAIR, Commanding, once_each, ordinary_duties
from bot.explain import Explainer
from core.conversation import Audience, Command, MessageRef, Mode, PlatformName
from core.errors import StorageError
from core.phrases import phrase
from core.render import say, text_of
from core.reply import RenderedReply
from core.text import Language
from core.turn import Told
from core.work import Place
from tests.bot.work import Company
from tests.core.test_explaining import record

ADMIN = "slack:T1:U1"
SAID = Command("mode", "slack", "T1:C1", asker="U1", person=ADMIN)


@dataclass
class Modes:
    """The modes of channels in memory, with who set them."""

    found: dict[Place, tuple[Mode, str]] = field(default_factory=dict)

    async def mode(self, platform: str, place: str) -> Mode:
        return self.found.get((platform, place), ("mention", ""))[0]

    async def set_mode(self, place: Place, mode: Mode, *, changed_by: str, at: datetime) -> None:
        self.found[place] = mode, changed_by


@dataclass
class Records:
    """One stored turn, found by one message, in one thread, by one person."""

    told: Told | None = None

    async def told_by(self, message: MessageRef) -> Told | None:
        return self.told if message.message == "1" else None

    async def told_last(self, thread: str) -> Told | None:
        return self.told if thread == "t" else None

    async def told_latest(self, place: Place, asker: str) -> Told | None:
        return self.told if (place, asker) == (("slack", "T1:C1"), "U1") else None


async def said(command: Command, modes: Modes | None = None, told: Told | None = None) -> str:
    """Return what is said to the person."""
    explainer = Explainer(Records(told), lambda doc_id, audience: "hr" in audience.groups or "salary" not in doc_id)
    duties = ordinary_duties(explainer, modes or Modes(), lambda: datetime.now(UTC))
    commanding = Commanding(duties, [ADMIN], [PAIR])
    return text_of(await commanding.done(command))


@pytest.mark.parametrize("mode", ["mention", "gate", "all"])
async def test_an_admin_sets_the_mode(mode: Mode) -> None:
    """It is stored with who did it, and told in words."""
    modes = Modes()
    told = await said(replace(SAID, words=mode.upper()), modes)

    assert {("slack", "T1:C1"): (mode, ADMIN)} == modes.found
    assert told.startswith("From now on I answer here ")
    assert "Здесь я отвечаю " in await said(replace(SAID, language="ru"), modes)


@pytest.mark.parametrize(
    ("person", "words", "answer"),
    [
        (
            "slack:T2:U1",
            "gate",
            "Only my administrators can do that.",
        ),
        ("telegram:1", "all", "to add telegram:1 to ADMINS"),
        ("", "all", "write as yourself"),
        (ADMIN, "loud", "I know these words after /footnote channel mode: mention | gate | all."),
    ],
)
async def test_nobody_else_does(person: str, words: str, answer: str) -> None:
    """The id of another workspace, of another platform, an anonymous admin, and a mode that is none."""
    modes = Modes()

    assert answer in await said(replace(SAID, person=person, words=words), modes)
    assert {} == modes.found


async def test_a_private_chat_has_no_mode() -> None:
    """Whoever writes there speaks to the bot."""
    assert "We are alone here" in await said(replace(SAID, is_direct=True, words="mention"))


@pytest.mark.parametrize(
    "where",
    [{"about": MessageRef("slack", "T1:C1", "1")}, {"thread": "t"}, {}],
)
async def test_why_tells_of_the_question_that_is_meant(where: dict[str, MessageRef | str]) -> None:
    """By its message, by its thread, or the person's latest; a page that its place may not read has no name."""
    command = replace(SAID, verb="why", **where)  # type: ignore[arg-type]
    told = await said(command, told=Told("Which?", Audience("T1"), record()))
    staff = await said(command, told=Told("Which?", Audience("T1", frozenset({"hr"})), record()))

    assert told.startswith("What I understood:")
    assert ("Salary bands" in told, "Salary bands" in staff) == (False, True)


async def test_what_is_not_recorded_cannot_be_told() -> None:
    """A record that was removed, a message that is no answer, and a thread without one."""
    removed = Told("Какой стек?", Audience("T1"), None)
    message = MessageRef("slack", "T1:C1", "2")

    assert "запись уже удалена" in await said(replace(SAID, verb="why"), told=removed)
    assert "I have no record" in await said(replace(SAID, verb="why", about=message))
    assert "I have not answered anything here yet." == await said(replace(SAID, verb="why", thread="u"))


@pytest.mark.parametrize(
    ("person", "platform", "told"), [("U1", "telegram", True), ("U2", "telegram", False), ("U1", "slack", False)]
)
async def test_help_tells_of_pairing_who_may_use_it(person: str, platform: PlatformName, *, told: bool) -> None:
    """An administrator on Telegram, in both languages, where people are let in; nobody else."""
    asked = replace(SAID, verb="help", platform=platform, person=f"slack:T1:{person}")

    assert told == ("/pair CODE: lets in who got the code" in await said(asked))
    assert told == ("/pair CODE: впускает того" in await said(replace(asked, language="ru")))


@pytest.mark.parametrize(
    ("platform", "words", "lines"),
    [
        (
            "slack",
            "",
            ["This is what you can tell me to do:", "/footnote why:", "/footnote channel mode:"],
        ),
        ("telegram", "/foo", ["I do not know “/foo”. This is what you can tell me to do:", "/why:", "/help:"]),
    ],
)
async def test_help_lists_what_there_is(platform: PlatformName, words: str, lines: list[str]) -> None:
    """As it is typed on the platform; what nobody knows is said back, and cut."""
    told = await said(replace(SAID, verb="help", platform=platform, words=words, person="slack:T1:U2"))

    assert all(line in told for line in lines), told
    assert "a question about the documents" in told
    assert "Вот что мне можно поручить" in await said(replace(SAID, verb="help", language="ru"))
    assert len(await said(replace(SAID, verb="help", words="x" * 9_999))) < 1_500


@dataclass
class Claims:
    """Claims in memory."""

    held: set[str] = field(default_factory=set)

    async def claim(self, name: str, seconds: float) -> bool:
        assert seconds > 600
        is_free = name not in self.held
        self.held.add(name)
        return is_free

    async def release(self, name: str) -> None:
        self.held.remove(name)


async def test_a_command_that_several_copies_are_told_of_is_done_once() -> None:
    """One of them says what came of it, the others nothing; what has no id is told of once, and done each time."""
    shared, given = Claims(), list[Command]()

    async def done(command: Command) -> RenderedReply:
        given.append(command)
        return say("Done.", command.language)

    one, other = once_each(done, shared), once_each(done, shared)
    told = replace(SAID, id="slack:T1:C1:1.0")
    replies = [text_of(await copy(told)) for copy in (one, other)]
    again = [text_of(await copy(SAID)) for copy in (one, other)]

    assert ["Done.", ""] == replies
    assert ["Done.", "Done."] == again
    assert [told, SAID, SAID] == given


async def test_a_command_that_failed_may_be_told_of_again() -> None:
    """The platform repeats what was not acknowledged; whichever copy hears of it does it then."""
    shared, tries = Claims(), [0]

    async def done(command: Command) -> RenderedReply:
        tries[0] += 1
        if tries[0] == 1:
            raise StorageError("the database is away", retry=True)
        return say("Готово.", "ru")

    told = replace(SAID, id="slack:T1:C1:1.0")
    with pytest.raises(StorageError):
        await once_each(done, shared)(told)

    assert "Готово." == text_of(await once_each(done, shared)(told))


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_two_copies_do_a_command_once(tmp_path: Path, language: Language) -> None:
    """As they run: Slack gives two events of one post to either of them, at the same moment."""
    company = Company(tmp_path / "data", settings={"admins": ADMIN})
    told = replace(SAID, words="gate", language=language, id="slack:T1:C1:1.0")
    async with company.at_work() as one, company.at_work() as other:
        replies = await asyncio.gather(*(desk.service.reception.commanded(told) for desk in (one, other)))

    said_once = phrase("mode_set", language, who=phrase("mode_gate", language))
    assert sorted(["", said_once]) == sorted(text_of(reply) for reply in replies)
