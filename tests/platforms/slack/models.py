"""The values the stand-in keeps: the app under test, people, channels and messages."""

from dataclasses import dataclass
from typing import Any, Literal

Json = dict[str, Any]
ChannelKind = Literal["channel", "group", "im", "mpim"]


class Refused(Exception):
    """A call that Slack answers with `"ok": false`: the error code and its explanations."""

    def __init__(self, error: str, messages: tuple[str, ...] = (), **extra: str) -> None:
        super().__init__(error)
        self.error = error
        self.messages = messages
        self.extra = extra


@dataclass(frozen=True)
class App:
    """The installed app: its identity, its secrets and the scopes it was granted."""

    bot_token: str
    app_token: str
    signing_secret: str
    scopes: frozenset[str]
    team_id: str = "T0TEAM"
    team_domain: str = "standin"
    app_id: str = "A0APP"
    bot_user_id: str = "U0BOT"
    bot_id: str = "B0BOT"
    bot_name: str = "footnote"
    verification_token: str = "test-verification-token"
    app_scopes: frozenset[str] = frozenset({"connections:write"})
    # The configuration token of whoever made the app, and what Slack has of it.
    config_token: str = "xoxe.xoxp-test-token"
    manifest: Json | None = None


@dataclass(frozen=True)
class User:
    """A person or a bot user; `team_id` differs from the app's for people of another company."""

    id: str
    name: str
    team_id: str
    is_bot: bool = False
    is_guest: bool = False
    deleted: bool = False
    email: str | None = None
    locale: str = "en-US"
    # Seconds since 1970 when something of them changed last.
    updated: int = 0


@dataclass(frozen=True)
class Channel:
    """A public channel, private channel (`group`), direct message (`im`) or group message (`mpim`)."""

    id: str
    name: str
    members: frozenset[str]
    kind: ChannelKind = "channel"
    is_archived: bool = False
    is_ext_shared: bool = False
    is_pending_ext_shared: bool = False


@dataclass(frozen=True)
class Revision:
    """What a message said before an edit."""

    text: str
    blocks: tuple[Json, ...]


@dataclass(frozen=True)
class Message:
    """A message as it stands now, with its earlier wordings in `history`."""

    channel: str
    ts: str
    user: str
    text: str
    blocks: tuple[Json, ...] = ()
    thread_ts: str | None = None
    bot_id: str | None = None
    client_msg_id: str | None = None
    subtype: str | None = None
    metadata: Json | None = None
    edited: Json | None = None
    attachments: tuple[Json, ...] = ()
    expands_names: bool = False
    links_addresses: bool = True
    only_for: str | None = None
    history: tuple[Revision, ...] = ()

    @property
    def revision(self) -> Revision:
        """The present wording, to be kept in the history of the next one."""
        return Revision(self.text, self.blocks)


@dataclass(frozen=True)
class Status:
    """A line such as "is searching…" shown in a thread until the next message of the bot."""

    channel: str
    thread_ts: str
    text: str
    loading_messages: tuple[str, ...] = ()


@dataclass(frozen=True)
class Prompts:
    """What a person is offered to ask in a direct channel: pairs of what is shown and what is then written."""

    channel: str
    title: str
    prompts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Call:
    """One request to the Web API: what was asked and how it was answered."""

    method: str
    arguments: Json
    status: int
    error: str | None = None
