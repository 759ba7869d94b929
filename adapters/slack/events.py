"""Slack's events, read once: what people wrote, reworded and deleted, and which of it may be a question to us."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from adapters.slack.addresses import aloud, between
from adapters.slack.buttons import ACTION, about_in
from adapters.slack.words import calls_others, mentions, words_of
from core.around import has_words
from core.conversation import Aside, Audience, MessageRef, Question
from core.feedback import Reaction, Verdict
from core.press import Alone, Press
from core.remarks import Around

# A message without a subtype, one also sent to the channel, and one with a file. Every other subtype (people joining,
# other bots, whatever Slack adds) is not somebody asking something.
_SPOKEN = (None, "thread_broadcast", "file_share")
_SLACKBOT = "USLACKBOT"
# How messages of hooks and older workflows are marked, which no user writes.
_BOT_MESSAGE = "bot_message"
# Seconds and microseconds; more digits are no time.
_TS = re.compile(r"([0-9]{1,10})\.([0-9]{6})")
_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
# docs.slack.dev/reference/block-kit/block-elements/button-element: no value of a button is longer.
LONGEST_BUTTON = 2_000
# Slack's names of the two emoji; a skin tone follows them after two colons.
_THUMBS: Mapping[str, Verdict] = {"+1": "up", "thumbsup": "up", "-1": "down", "thumbsdown": "down"}


@dataclass(frozen=True, slots=True)
class Post:
    """What a person wrote where the bot can read it; `text` is in Slack's markup.

    `version` is 0, or the time of the latest edit in microseconds. `device_id` is what the writing device calls it.
    `attached`: a file came with it.
    """

    team: str
    channel: str
    ts: str
    user: str
    text: str
    thread_ts: str | None = None
    is_direct: bool = False
    version: int = 0
    device_id: str | None = None
    attached: bool = False

    @property
    def root(self) -> str:
        """The first message of the post's thread: itself, unless it is a reply."""
        return self.thread_ts or self.ts

    @property
    def place(self) -> str:
        """The channel, with its workspace."""
        return f"{self.team}:{self.channel}"


@dataclass(frozen=True, slots=True)
class Edit:
    """A post that now says something else."""

    post: Post


@dataclass(frozen=True, slots=True)
class Deletion:
    """A message that is gone; `post` is what it said, if a person did."""

    message: MessageRef
    post: Post | None = None


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press of a button of ours; `root` is the thread that the message stands in, `said` the beginning of it.

    `whispered`: where Slack lets the message be replaced that stood there for the presser alone; `reach`: where it
    takes words for the presser, also where they and we cannot be told anything else.
    """

    press: Press
    root: str | None = None
    said: str = ""
    whispered: str | None = None
    reach: str | None = None


@dataclass(frozen=True, slots=True)
class Listener:
    """The one person to whom something is said where nobody else sees it: in a channel or in a thread of it.

    `about`: the message that it is about; `instead`: the address that puts it in place of what was said there before;
    `reach`: the address where Slack takes words for them otherwise.
    """

    channel: str
    user: str
    thread_ts: str | None = None
    about: str | None = None
    instead: str | None = None
    reach: str | None = None


Event = Post | Edit | Deletion | Pressed | Reaction


def read_event(body: Mapping[str, Any], bot: str) -> Event | None:
    """Return what a person did to a message, or None when the event tells of anything else. Never raises.

    `app_mention` and `message` for one message give equal posts, and so for one edit.
    """
    return _press(body) or reaction_in(body, bot) or _deed(body, bot)


def _press(body: Mapping[str, Any]) -> Pressed | None:
    match body:
        case {
            "type": "block_actions",
            "team": dict(team),
            "channel": dict(channel),
            "user": dict(user),
            "container": dict(container),
            "actions": [{"action_id": str(action)} as pressed, *_],
        } if action.startswith(ACTION):
            workspace, place, person = _id(team, "id"), _id(channel, "id"), _id(user, "id")
            is_whisper = container.get("is_ephemeral") is True
            about = about_in(_text(pressed, "block_id")) if is_whisper else ""
            # Which answer a reason is about stands beside its buttons; other messages to one person are answers.
            is_reason = is_whisper and _text(pressed, "value").startswith("reason:")
            ts = about or ("" if is_reason else _ts(container, "message_ts"))
            button, message = _text(pressed, "value"), body.get("message")
            if not (workspace and place and person and ts and 0 < len(button) <= LONGEST_BUTTON):
                return None
            said = _text(message, "text") if isinstance(message, Mapping) else ""
            ref = MessageRef("slack", f"{workspace}:{place}", ts)
            by, id_ = f"slack:{workspace}:{person}", _ts(pressed, "action_ts")
            press = Press(button, ref, person, audience_of(workspace, place), by, id_)
            if is_whisper and (not about or button.startswith("alone:")):
                press = _unseen(press, workspace, place)
            reach = _text(body, "response_url") or None
            root = _ts(container, "thread_ts") or None
            return Pressed(press, root, said, reach if is_whisper else None, reach)
    return None


def reaction_in(body: Mapping[str, Any], bot: str) -> Reaction | None:
    """Return what a person's thumb on a message says of it, or takes back; another emoji says nothing to us."""
    event = body.get("event")
    if not isinstance(event, dict):
        return None
    match event:
        case {
            "type": "reaction_added" | "reaction_removed" as kind,
            "user": str(user),
            "reaction": str(name),
            "item": {"type": "message", "channel": str(), "ts": str()} as item,
        } if user not in (bot, _SLACKBOT):
            verdict = _THUMBS.get(name.partition("::")[0])
            team, channel, ts = _team(body), _id(item, "channel"), _ts(item, "ts")
            if not (verdict and team and channel and ts and _ID.fullmatch(user)):
                return None
            ref = MessageRef("slack", f"{team}:{channel}", ts)
            id_ = f"{kind}:{_ts(event, 'event_ts')}"
            return Reaction(ref, f"slack:{team}:{user}", id_, verdict, given=kind == "reaction_added")
    return None


