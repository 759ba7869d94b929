"""The people and user groups of one Slack workspace: learnt as a whole, kept by events, and asked for anew in time."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import Busy, in_words, once
from adapters.slack.events import group_of
from adapters.slack.refusals import Refusal
from core.audience import Reader, folded

# Seconds for which people and groups of a workspace are taken as they were. Events tell of changes at once, but only
# one of several copies of the bot.
PEOPLE_KEPT = 600.0
# Of more people nobody asks: the readers of a channel are then not known. A page is as large as Slack takes
# (docs.slack.dev/reference/methods/users.list), so that all of them are twenty calls, which it takes within a minute.
MOST_PEOPLE, _PAGE = 20_000, 1_000
# Seconds that one question may wait to learn who reads, and that the whole list may take, whoever still waits for it.
PATIENCE, LIST_PATIENCE = 10.0, 300.0
# Seconds for which a list of several pages is kept fresh for whoever asks next: over a long weekend.
WANTED = 4 * 86_400.0
# People who are asked about one by one (users.info: 100 a minute) rather than with the whole list (20 a minute).
_FEW = 20
_TRIES = 3
_SLACKBOT = "USLACKBOT"


class Untold(Exception):
    """Slack does not tell; says why. `for_good`: it never will until somebody grants it."""

    def __init__(self, why: str, *, for_good: bool = False) -> None:
        super().__init__(why)
        self.for_good = for_good


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody: their names besides those of user groups, None for a bot; `updated` by Slack's clock, in seconds."""

    names: frozenset[str] | None
    in_groups: bool = False
    updated: float = -math.inf

    def is_as(self, other: "Person") -> bool:
        """Return whether both may read the same."""
        return (self.names, self.in_groups) == (other.names, other.in_groups)

    def has_address(self) -> bool:
        """Return whether an e-mail address is among the names."""
        return any("@" in name for name in self.names or ())


