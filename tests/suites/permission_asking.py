"""Asking in a made-up company as its people do on both platforms, and looking whether anything was told too much."""

import logging
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from json import dumps
from pathlib import Path
from random import Random
from typing import Any, cast

from adapters.slack.events import Post, question_of, read_event
from adapters.telegram.arrivals import Arrivals
from adapters.telegram.errands import Errands
from adapters.telegram.events import Me
from adapters.telegram.members import TelegramMembers
from bot.answering import Bot
from bot.audiences import Audiences
from bot.explain import Explainer
from bot.glance import Glancer
from bot.introducing import Introducer
from bot.settings import Settings
from bot.viewing import Viewing
from bot.wiring import Stores, SystemClock, make_model
from core.access import LET_IN, Admission, Visitor
from core.conversation import AlreadyAnswered, Audience, MessageRef, Question, Thread, Turn
from core.delivery import Part
from core.followup import Unclear
from core.render import text_of
from core.reply import RenderedReply
from core.result import result_of
from core.running import Membership
from core.turn import Told, TurnRecord
from core.visiting import Caller
from core.work import Place
from tests.suites.permission_world import HOME, TEAM, Book, Indexed, Somewhere, Town, World

_BOT = "UBOT"
# What passages, and items of lists, are known by.
_ID = re.compile(r"\b(?:[0-9a-f]{12}|[0-9a-f]{16})\b")
_START = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)

ASKED = (
    "What does {title} cost?", "Who is Dmitry?", "Where is Kafka used?", "How many projects use Kafka?",
    "Which milestones are done?", "Who leads {title}?", "Which board decides?", "What is {short}?", "List all projects",
    "How many events does Kafka take an hour?", "Tell me about {slip}", "What costs {cost} euros?",
    "Где используется Кафка?", "Кто такой Дмитрий?", "Сколько стоит {title}?", "Какие этапы готовы?",
    "Кто руководит проектом {word}?", "Сколько проектов используют Kafka?", "Расскажи про {slip}", "Что такое {short}?",
)  # fmt: skip
THEN = ("And who leads it?", "more", "And the milestones?", "1", "ещё", "А кто руководит?", "А сколько стоит?", "2")


@dataclass
class Memory:
    """Threads that remember their turns, and records of what was told."""

    turns: dict[str, list[Turn]] = field(default_factory=dict)
    records: dict[str, TurnRecord] = field(default_factory=dict)
    last: TurnRecord | None = None

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return the turns before."""
        return Thread(question.thread, tuple(self.turns.get(question.thread, ())[-5:]))

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Remember the turn."""
        self.last = record
        if record is None:
            return
        unclear = record.decision.clarification if isinstance(record.decision, Unclear) else None
        answered = not record.answer.is_refusal and unclear is None
        self.records[record.question.id] = record
        self.turns.setdefault(question.thread, []).append(
            Turn(
                question.text,
                record.decision.question,
                record.plan.entities,
                answered,
                question.asked_at,
                unclear,
                record.listed,
                record.sources,
            )
        )

    async def told_by(self, message: MessageRef) -> Told | None:
        """Return what is stored of a question."""
        record = self.records.get(str(message))
        return Told(record.question.text, record.question.audience, result_of(record)) if record else None

    async def told_last(self, thread: str) -> Told | None:
        """Return nothing: every question is told of by its message."""
        return None

    async def told_latest(self, place: Place, asker: str) -> Told | None:
        """Return nothing: every question is told of by its message."""
        return None


@dataclass
class _Heard:
    """An intake that keeps the one question that it is brought."""

    questions: list[Question] = field(default_factory=list)

    async def asked(self, question: Question) -> None:
        """Keep it."""
        self.questions.append(question)

    async def admit(self, visitor: Visitor) -> Admission:
        """Let everybody in."""
        del visitor
        return LET_IN

    async def thread_of(self, message: MessageRef) -> str | None:
        """Know no message."""
        return None

    async def language_in(self, *_: object) -> None:
        """Return no language: nobody has asked anything there before."""