def _unseen(press: Press, team: str, channel: str) -> Press:
    """Return the press of what only this person sees."""
    ts = press.message.message
    alone = Alone(between(press.person, ts), aloud(ts), everyone=press.audience)
    return replace(press, audience=private_audience(team, channel, press.person), alone=alone)


def _deed(body: Mapping[str, Any], bot: str) -> Event | None:
    event = body.get("event")
    if not isinstance(event, dict):
        return None
    match event:
        case {"type": "message", "subtype": "message_deleted"}:
            return _deletion(body, event, event.get("deleted_ts"), bot)
        # A first message that has replies leaves a stone in its place.
        case {"type": "message", "subtype": "message_changed", "message": {"subtype": "tombstone", "ts": ts}}:
            return _deletion(body, event, ts, bot)
        case {"type": "message", "subtype": "message_changed", "message": {"edited": _} as message}:
            return _edit(body, event, message, bot)
        case {"type": "message" | "app_mention"}:
            post = _post(body, event, event, bot)
            # A mention is told of again with each edit of the message.
            return Edit(post) if post and post.version else post
    return None


def is_asked(post: Post, bot: str) -> bool:
    """Return whether the post speaks to the bot: it mentions it, or stands in a direct channel."""
    return post.is_direct or mentions(post.text, bot)


def aside_of(post: Post, bot: str) -> Aside:
    """Return a post that does not speak to the bot as what it may ask of it all the same."""
    in_thread = post.thread_ts not in (None, post.ts)
    return Aside(question_of(post, bot), calls_others=calls_others(post.text, bot), in_thread=in_thread)


def question_of(post: Post, bot: str) -> Question:
    """Return the question that the post asks; its id is the same whichever event told of it."""
    return Question(
        id=str(MessageRef("slack", post.place, post.ts)),
        platform="slack",
        thread=str(MessageRef("slack", post.place, post.root)),
        text=words_of(post.text, bot),
        asker=post.user,
        audience=audience_of(post.team, post.channel),
        asked_at=datetime.fromtimestamp(float(post.ts), UTC),
        place=post.place,
        message=post.ts,
        root=post.root,
        version=post.version,
        overheard=not is_asked(post, bot),
        resend=f"slack:{post.team}:{post.device_id}" if post.device_id else None,
        around=_around(post, bot),
        attached=post.attached,
    )


def _around(post: Post, bot: str) -> Around | None:
    """Return that a thread is to be read for a mention in it, and that there is none for a mention alone elsewhere."""
    if post.is_direct:
        # A file alone asks nothing, and its sender is told so in the language that they read.
        return Around(()) if post.attached and not has_words(post.text) else None
    if not mentions(post.text, bot):
        return None
    if post.root != post.ts:
        return Around()
    return None if has_words(post.text.replace(bot, "")) else Around(())