class Directory:
    """Who is in a workspace. `client` raises Untold without a token; `tell` is told why somebody is not known."""

    def __init__(
        self,
        team: str,
        client: Callable[[], AsyncWebClient],
        clock: Callable[[], float],
        tell: Callable[[str], None],
        *,
        is_one: bool,
    ) -> None:
        self._team, self._client, self._clock, self._tell, self._is_one = team, client, clock, tell, is_one
        self._persons: dict[str, Person] | None = None
        self._groups: dict[str, frozenset[str]] | None = None
        self._at = self._groups_at = self._used = -math.inf
        # Whose entry is not to be trusted, and who of them is being asked about, by the latest call.
        self._doubted: set[str] = set()
        self._asking: dict[str, object] = {}
        # What events tell while the list is under way; how often all, and the groups, were forgotten.
        self._news: list[tuple[str, Person, bool]] | None = None
        self._forgotten = self._regrouped = 0
        self._grouping = asyncio.Lock()
        self._is_over = False
        self._loading: asyncio.Task[str | None] | None = None
        self._next: asyncio.TimerHandle | None = None

    async def look(self, ids: Collection[str] = (), *, fresh: bool = False) -> None:
        """Learn what is not known; with `fresh` also who of `ids` nobody has heard of. Raises Untold.

        Until something else is awaited, nothing that is told then is older than any event.
        """
        self._used = self._clock()
        asked = set[str]()
        for _ in range(_TRIES):
            if self._is_over:
                raise Untold("the workspace has left, or the bot is stopping")
            if self._persons is None or self._clock() - self._at >= PEOPLE_KEPT:
                await self._loaded()
            asked |= await self._ask_about(self._unsure(ids, fresh=fresh) - asked)
            async with self._grouping:
                if self._groups is None or self._clock() - self._groups_at >= PEOPLE_KEPT:
                    await self._learn_groups()
            if self._persons is not None and self._groups is not None and self._doubted.isdisjoint(ids):
                return
            asked -= self._doubted
        raise Untold("who is in the workspace changes faster than Slack tells it")

    def reader(self, person: str) -> Reader:
        """Return somebody; who is not among the people of the workspace has no name but their id."""
        known = self._known(person)
        names = known.names or self._nobody(person).names or frozenset()
        return Reader(names.union((self._groups or {}).get(person, ())) if known.in_groups else names)

    @property
    def is_partial(self) -> bool:
        """Return whether user groups are missing that Slack may tell the next time."""
        return self._groups is not None and self._groups_at == -math.inf

    def is_bot(self, person: str) -> bool:
        """Return whether it is a bot, which reads nothing."""
        return person == _SLACKBOT or self._known(person).names is None

    def heed(self, user: Mapping[str, Any], *, is_own: bool) -> bool:
        """Take over what an event says of somebody; return whether they may read something else from now on.

        `is_own`: it is said to this workspace. What another one is told only makes us ask.
        """
        id_ = user.get("id")
        if not isinstance(id_, str):
            self.forget()
            return True
        told, is_sure = self._person(user), is_own and _is_whole(user)
        self._asking.pop(id_, None)
        if self._news is not None:
            self._news.append((id_, told, is_sure))
        return self._persons is not None and self._take_over(self._persons, id_, told, is_sure=is_sure)

    def regroup(self) -> None:
        """Ask anew who is in which user group."""
        self._groups = None
        self._regrouped += 1

    def forget(self) -> None:
        """Ask anew about everybody."""
        self._persons = None
        self._forgotten += 1
        self.regroup()

    def stop(self) -> None:
        """Ask nothing any more."""
        self._is_over = True
        if self._loading:
            self._loading.cancel()
        if self._next:
            self._next.cancel()

    def _known(self, person: str) -> Person:
        return (self._persons or {}).get(person) or self._nobody(person)

    def _nobody(self, person: str) -> Person:
        return Person(frozenset({group_of(self._team, person)}))

    def _take_over(self, persons: dict[str, Person], id_: str, told: Person, *, is_sure: bool) -> bool:
        """Put in what is newer by Slack's own clock; where that is in doubt they are nobody until Slack is asked."""
        known = persons.get(id_) or self._nobody(id_)
        if told.is_as(known) and id_ not in self._doubted:
            if id_ in persons:
                persons[id_] = replace(known, updated=max(known.updated, told.updated))
            return False
        if not is_sure and id_ not in persons and id_ not in self._doubted:
            return False
        # An event need not tell an address that the list tells.
        lacks_address = known.has_address() and told.in_groups and not told.has_address()
        if is_sure and told.updated > known.updated and not lacks_address and id_ not in self._doubted:
            persons[id_] = told
        else:
            persons.pop(id_, None)
            self._doubted.add(id_)
        return True

    def _unsure(self, ids: Iterable[str], *, fresh: bool) -> set[str]:
        persons = self._persons or {}
        return {one for one in ids if one in self._doubted or (fresh and one not in persons and one != _SLACKBOT)}

    async def _ask_about(self, ids: set[str]) -> set[str]:
        """Learn who they are, one by one or, if they are many, with everybody else; return them."""
        if len(ids) > _FEW:
            await self._loaded()
            if self._persons is not None:
                self._persons |= {id_: self._nobody(id_) for id_ in ids if id_ not in self._persons}
            return ids
        for id_ in sorted(ids):
            await self._ask_about_one(id_)
        return ids

    async def _ask_about_one(self, id_: str) -> None:
        """Learn who it is, unless an event tells of them meanwhile, which may be newer."""
        self._asking[id_] = this_call = object()
        self._doubted.add(id_)
        try:
            found = self._person((await answered(partial(self._client().users_info, user=id_)))["user"])
        except Untold as why:
            if not why.for_good:
                raise
            found = self._nobody(id_)
        if self._asking.get(id_) is this_call:
            del self._asking[id_]
            if self._persons is not None:
                self._persons[id_] = found
                self._doubted.discard(id_)

    async def _loaded(self) -> None:
        """Wait until all people are learnt. Whoever gives up leaves it going on for those who ask next."""
        loading = self._begin()
        await asyncio.wait({loading})
        if loading.cancelled():
            raise Untold("the workspace has left, or the bot is stopping")
        if why := loading.result():
            raise Untold(why)

    def _begin(self) -> asyncio.Task[str | None]:
        if self._loading is None or self._loading.done():
            self._loading = asyncio.create_task(self._load())
        return self._loading

    async def _load(self) -> str | None:
        """Learn all people; return why that was not possible."""
        why = None
        try:
            async with asyncio.timeout(LIST_PATIENCE):
                await self._learn_people()
        except TimeoutError:
            why = "it takes too long to list the people of the workspace"
        except Untold as untold:
            why = str(untold)
        except (KeyError, TypeError, AttributeError):
            why = "Slack's answer has another form than it is said to have"
        finally:
            self._news = None
        if why:
            self._tell(why)
        if self._next:
            self._next.cancel()
        if len(self._persons or ()) > _PAGE:
            self._next = asyncio.get_running_loop().call_later(PEOPLE_KEPT / 2, self._keep_fresh)
        return why

    def _keep_fresh(self) -> None:
        """Ask for a long list anew before it is too old, so that nobody has to wait for it."""
        if self._clock() - self._used < WANTED:
            self._begin()

    async def _learn_people(self) -> None:
        begun, forgotten, cursor = self._clock(), self._forgotten, ""
        news: list[tuple[str, Person, bool]] = []
        self._news = news
        persons: dict[str, Person] = {}
        while True:
            page = await answered(partial(self._client().users_list, limit=_PAGE, cursor=cursor), LIST_PATIENCE)
            persons |= {user["id"]: self._person(user) for user in page["members"]}
            if len(persons) > MOST_PEOPLE:
                raise Untold(f"the workspace has more than {MOST_PEOPLE:,} people")
            if not (cursor := cursor_of(page)):
                break
        if forgotten == self._forgotten:
            self._persons, self._at, self._doubted = persons, begun, set()
            for id_, told, is_sure in news:
                self._take_over(persons, id_, told, is_sure=is_sure)

    async def _learn_groups(self) -> None:
        """Learn the user groups of each person. Where Slack does not tell there are fewer names to go by."""
        begun, regrouped = self._clock(), self._regrouped
        found: dict[str, set[str]] = {}
        try:
            page = await answered(partial(self._client().usergroups_list, include_users=True))
            for group in page["usergroups"]:
                for user in group.get("users") or ():
                    found.setdefault(user, set()).add(group_of(self._team, group["id"]))
        except Untold as why:
            found.clear()
            begun = begun if why.for_good else -math.inf
            self._tell(str(why))
        if regrouped == self._regrouped:
            self._groups, self._groups_at = {one: frozenset(groups) for one, groups in found.items()}, begun

    def _person(self, user: Mapping[str, Any]) -> Person:
        """Return somebody as Slack tells of them.

        Guests do not belong to the workspace as a whole. Of people of other workspaces nothing counts but their id:
        what else is said of them, their own workspace says.
        """
        updated = user.get("updated")
        when = float(updated) if isinstance(updated, int | float) else -math.inf
        if user.get("is_bot") or user["id"] == _SLACKBOT:
            return Person(None, updated=when)
        own = frozenset({group_of(self._team, user["id"])})
        if user.get("deleted") or user.get("is_stranger") or not _is_of(user, self._team):
            return Person(own, updated=when)
        profile = user.get("profile")
        email = profile.get("email") if isinstance(profile, Mapping) else None
        names = own.union(self._addresses(email) if isinstance(email, str) and email else ())
        is_guest = user.get("is_restricted") or user.get("is_ultra_restricted")
        return Person(names if is_guest else names | {f"workspace:{self._team}"}, in_groups=True, updated=when)

    def _addresses(self, email: str) -> frozenset[str]:
        of_workspace = folded(group_of(self._team, email))
        return frozenset({folded(email), of_workspace}) if self._is_one else frozenset({of_workspace})