@dataclass
class Company:
    """A made-up company with its bot; `seen` is all that was logged, `typed` all that was asked, by thread."""

    world: World
    town: Town
    memory: Memory
    bot: Bot
    explainer: Explainer
    introducer: Introducer
    glancer: Glancer
    seen: list[str] = field(default_factory=list)
    typed: dict[str, str] = field(default_factory=dict)
    number: int = 0

    async def ask(self, where: Somewhere, person: str, text: str, thread: str | None = None) -> TurnRecord | None:
        """Return the record of the question, asked there by the person; None when nothing could be asked."""
        self.number += 1
        question = await (self._in_slack if where.platform == "slack" else self._in_telegram)(
            where, person, text, thread
        )
        self.memory.last = None
        await self.bot.answer(question, _parts, self.memory)
        return self.memory.last

    async def why(self, record: TurnRecord, viewer: str) -> str:
        """Return what somebody is told about how the answer came about."""
        asked = record.question
        reply = await self.explainer.why(MessageRef(asked.platform, asked.place, asked.message), viewer)
        return text_of(reply)

    async def at_home(self, person: str) -> tuple[str, int]:
        """Return all that the Home tab may show somebody in Slack, and how many documents it says there are."""
        shown = await self.introducer.introduced(Caller("slack", f"slack:{TEAM}:{person}", Audience(TEAM), "en"))
        return "\n".join((*shown.kinds, *shown.questions)), shown.documents

    async def inline(self, words: str) -> str:
        """Return what anybody is answered inline, wherever they type."""
        reply = await self.glancer.glance(words)
        return "\n".join((text_of(reply), *map(repr, reply.evidence))) if reply else ""

    async def _in_slack(self, where: Somewhere, person: str, text: str, thread: str | None) -> Question:
        ts = f"{int(_START.timestamp()) + self.number}.000100"
        event = {"type": "message", "channel": where.id, "user": person, "text": f"<@{_BOT}> {text}", "ts": ts}
        event |= {"thread_ts": thread} if thread else {}
        post = read_event({"team_id": TEAM, "event": event}, _BOT)
        assert isinstance(post, Post)
        return question_of(post, _BOT)

    async def _in_telegram(self, where: Somewhere, person: str, text: str, thread: str | None) -> Question:
        chat = {"id": int(where.id), "type": "supergroup" if where.id.startswith("-") else "private", "title": "Chat"}
        words = f"@footnote_bot {text}" if where.id.startswith("-") else text
        message = {
            "message_id": self.number,
            "date": int((_START + timedelta(seconds=self.number)).timestamp()),
            "chat": chat,
            "from": {"id": int(person), "is_bot": False, "first_name": "Anna"},
            "text": words,
            "entities": [{"type": "mention", "offset": 0, "length": 13}] if words != text else [],
        }
        heard = _Heard()
        arrivals = Arrivals(
            cast("Any", None),
            Me(1, "footnote_bot"),
            cast("Any", heard),
            Errands(),
            cast("Any", None),
            cast("Any", None),
            cast("Any", None),
        )
        await arrivals.take({"update_id": self.number, "message": message})
        (question,) = heard.questions
        return question


@asynccontextmanager
async def company(world: World, folder: Path, *, full_text: bool = False) -> AsyncIterator[Company]:
    """Give the company, indexed in the folder by one of the lexical engines."""
    shelves = Indexed(full_text=full_text, folder=folder)
    await shelves.publish_world(world)
    settings = Settings(planner_model=(), answer_model=())
    bot = Bot(cast("Stores", shelves), make_model(settings), settings)
    town = Town(world)
    memberships = {"slack": town, "telegram": cast("Membership", TelegramMembers())}
    audiences = Audiences(Book(world), memberships, folder=folder)
    (folder / "permissions.yaml").write_text(
        dumps({"places": {p.name: p.declared for p in world.places if p.declared}})
    )
    bot.heed(audiences)
    memory = Memory()
    explainer = Explainer(memory, bot.may_read, Viewing(bot, audiences))
    introducer = Introducer(bot, audiences, cast("Any", None), (), SystemClock().now)
    found = Company(world, town, memory, bot, explainer, introducer, Glancer(bot, SystemClock()))
    handler = _Listening(found.seen)
    logging.getLogger().addHandler(handler)
    try:
        yield found
    finally:
        logging.getLogger().removeHandler(handler)


