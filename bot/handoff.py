"""Handing a question on to people: what was asked and tried, posted once where somebody looks after such questions."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal, Protocol

from bot.commanding import Duty, duty
from bot.explain import MayRead
from bot.viewing import knows_names
from core.around import MAX_CHARS, MOST
from core.commands import PERSON
from core.conversation import Audience, Command, MessageRef, Question
from core.explaining import explanation
from core.phrases import phrase
from core.ports import Knowledge
from core.press import Heard, Press, PressOutcome
from core.render import say
from core.reply import Bullets, Node, Paragraph, RenderedReply, Text, plain
from core.running import Inbox, Platform
from core.summons import drops_it
from core.text import Language, Untrusted, language_of
from core.visiting import Case, KnowsNames, Names, ReachesPeople, ReadsThreads
from core.work import Place, Welcome

# What the id of a note has behind that of the question that it is about.
_MARK = "!person"


class Cases(Protocol):
    """The questions that are dealt with."""

    async def by_message(self, message: MessageRef) -> Case | None:
        """Return the question that the message asks or answers."""

    async def latest(self, place: Place, asker: str) -> Case | Literal["taken back"] | None:
        """Return what somebody asked last in a channel, or that they took it back."""


class HandOff:
    """Hands questions on to one channel, as `slack:TEAM:CHANNEL`; without one to nobody."""

    def __init__(  # noqa: PLR0913 - its parts, each given by name
        self,
        *,
        channel: str | None,
        cases: Cases,
        inbox: Inbox,
        platforms: Mapping[str, Platform],
        may_read: MayRead,
        known: Callable[[], Awaitable[Knowledge | None]],
        deliver: Callable[[Place], None],
    ) -> None:
        self._channel = channel
        self._cases = cases
        self._inbox = inbox
        self._platforms = platforms
        self._may_read = may_read
        self._known = known
        self._deliver = deliver

    def duty(self) -> Duty:
        """Return the command that hands on what somebody asked last where they give it."""

        async def done(command: Command, _: None) -> RenderedReply:
            return await self.latest((command.platform, command.place), command.asker, command.language)

        return replace(duty(PERSON, done), offered=self._channel is not None)

    async def pressed(self, press: Press) -> PressOutcome:
        """Hand on what the pressed message answers. Raises StorageError."""
        return Heard(await self.by_message(press.message))

    async def by_message(self, message: MessageRef) -> RenderedReply:
        """Hand on what the message asks or answers, and return what is said to who wants it. Raises StorageError."""
        case = await self._cases.by_message(message)
        return await self._handed_on(case, language_of(case.question) if case else "en")

    async def latest(self, place: Place, asker: str, language: Language) -> RenderedReply:
        """Hand on what somebody asked last in a channel, and return what is said to them. Raises StorageError."""
        case = await self._cases.latest(place, asker)
        if case == "taken back" or (case and drops_it(case.question)):
            # An older question in its place is not what they mean.
            return say(phrase("person_taken_back", language), language)
        return await self._handed_on(case, language_of(case.question) if case else language)

    async def taken_back(self, message: MessageRef) -> None:
        """Take back what people were told of the question that stood there, if they were. Raises StorageError."""
        if self._channel and await self._inbox.withdraw(replace(message, message=f"{message.message}{_MARK}")):
            platform, _, place = self._channel.partition(":")
            self._deliver((platform, place))

    async def _handed_on(self, case: Case | None, language: Language) -> RenderedReply:
        if case is None:
            return say(phrase("person_nothing", language), language)
        if case.asked.platform not in PERSON.on:
            return say(phrase("person_elsewhere", language), language)
        if self._channel is None or not self._channel.startswith(f"{case.asked.platform}:{case.tenant}:"):
            return say(phrase("person_nowhere", language), language)
        platform = self._platforms[case.asked.platform]
        place = self._channel.partition(":")[2]
        way = await platform.way_to(place) if isinstance(platform, ReachesPeople) else None
        if way is None or not isinstance(platform, ReachesPeople):
            return say(phrase("person_locked", language), language)
        plainly = Names(case.asker, case.asked.place.rpartition(":")[2])
        names = await platform.names_in(case) if isinstance(platform, KnowsNames) else plainly
        case = replace(case, said=await self._said(case, platform, names))
        told = self._told(case, names, await platform.link_to(case), language, knowledge=await self._known())
        parts = platform.parts(told)
        new = await self._inbox.record(_note(case, way, self._channel), lambda _: Welcome(refusal=parts))
        if new:
            self._deliver((way.platform, way.place))
        return say(phrase("person_told" if new else "person_knows", language), language)

    async def _said(self, case: Case, platform: Platform, names: Names) -> tuple[str, ...]:
        """Return what people had said before in the thread, read anew, where all of the workspace may read it.

        It is not kept once a question is dealt with.
        """
        if not (_is_in_thread(case) and names.is_open and isinstance(platform, ReadsThreads)):
            return ()
        asked = case.asked
        question = Question(
            id=case.id,
            platform=asked.platform,
            thread=case.id,
            text=case.question,
            asker=case.asker,
            audience=Audience(case.tenant),
            asked_at=datetime.now(UTC),
            place=asked.place,
            message=asked.message,
            root=case.root,
        )
        said = [str(one.text)[:MAX_CHARS] for one in await platform.said_before(question) if one.text.strip()]
        return tuple(said if len(said) <= MOST else [said[0], *said[1 - MOST :]])

    def _told(
        self, case: Case, names: Names, link: str | None, language: Language, *, knowledge: Knowledge | None
    ) -> RenderedReply:
        """Return what the people are told: nothing of a document, and no name from one, that not all of them may read.

        Who asked, and what, lead to the conversation, so that nobody has to look for it.
        """
        is_alone = case.private or case.asked.place.rpartition(":")[2].startswith("D")
        name = "person_asks" if names.place else "person_asks_there"
        values = {"who": names.person, "place": names.place}
        asks = phrase("person_asks_alone" if is_alone else name, language, **values)
        asked = Text(asks, about=link or ""), Text(" "), Text(case.question, "strong", about=link or "")
        nodes: list[Node] = [Paragraph(asked)]
        if case.earlier:
            nodes.append(
                Bullets(tuple((Text(one),) for one in case.earlier), (Text(phrase("person_before", language)),))
            )
        if case.said:
            lines = tuple((Text(plain(Untrusted(one))),) for one in case.said)
            nodes.append(Bullets(lines, (Text(phrase("person_thread", language)),)))
        elif _is_in_thread(case) and not (is_alone or names.is_open):
            nodes.append(Paragraph((Text(phrase("person_thread_closed", language), "quiet"),)))
        audience = Audience(case.tenant, frozenset({self._channel or ""}))
        if case.result is not None and knowledge and knows_names(case.result, knowledge, audience):
            tried = explanation(case.result, lambda doc_id: self._may_read(doc_id, audience))
            nodes += [Paragraph((Text(phrase("person_tried", language)),)), *tried.nodes]
        return RenderedReply(tuple(nodes), (), language)


def _is_in_thread(case: Case) -> bool:
    return case.root is not None and case.root != case.asked.message and not case.private


def _note(case: Case, way: MessageRef, channel: str) -> Question:
    """Return what stands in the line for what is told: the same however often it is asked for, and answered already."""
    id_ = f"{case.id}{_MARK}"
    return Question(
        id=id_,
        platform=way.platform,
        thread=id_,
        text=case.question,
        asker=case.asker,
        audience=Audience(case.tenant, frozenset({channel})),
        asked_at=datetime.now(UTC),
        place=way.place,
        message=way.message,
    )
