"""What people do in Slack, brought to where it is stored before it is acknowledged."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.commands import Show, command_in, shown_for, slash_in, whisper, whispered
from adapters.slack.doors import AllDoors, Doors, Errand, heard_in, is_bare, read_by
from adapters.slack.events import (
    Deletion,
    Edit,
    Listener,
    Post,
    Pressed,
    aside_of,
    is_asked,
    question_of,
    read_event,
    root_in,
)
from adapters.slack.leaving import leaving_in
from adapters.slack.words import calls_others
from adapters.slack.workspaces import Workspaces, team_of
from core.conversation import Command, Question
from core.errors import ConfigError, DeliveryError, StorageError, whereabouts
from core.feedback import Reaction
from core.phrases import phrase
from core.press import Heard
from core.render import say
from core.reply import RenderedReply
from core.running import Intake
from core.text import language_of, tells_language

_log = logging.getLogger(__name__)
_JSON: dict[str, str | Sequence[str]] = {"content-type": ["application/json"]}

Tell = Callable[[Listener, RenderedReply], Awaitable[None]]
Heed = Callable[[Mapping[str, Any]], None]
# The libraries log whole requests, with people's words in them; only their errors are wanted.
vendor_log = logging.getLogger(f"{__name__}.vendor")
vendor_log.setLevel(logging.ERROR)


Start = Callable[[Coroutine[Any, Any, None]], None]
# Slack shows an error to who waits three seconds for a command to be acknowledged.
_SLASH_WITHIN = 2.0
# A post is told of up to twice, and again when an acknowledgement was lost.
_REMEMBERED, _KEY_CHARS = 1_000, 100
# Events that are being brought at once: the libraries begin each as it comes. Slack sends a workspace eight a second in
# an hour's mean, and each waits for half a minute when a database is away.
_MOST_AT_ONCE = 1_000
# An event that is not acknowledged comes again at once, after a minute, after five, and no more.
_LAST_RETRY = ["3"]
# docs.slack.dev/reference/methods/chat.postMessage: no message is longer, and who asks nobody is not read beyond it.
_LONGEST_ASIDE = 40_000
# Buttons whose message to one person has done its work when one is pressed: the next word may take its place. Answers
# are never among them: Slack keeps no copy.
_USED_UP = ("reason:", "alone:", "forget:")
# Buttons that ask a question, which is stored whether or not Slack says in time who presses.
_ASKING = ("choose:", "more:", "share:")
_PRESS_WITHIN = 2.0


def make_app(  # noqa: PLR0913 - its parts
    workspaces: Workspaces,
    intake: Intake,
    signing_secret: str,
    heed: Heed = lambda _: None,
    *,
    doors: AllDoors | None = None,
    noted: Callable[[str | None], None] = lambda _: None,
) -> AsyncApp:
    """Return the Bolt app that brings what people did to the intake, and then acknowledges the event.

    `heed` is told of every event before it is brought; `doors` keep outsiders out, and are further ways to ask.
    `noted` hears why an event could not be stored, or None of one that was.
    Whatever else Slack tells of is acknowledged and left alone, and so is a workspace that the app is not in; what
    could not be stored is not acknowledged.
    """

    async def nobody() -> AuthorizeResult:
        raise ConfigError("no event of Slack's needs an authorization here")

    # Before Bolt looks for an authorization: nothing here needs one, and an event in a form that it does not expect
    # would be acknowledged or refused unread.
    client = AsyncWebClient(logger=vendor_log)
    return AsyncApp(
        name=f"{__name__}.bolt",  # a logger of this name gets the level of the one below
        client=client,
        signing_secret=signing_secret,
        before_authorize=_Taking(workspaces, intake, heed, doors, noted).take,
        authorize=nobody,
        logger=vendor_log,
    )


@dataclass(frozen=True, slots=True)
class Told:
    """What is said to the person who did something, and to nobody else."""

    to: Listener
    reply: RenderedReply


@dataclass(frozen=True, slots=True)
class KeptOut:
    """A question that is not answered, and the name of the sentence that its asker alone is told."""

    question: Question
    objection: str


@dataclass(slots=True)
class _Taking:
    """Takes events. `errands`: what is done after an acknowledgement; `noted` hears whether events can be stored.

    `told`: the posts that were commands, or were lost, so that each is spoken of once; other copies may hear of the
    same posts, so that what is done once is the intake's to see to.
    """

    workspaces: Workspaces
    intake: Intake
    heed: Heed
    doors: AllDoors | None
    noted: Callable[[str | None], None] = lambda _: None
    told: dict[str, None] = field(default_factory=dict)
    errands: set[asyncio.Task[None]] = field(default_factory=set)
    bringing: int = 0

    async def take(
        self, body: dict[str, Any], request: AsyncBoltRequest, next_: Callable[[], Awaitable[BoltResponse]]
    ) -> BoltResponse:
        """Return the acknowledgement of an event that was brought, or that it was not."""
        if body.get("type") == "url_verification":
            return await next_()
        self.heed(body)
        try:
            with self._one_of_few():
                answer = await self._taken(body)
        except Exception as error:  # noqa: BLE001 - whatever it is, Slack sends the event again
            if isinstance(error, StorageError):
                self.noted(error.reason)
            if request.headers.get("x-slack-retry-num") == _LAST_RETRY:
                self.start(unwaited(partial(self._lost, body, whereabouts(error))))
            else:
                _log.error("An event was not recorded, so Slack is left to send it again: %s", whereabouts(error))
            return BoltResponse(status=500, body="")
        self.noted(None)
        return answer

    @contextmanager
    def _one_of_few(self) -> Iterator[None]:
        """Count an event that is being brought. Raises StorageError when too many are: Slack holds the next for us."""
        if self.bringing >= _MOST_AT_ONCE:
            raise StorageError(f"{_MOST_AT_ONCE} events wait to be stored", retry=True)
        self.bringing += 1
        try:
            yield
        finally:
            self.bringing -= 1

    async def _lost(self, body: Mapping[str, Any], why: str) -> None:
        """Tell the asker of a question that Slack does not bring again, under the reference in the log, once."""
        reference = secrets.token_hex(4)
        _log.error("An event was lost, as Slack brings it no more, reference %s: %s", reference, why)
        workspace = await self.workspaces.of(team_of(body))
        post = read_event(body, workspace.me.user) if workspace else None
        if workspace is None or not isinstance(post, Post) or not is_asked(post, workspace.me.user):
            return
        key, language = f"{post.place}:{post.ts}", language_of(post.text)
        if key not in self.told:
            self._remember(key)
            to = Listener(post.channel, post.user, post.thread_ts)
            await whisper(workspace.client, to, say(phrase("failed", language, reference=reference), language))

    async def _taken(self, body: dict[str, Any]) -> BoltResponse:
        intake = self.intake
        if leaving := leaving_in(body):
            await self.workspaces.left(leaving.team, leaving.at, for_sure=leaving.for_sure)
            if self.doors:
                self.doors.forget(leaving.team)
            return BoltResponse(status=200, body="")
        workspace = await self.workspaces.of(team_of(body))
        if workspace is None:
            return BoltResponse(status=200, body="")
        bot, tell = workspace.me.user, partial(whisper, workspace.client)
        doors = self.doors.of(workspace) if self.doors else None
        if doors:
            doors.people.heed(body)
        if doors and (entered := await doors.enter(body, intake)):
            if entered.errand:
                self.start(unwaited(entered.errand))
            return BoltResponse(status=200, body=entered.body, headers=_JSON if entered.body else None)
        if command := slash_in(body):
            return await _slash(command, shown_for(body, command, workspace.client), intake, self.start, doors)
        heard = await self._commanded(body, bot, doors) or await bring(body, bot, intake, doors)
        self._follow(heard, tell, doors)
        return BoltResponse(status=200, body="")

    async def _commanded(self, body: Mapping[str, Any], bot: str, doors: Doors | None) -> Told | None:
        """Do what a post tells us to do, once, and return what is said of it; None for any other event.

        One that is edited into a command asks nothing any more and tells us nothing, which its writer is told.
        """
        event = read_event(body, bot)
        post = event.post if isinstance(event, Edit) else event
        command = command_in(post, bot) if isinstance(post, Post) else None
        if command is None or not isinstance(post, Post):
            return None
        # Two events tell of one edit, each with a time of its own.
        key = f"{command.id}#{post.text[:_KEY_CHARS]}" if isinstance(event, Edit) else command.id
        to = Listener(post.channel, post.user, post.thread_ts)
        if key in self.told:
            return Told(to, RenderedReply((), (), command.language))
        self._remember(key)
        try:
            command = await doors.understood(command) if doors else command
            objection = await doors.objection(post.place, post.user, language=command.language) if doors else None
            if isinstance(event, Edit):
                was_known = await self.intake.dropped(question_of(post, bot))
                edited = say(phrase("edited_command", command.language), command.language)
                return Told(to, edited if was_known and not objection else RenderedReply((), (), command.language))
            return Told(to, objection or await self.intake.commanded(command))
        except BaseException:
            self.told.pop(key, None)
            raise

    def _remember(self, key: str) -> None:
        self.told[key] = None
        if len(self.told) > _REMEMBERED:
            del self.told[next(iter(self.told))]

    def _follow(self, heard: Told | KeptOut | Question | None, tell: Tell, doors: Doors | None) -> None:
        """Begin what follows the acknowledgement; of a question at the door nothing is seen before it is let in."""
        if isinstance(heard, Told) and heard.reply.nodes:
            self.start(unwaited(partial(tell, heard.to, heard.reply)))
        elif isinstance(heard, KeptOut) and doors:
            self.start(unwaited(partial(_keep_out, heard, tell, doors)))
        elif isinstance(heard, Question) and doors and not heard.at_door:
            self.start(unwaited(partial(doors.hall.entitle, heard)))

    def start(self, errand: Coroutine[Any, Any, None]) -> None:
        """Let it be done while nobody waits for it."""
        task = asyncio.create_task(errand)
        self.errands.add(task)
        task.add_done_callback(self.errands.discard)


async def _slash(command: Command, show: Show, intake: Intake, start: Start, doors: Doors | None) -> BoltResponse:
    """Answer a slash command in its acknowledgement; what takes longer, or does not fit into it, comes after it."""
    work = asyncio.create_task(_done(command, intake, doors))
    await asyncio.wait([work], timeout=_SLASH_WITHIN)
    if work.done():
        start(show(work.result(), shown=1))
        return BoltResponse(status=200, body=whispered(work.result()), headers=_JSON)

    async def later() -> None:
        await show(await work)

    start(later())
    return BoltResponse(status=200, body="")


async def _done(command: Command, intake: Intake, doors: Doors | None) -> RenderedReply:
    """Return what is said to the command, also when it failed: Slack gives no command twice."""
    try:
        if doors is None:
            return await intake.commanded(command)
        command = await doors.understood(command)
        objection = await doors.objection(command.place, command.asker, alone=True, language=command.language)
        return objection or await intake.commanded(command)
    except Exception as error:  # noqa: BLE001 - whatever it is, the person hears of it
        reference = secrets.token_hex(4)
        _log.error("Slack: a command failed, reference %s: %s", reference, whereabouts(error))
        return say(phrase("failed", command.language, reference=reference), command.language)


async def unwaited(errand: Errand) -> None:
    """Do what is nobody's answer; what fails is logged."""
    try:
        await errand()
    except Exception as error:  # noqa: BLE001 - nobody waits for it, and nothing is lost by it
        _log.info("Something that is nobody's answer was not shown: %s", whereabouts(error))


