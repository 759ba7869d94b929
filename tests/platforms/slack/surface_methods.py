"""The Web API methods of what is no message: suggested prompts, titles of threads, and the Home tab."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from tests.platforms.slack.blocks import problems_of
from tests.platforms.slack.content import named
from tests.platforms.slack.models import Json, Message, Prompts, Refused
from tests.platforms.slack.shapes import Shape as Object
from tests.platforms.slack.shapes import anything, list_of, one_of, string
from tests.platforms.slack.workspace import Workspace

# docs.slack.dev: up to four suggested prompts; up to 100 blocks and 250 KB in a view.
PROMPTS = list_of(Object({"title": string(), "message": string()}), 1, 4)
VIEW_BLOCKS = 100
VIEW_BYTES = 250_000
VIEW = Object(
    {"type": one_of("home"), "blocks": anything},
    {"callback_id": string(1, 255), "private_metadata": string(0, 3000), "external_id": string(1, 255)},
)


@dataclass
class SurfaceMethods:
    """What the bot may show beside messages; each method returns the answer's own fields.

    The app is an agent: prompts for a thread are taken, and shown nowhere.
    """

    workspace: Workspace

    def table(self) -> dict[str, Callable[[Json], Json]]:
        """Return the methods by their names in the Web API."""
        return {
            "assistant.threads.setSuggestedPrompts": self.set_prompts,
            "assistant.threads.setTitle": self.set_title,
            "views.publish": self.publish,
        }

    def set_prompts(self, arguments: Json) -> Json:
        """Offer prompts in a direct channel."""
        channel = self._direct(arguments)
        problems = list(PROMPTS(arguments.get("prompts"), "/prompts"))
        if problems:
            raise Refused("invalid_arguments", tuple(map(str, problems)))
        if arguments.get("thread_ts") is None:
            pairs = tuple((each["title"], each["message"]) for each in arguments["prompts"])
            self.workspace.prompts.append(Prompts(channel, str(arguments.get("title") or ""), pairs))
        return {}

    def set_title(self, arguments: Json) -> Json:
        """Name a thread of a direct channel."""
        channel = self._direct(arguments)
        root = self._root(channel, str(arguments.get("thread_ts")))
        if not str(arguments.get("title") or "").strip():
            raise Refused("invalid_arguments", ("[ERROR] missing required field: title",))
        self.workspace.titles[channel, root.ts] = str(arguments["title"])
        return {}

    def publish(self, arguments: Json) -> Json:
        """Show a person their Home tab."""
        user, view = str(arguments.get("user_id")), arguments.get("view")
        if user not in self.workspace.users:
            raise Refused("user_not_found")
        problems = list(VIEW(view, "/view"))
        problems = problems or problems_of((view or {}).get("blocks"), VIEW_BLOCKS)
        if problems:
            raise Refused("invalid_arguments", tuple(map(str, problems)))
        assert isinstance(view, dict)
        if len(json.dumps(view).encode()) > VIEW_BYTES:
            raise Refused("view_too_large")
        shown = {**view, "blocks": [named(block) for block in view["blocks"]]}
        self.workspace.homes[user] = shown
        return {"view": shown}

    def _direct(self, arguments: Json) -> str:
        channel = self.workspace.channels.get(str(arguments.get("channel_id")))
        if channel is None or channel.kind != "im":
            raise Refused("channel_not_found")
        return channel.id

    def _root(self, channel: str, ts: str) -> Message:
        root = self.workspace.messages.get((channel, ts))
        if root is None or root.thread_ts not in (None, root.ts):
            raise Refused("invalid_thread_ts")
        return root