class _Listening(logging.Handler):
    """Keeps what is logged."""

    def __init__(self, seen: list[str]) -> None:
        super().__init__()
        self._seen = seen

    def emit(self, record: logging.LogRecord) -> None:
        self._seen.append(record.getMessage())


def _parts(reply: RenderedReply) -> tuple[Part, ...]:
    return (Part("answer", {"text": text_of(reply)}),)


def told(record: TurnRecord) -> str:
    """Return everything that is shown or stored of an answer: reply, buttons, evidence, and the record of the audit."""
    evidence = [repr(one) for one in record.reply.evidence]
    return "\n".join((text_of(record.reply), *evidence, dumps(result_of(record), ensure_ascii=False)))


def question(random: Random, world: World) -> str:
    """Return a question about one of the documents, whoever may read it."""
    document = random.choice(world.documents)
    word = document.title.split()[-1]
    slip = word[:2] + word[3] + word[2] + word[4:]
    cost = next(mark for mark in sorted(world.marks[document.id]) if mark.isdigit())
    said = partial(random.choice(ASKED).format, title=document.title, word=word, slip=slip, cost=cost)
    return said(short=document.aliases[0])


def shows_closed(found: Company) -> int:
    """Return how many answers were made, rightly or not, from documents that are not for everybody."""
    closed = {one.id for one in found.world.documents if one.readers}
    return sum(bool(record.sources & closed) for record in found.memory.records.values())


async def leaks(found: Company, random: Random) -> tuple[int, list[str]]:
    """Return how many times something was asked in one conversation, and what was told to somebody not allowed."""
    world = found.world
    where = random.choice(world.places)
    wrong, count = list[str](), 0
    thread = None
    first = len(found.seen)
    for text in (question(random, world), *random.sample(THEN, random.randrange(3))):
        person = random.choice(where.people)
        record = await found.ask(where, person, text, thread)
        count += 1
        if record is None:
            continue
        # What was asked before in the same thread is no secret there; a private chat of Telegram's is one thread.
        asked = record.question
        typed = found.typed[asked.thread] = f"{found.typed.get(asked.thread, '')}\n{asked.text}"
        thread = thread or (record.question.root if where.platform == "slack" else None)
        log = "\n".join(found.seen[first:])
        wrong += _in(f"{told(record)}\n{log}", world.marks_of(world.hidden_from(where)), typed, f"{where.name}: {text}")
        viewer = random.choice([one for one in world.people if (one[0] == "U") == (where.platform == "slack")])
        why = await found.why(record, viewer)
        closed = world.marks_of(world.unreadable_by(viewer, where))
        wrong += _in(why, closed, typed, f"/why by {viewer} in {where.name}: {text}")
    return count, wrong


async def leaks_beside(found: Company, random: Random) -> list[str]:
    """Return what was told too much where nobody asks in a conversation: the Home tab, and inline answers."""
    world = found.world
    person = random.choice([one for one in world.people if one[0] == "U"])
    home, count = await found.at_home(person)
    is_of = HOME in world.people[person]
    hidden = [one for one in world.documents if one.readers and not (is_of and HOME in one.readers)]
    wrong = _in(home, world.marks_of(hidden), "", f"slack:{TEAM}:{person}, Home")
    if count != len(world.documents) - len(hidden):
        wrong.append(f"there are {count} documents (slack:{TEAM}:{person}, Home)")
    words = question(random, world)
    closed = [one for one in world.documents if one.readers]
    return wrong + _in(await found.inline(words), world.marks_of(closed), words, f"telegram:inline: {words}")


def _in(shown: str, marks: frozenset[str], typed: str, where: str) -> list[str]:
    """Return the marks that are shown though nobody has typed them; ids of passages may hold any digits."""
    folded, said = _ID.sub("", shown.casefold()), typed.casefold()
    return [f"{mark} ({where})" for mark in sorted(marks) if mark.casefold() in folded and mark.casefold() not in said]
