"""What the app needs of Slack: each scope, why, and the calls and events that it is for.

The manifest (docs/slack-manifest.yaml), docs/slack.md, the installation from a web page and `footnote doctor slack` all
say the same; a test compares them with this table, and this table with the calls in the code. To add a call: name it
here, at its scope.
"""

from dataclasses import dataclass

# The scope of the app-level token, which opens Socket Mode's connections and does nothing else.
APP_SCOPE = "connections:write"


@dataclass(frozen=True, slots=True)
class Need:
    """A scope of the bot's token: what `reason` it has, and what does not work `without` it.

    `methods` of the Web API need it, at least in some kind of channel; `events` are only sent with it.
    """

    scope: str
    reason: str
    without: str
    methods: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


_THREAD = ("conversations.replies", "conversations.history")

NEEDS = (
    Need(
        "app_mentions:read",
        "hear a question that mentions it",
        "mentions are heard only where messages are, and in no channel of mode mention",
        events=("app_mention",),
    ),
    Need(
        "channels:history",
        "hear follow-ups in threads of public channels; find its own message again when Slack did not confirm it; "
        "index channels",
        "in public channels nothing is heard but mentions, and an answer that Slack did not confirm is not looked for",
        methods=_THREAD,
        events=("message.channels",),
    ),
    Need(
        "groups:history",
        "the same in private channels",
        "in private channels nothing is heard but mentions, and an answer that Slack did not confirm is not looked for",
        methods=_THREAD,
        events=("message.groups",),
    ),
    Need(
        "im:history",
        "hear direct messages",
        "nobody can ask in a direct message",
        methods=("conversations.replies",),
        events=("message.im",),
    ),
    Need(
        "mpim:history",
        "hear follow-ups in group messages",
        "in group messages nothing is heard but mentions",
        methods=("conversations.replies",),
        events=("message.mpim",),
    ),
    Need(
        "commands",
        "`/ask`, `/footnote`, `/reindex`, and *Answer this* in the menu of messages",
        "there is no command and nothing in the menu of messages; mention the bot and write the question or command",
    ),
    Need(
        "reactions:read",
        "let 👍 and 👎 on an answer count as its buttons do",
        "only the buttons under an answer count",
        events=("reaction_added", "reaction_removed"),
    ),
    Need(
        "chat:write",
        "show that it is looking, answer, and remove that sign",
        "it cannot answer at all",
        methods=("chat.postMessage", "chat.update", "chat.delete", "chat.postEphemeral", "assistant.threads.setStatus"),
    ),
    Need(
        "assistant:write",
        "suggest questions in direct messages, and name threads there by their question",
        "nothing is suggested in direct messages, and threads there have no names",
        methods=("assistant.threads.setSuggestedPrompts", "assistant.threads.setTitle"),
    ),
    Need(
        "channels:read",
        "know who reads in a channel, and that no other organisation does; "
        "index channels: find those that the bot is in",
        "in public channels nothing is answered unless SLACK_EXTERNAL=allow, and none can be indexed",
        methods=("conversations.info", "conversations.list", "conversations.members"),
        events=("member_joined_channel", "member_left_channel", "channel_shared", "channel_unshared"),
    ),
    Need(
        "groups:read",
        "the same for private channels, whose history is for themselves alone",
        "in private channels nothing is answered unless SLACK_EXTERNAL=allow, and none can be indexed",
        methods=("conversations.info", "conversations.list", "conversations.members"),
    ),
    Need(
        "mpim:read",
        "know who reads in a group message",
        "in group messages nothing is answered unless SLACK_EXTERNAL=allow",
        methods=("conversations.info", "conversations.members"),
    ),
    Need(
        "users:read",
        "know who reads an answer: guests and people of elsewhere; in which language to speak to somebody; "
        "index channels: write names instead of ids",
        "nothing is answered unless SLACK_EXTERNAL=allow, and what was said in indexed channels bears no names",
        methods=("users.info", "users.list", "bots.info"),
        events=("team_join", "user_change"),
    ),
    Need(
        "users:read.email",
        "know who reads an answer: people by their e-mail address",
        "documents whose readers are named by e-mail address are not used",
    ),
    Need(
        "usergroups:read",
        "know who reads an answer: user groups",
        "documents whose readers are user groups are not used",
        methods=("usergroups.list",),
        events=("subteam_created", "subteam_updated", "subteam_members_changed"),
    ),
)

# Sent to every app that asks for them.
FREE_EVENTS = {
    "app_home_opened": "draw the Home tab, and suggest questions",
    "app_uninstalled": "delete its token at once, and its data after RETENTION",
    "tokens_revoked": "the same when only the token was taken back",
}
# Calls that any token may make, or none at all, and which token they want.
FREE_METHODS = (
    "views.publish",
    "chat.getPermalink",
    "auth.test",
    "auth.revoke",
    "oauth.v2.access",
    "apps.connections.open",
    "apps.manifest.export",
)

BOT_SCOPES = tuple(need.scope for need in NEEDS)
EVENTS = (*(event for need in NEEDS for event in need.events), *FREE_EVENTS)


def scopes_of(method: str) -> tuple[str, ...]:
    """Return the scopes that a method of the Web API needs, each in its kind of channel."""
    return tuple(need.scope for need in NEEDS if method in need.methods)