def root_in(thread: str) -> str | None:
    """Return the first message of a thread; None for what stands in a channel by itself."""
    ts = thread.rpartition(":")[2]
    return ts if _TS.fullmatch(ts) else None


def audience_of(team: str, channel: str) -> Audience:
    """Return everybody who reads what is said in the channel."""
    return Audience(team, frozenset({group_of(team, channel)}))


def private_audience(team: str, channel: str, user: str) -> Audience:
    """Return the one person who reads a private answer, who may read what is said in the channel, too."""
    return Audience(team, frozenset({group_of(team, channel), f"slack:{team}:{user}"}))


def group_of(team: str, channel: str) -> str:
    """Return the group of those who can read a channel: what is said in it, and what is answered there."""
    return f"slack:{team}:{channel}"


def _deletion(body: Mapping[str, Any], event: Mapping[str, Any], ts: object, bot: str) -> Deletion | None:
    before = event.get("previous_message")
    is_ours = isinstance(before, Mapping) and before.get("user") == bot
    team, channel = _team(body), _id(event, "channel")
    is_whole = team and channel and isinstance(ts, str) and _TS.fullmatch(ts)
    if is_ours or not is_whole:
        return None
    post = _post(body, event, before, bot) if isinstance(before, Mapping) else None
    return Deletion(MessageRef("slack", f"{team}:{channel}", str(ts)), post)


def _edit(body: Mapping[str, Any], event: Mapping[str, Any], message: Mapping[str, Any], bot: str) -> Edit | None:
    """Return the edit, if the words are others now: links that unfold change a message too, and so does chat.update."""
    before = event.get("previous_message")
    if isinstance(before, Mapping) and before.get("text") == message.get("text"):
        return None
    post = _post(body, event, message, bot)
    if not post or not post.version:
        return None
    # The time of an edit has whole seconds; the event's own is finer, and tells two edits in one of them apart.
    return Edit(replace(post, version=max(post.version, _microseconds(event, "event_ts"))))


def _post(body: Mapping[str, Any], event: Mapping[str, Any], message: Mapping[str, Any], bot: str) -> Post | None:
    """Return the post if a person wrote the message; `event` says where it stands."""
    if not is_spoken(message, bot):
        return None
    channel = _id(event, "channel")
    post = Post(
        team=_team(body),
        channel=channel,
        ts=_ts(message, "ts"),
        user=_id(message, "user"),
        text=_text(message, "text"),
        thread_ts=_ts(message, "thread_ts") or None,
        # `app_mention` has no channel_type; ids of direct channels begin with D.
        is_direct=event.get("channel_type") == "im" or channel.startswith("D"),
        version=_version(message),
        device_id=_id(message, "client_msg_id") or None,
        attached=message.get("subtype") == "file_share" or bool(message.get("files")),
    )
    return post if post.team and post.channel and post.ts and post.user else None


def is_spoken(message: Mapping[str, Any], bot: str) -> bool:
    """Return whether a person wrote the message."""
    subtype = message.get("subtype")
    if subtype not in _SPOKEN or message.get("user") in (_SLACKBOT, bot):
        return False
    return not (message.get("bot_id") or message.get("bot_profile"))


def is_of_app(message: Mapping[str, Any], bot: str) -> bool:
    """Return whether another app wrote the message: a workflow, a hook or a bot that is not us."""
    subtype, user = message.get("subtype"), message.get("user")
    if user == bot or subtype not in (*_SPOKEN, _BOT_MESSAGE):
        return False
    return bool(message.get("bot_id") or message.get("bot_profile")) or _SLACKBOT == user or subtype == _BOT_MESSAGE


def _team(body: Mapping[str, Any]) -> str:
    return _id(body, "context_team_id") or _id(body, "team_id")


def _version(message: Mapping[str, Any]) -> int:
    edited = message.get("edited")
    return _microseconds(edited, "ts") if isinstance(edited, Mapping) else 0


def _microseconds(value: Mapping[str, Any], name: str) -> int:
    found = _TS.fullmatch(_ts(value, name))
    return int(found[1] + found[2]) if found else 0


def _ts(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) and _TS.fullmatch(found) else ""


def _id(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) and _ID.fullmatch(found) else ""


def _text(value: Mapping[str, Any], name: str) -> str:
    """Return the words; halves of characters and NUL, which databases refuse, are shown as what they are: nothing."""
    found = value.get(name)
    return found.encode("utf-8", "ignore").decode().replace("\0", "") if isinstance(found, str) else ""
