"""Handing a question on to people: what was asked and tried, posted once where somebody looks after such questions."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Protocol

from bot.commanding import Duty, duty
from bot.explain import MayRead
from core.commands import PERSON
from core.conversation import Audience, Command, MessageRef, Question
from core.explaining import explanation
from core.phrases import phrase
from core.press import Heard, Press, PressOutcome
from core.render import say
from core.reply import Bullets, Node, Paragraph, RenderedReply, Text
from core.running import Inbox, Platform
from core.text import Language, language_of
from core.visiting import Case, KnowsNames, Names, ReachesPeople
from core.work import Place, Welcome


class Cases(Protocol):
    """The questions that are dealt with."""

    async def by_message(self, message: MessageRef) -> Case | None:
        """Return the question that the message asks or answers."""

    async def latest(self, place: Place, asker: str) -> Case | None:
        """Return what somebody asked last in a channel."""


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
        deliver: Callable[[Place], None],
    ) -> None:
        self._channel = channel
        self._cases = cases
        self._inbox = inbox
        self._platforms = platforms
        self._may_read = may_read
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
        return await self._handed_on(case, language_of(case.question) if case else language)

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
        names = await platform.names_in(case) if isinstance(platform, KnowsNames) else Names(case.asker, "")
        parts = platform.parts(self._told(case, names, await platform.link_to(case), language))
        new = await self._inbox.record(_note(case, way, self._channel), lambda _: Welcome(refusal=parts))
        if new:
            self._deliver((way.platform, way.place))
        return say(phrase("person_told" if new else "person_knows", language), language)

    def _told(self, case: Case, names: Names, link: str | None, language: Language) -> RenderedReply:
        """Return what the people are told: nothing of a document that not all of them may read.

        Who asked, and what, lead to the conversation, so that nobody has to look for it.
        """
        place = case.asked.place.rpartition(":")[2]
        is_alone = case.private or place.startswith("D")
        values = {"who": names.person, "place": names.place or place}
        asks = phrase("person_asks_alone" if is_alone else "person_asks", language, **values)
        asked = Text(asks, about=link or ""), Text(" "), Text(case.question, "strong", about=link or "")
        nodes: list[Node] = [Paragraph(asked)]
        if case.earlier:
            nodes.append(
                Bullets(tuple((Text(one),) for one in case.earlier), (Text(phrase("person_before", language)),))
            )
        if case.result is not None:
            audience = Audience(case.tenant, frozenset({self._channel or ""}))
            tried = explanation(case.result, lambda doc_id: self._may_read(doc_id, audience))
            nodes += [Paragraph((Text(phrase("person_tried", language)),)), *tried.nodes]
        return RenderedReply(tuple(nodes), (), language)


def _note(case: Case, way: MessageRef, channel: str) -> Question:
    """Return what stands in the line for what is told: the same however often it is asked for, and answered already."""
    id_ = f"{case.id}!person"
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