async def _keep_out(kept: KeptOut, tell: Tell, doors: Doors) -> None:
    question = kept.question
    words = await doors.porter.words(question, kept.objection)
    if words.nodes:
        thread = question.root if question.root != question.message else None
        await tell(Listener(question.place.rpartition(":")[2], question.asker, thread), words)


async def bring(
    body: Mapping[str, Any], bot: str, intake: Intake, doors: Doors | None = None
) -> Told | KeptOut | Question | None:
    """Bring what the event tells of, if a person did it and it may concern us. Raises what the intake raises.

    Returns what is to be said to a person alone, or the question that was asked.
    """
    match read_event(body, bot):
        case Post() as post:
            if question := await _asked_by(post, bot, intake):
                return await _asked(question, intake, doors)
        case Edit(post):
            if is_asked(post, bot):
                return await _asked(question_of(post, bot), intake, doors)
            question = question_of(post, bot)
            await (intake.dropped(question) if calls_others(post.text, bot) else intake.edited(question))
        case Deletion(message, post):
            await intake.withdrawn(message, await _asked_by(post, bot, intake) if post else None)
        case Pressed() as pressed:
            return await _pressed(pressed, intake, doors)
        case Reaction() as reaction:
            return await _reacted(reaction, intake, doors)
        case None:
            pass
    return None