async def answered(
    call: Callable[[], Awaitable[AsyncSlackResponse]], patience: float | None = None
) -> AsyncSlackResponse:
    """Return Slack's answer to a call that may be repeated; a pause of less than `patience` seconds is waited for.

    Raises Untold.
    """
    longest = PATIENCE if patience is None else patience
    while True:
        match await once(call()):
            case AsyncSlackResponse() as answer:
                return answer
            case Busy(seconds) if seconds < longest:
                await asyncio.sleep(seconds)
            case Busy():
                raise Untold("Slack asks for a long pause")
            case trouble:
                raise Untold(in_words(trouble), for_good=isinstance(trouble, Refusal))


def cursor_of(page: AsyncSlackResponse) -> str:
    """Return how to ask for the next page; empty after the last."""
    told = page.get("response_metadata")
    return str(told.get("next_cursor") or "") if isinstance(told, Mapping) else ""


def _is_of(user: Mapping[str, Any], team: str) -> bool:
    enterprise = user.get("enterprise_user")
    teams = enterprise.get("teams") if isinstance(enterprise, Mapping) else None
    return user.get("team_id") in (team, None) or (isinstance(teams, list) and team in teams)


def _is_whole(user: Mapping[str, Any]) -> bool:
    """Return whether an event tells all that decides what somebody may read."""
    is_rights_told = "is_restricted" in user or bool(user.get("deleted"))
    return is_rights_told and isinstance(user.get("team_id"), str) and isinstance(user.get("profile"), Mapping)
