"""The Web API methods that tell who is in a workspace, in a channel and in a user group."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.platforms.slack.lookup_methods import described, paged
from tests.platforms.slack.models import Json
from tests.platforms.slack.workspace import Workspace


@dataclass
class MemberMethods:
    """What the bot may learn about people together; each method returns the answer's own fields."""

    workspace: Workspace

    def table(self) -> dict[str, Callable[[Json], Json]]:
        """Return the methods by their names in the Web API."""
        return {
            "conversations.members": self.members,
            "users.list": self.users,
            "usergroups.list": self.user_groups,
        }

    def members(self, arguments: Json) -> Json:
        """Return a page of who is in a channel that the bot may know of, itself among them."""
        channel = self.workspace.readable(arguments.get("channel"))
        page, more = paged(sorted(channel.members), arguments)
        return {"members": list(page), **more}

    def users(self, arguments: Json) -> Json:
        """Return a page of the people of the workspace; e-mail addresses take a scope of their own."""
        page, more = paged([self.workspace.users[id_] for id_ in sorted(self.workspace.users)], arguments)
        people = [described(self.workspace, user) for user in page]
        if "users:read.email" not in self.workspace.app.scopes:
            for person in people:
                person["profile"].pop("email", None)
        return {"members": people, "cache_ts": 0, **more}

    def user_groups(self, arguments: Json) -> Json:
        """Return the user groups; who is in them only where it is asked for."""
        asked = str(arguments.get("include_users")).lower() in ("1", "true")
        shown = [
            {"id": id_, "team_id": self.workspace.app.team_id, "is_usergroup": True, "handle": id_.lower()}
            | ({"users": sorted(members), "user_count": len(members)} if asked else {})
            for id_, members in self.workspace.user_groups.items()
        ]
        return {"usergroups": shown}