async def _asked(question: Question, intake: Intake, doors: Doors | None) -> KeptOut | Question | None:
    """Return the question once it is stored, or why it is not where outsiders ask or would read the answer.

    None for one that was known, and now reads otherwise. Slack is asked nothing: where it must be, that comes after.
    """
    if question.around and is_bare(question):
        spoken = await heard_in(intake, question.place, question.asker)
        question = replace(question, around=replace(question.around, spoken=spoken))
    elif not tells_language(question.text):
        question = replace(question, reads=await read_by(question, doors, intake))
    met = doors.met(question) if doors else question
    if isinstance(met, str):
        return KeptOut(question, met)
    if doors and not met.at_door:
        met = await doors.spoken(met)
    if met.version and await intake.edited(met):
        return None
    await intake.asked(met)
    return met


async def _pressed(pressed: Pressed, intake: Intake, doors: Doors | None) -> Told | None:
    press, place = pressed.press, pressed.press.message.place
    try:
        async with asyncio.timeout(_PRESS_WITHIN):
            alone, said = press.alone is not None, language_of(pressed.said)
            objection = await doors.objection(place, press.person, alone=alone, language=said) if doors else None
            chosen = await doors.chosen(place, press.person) if doors else None
    except (DeliveryError, TimeoutError):
        if not press.button.startswith(_ASKING):
            raise
        objection, chosen, press = None, None, replace(press, at_door=True)
    if objection:
        return Told(Listener(place.rpartition(":")[2], press.person, pressed.root, reach=pressed.reach), objection)
    language = chosen or language_of(pressed.said)
    outcome = await intake.pressed(replace(press, reads=chosen))
    reply = outcome.reply if isinstance(outcome, Heard) else say(phrase(outcome.said, language), language)
    is_used_up = isinstance(outcome, Heard) and press.button.startswith(_USED_UP)
    instead, channel = pressed.whispered if is_used_up else None, place.rpartition(":")[2]
    to = Listener(channel, press.person, pressed.root, press.message.message, instead, pressed.reach)
    return Told(to, reply) if reply else None


async def _reacted(reaction: Reaction, intake: Intake, doors: Doors | None) -> Told | None:
    """Store what an emoji on a message of ours says, if no outsider put it there; what it asks, it asks in its thread.

    Of other messages nothing is looked up: people put emoji everywhere.
    """
    message = reaction.message
    thread = await intake.thread_of(message)
    if thread is None:
        return None
    channel, person = message.place.rpartition(":")[2], reaction.by.rpartition(":")[2]
    if doors and await doors.objection(message.place, person):
        return None
    chosen = await doors.chosen(message.place, person) if doors else None
    asked = await intake.reacted(replace(reaction, reads=chosen))
    return Told(Listener(channel, person, root_in(thread), message.message), asked) if asked else None


async def _asked_by(post: Post, bot: str, intake: Intake) -> Question | None:
    """Return what the post asks of us; None when it is not for us, or has no words."""
    if is_asked(post, bot):
        return question_of(post, bot)
    if len(post.text) > _LONGEST_ASIDE:
        return None
    aside = aside_of(post, bot)
    return await intake.heard(aside) if aside.question.text else None
