"""Who somebody is: the language that they read, and whether they are a guest. Asked of Slack, and kept a while."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import Busy, Trouble, Unknown, once
from core.around import has_words
from core.phrases import DEFAULT, language_read
from core.text import Language, language_of

# Seconds for which an answer holds, and answers kept: events tell of a change at once, but only one of several copies
# of the bot, and the others are not to serve a guest for long (users.info takes over a hundred calls a minute).
KEPT_SECONDS = 60.0
KEPT = 5_000
# Seconds that a look-up is waited for while Slack waits for an acknowledgement, which it does for three.
QUICK = 1.5
# Seconds that it is waited for where nobody does.
PATIENT = 10.0
# Events after which somebody is another: a guest, a member, or one who reads another language.
_CHANGED = frozenset(("team_join", "user_change", "user_profile_changed"))
# People in one page of the list of all, and pages read.
_PAGE, _MOST_PAGES = 1_000, 20
# How often somebody is asked about who changes meanwhile.
_TRIES = 3

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Kept(Generic[K, T]):
    """Values that hold for some seconds, the oldest forgotten first."""

    def __init__(self, seconds: float, most: int = KEPT) -> None:
        self._seconds = seconds
        self._most = most
        self._known: OrderedDict[K, tuple[float, T]] = OrderedDict()

    def get(self, key: K) -> T | None:
        """Return what is known and still holds."""
        at, value = self._known.get(key, (0.0, None))
        return value if value is not None and time.monotonic() - at < self._seconds else None

    def known(self) -> tuple[K, ...]:
        """Return what something is known of, or was."""
        return tuple(self._known)

    def forget(self, key: K) -> None:
        """Know nothing of this any more."""
        self._known.pop(key, None)

    def put(self, key: K, value: T) -> None:
        """Know this from now on."""
        self._known[key] = time.monotonic(), value
        self._known.move_to_end(key)
        while len(self._known) > self._most:
            self._known.popitem(last=False)


class Asking(Generic[K, T]):
    """Look-ups under way: each is made once for all who wait for it, and goes on when nobody waits any more."""

    def __init__(self) -> None:
        self._under_way: dict[K, asyncio.Task[T | Trouble]] = {}
        self._rests_until = 0.0

    async def answer(self, key: K, look: Callable[[], Awaitable[T | Trouble]], seconds: float) -> T | Trouble:
        """Return what the look-up gives within so many seconds; none is made while Slack asks for a pause."""
        if key not in self._under_way:
            if (rest := self._rests_until - time.monotonic()) > 0:
                return Busy(rest)
            self._under_way[key] = asyncio.ensure_future(look())
            self._under_way[key].add_done_callback(lambda task: self._end(key, task))
        task = self._under_way[key]
        await asyncio.wait([task], timeout=seconds)
        return task.result() if task.done() else Unknown(f"Slack took longer than {seconds:g} s")

    def stop(self) -> None:
        """Ask nothing any more."""
        for task in self._under_way.values():
            task.cancel()

    def _end(self, key: K, task: "asyncio.Task[T | Trouble]") -> None:
        del self._under_way[key]
        if task.cancelled() or task.exception():
            return
        if isinstance(answer := task.result(), Busy):
            self._rests_until = time.monotonic() + answer.seconds


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody as the workspace knows them; `is_guest`: a guest of it, or of another organisation."""

    language: Language
    is_guest: bool = False
    name: str = ""


class People:
    """The people of a workspace, looked up one by one."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._known: Kept[tuple[str, str], Person] = Kept(KEPT_SECONDS)
        self._asking: Asking[tuple[str, str], Person] = Asking()
        # The people who are being looked up, and whether they have changed meanwhile.
        self._asked: dict[tuple[str, str], bool] = {}

    def stop(self) -> None:
        """Ask nothing any more."""
        self._asking.stop()

    def known(self, team: str, user: str) -> Person | None:
        """Return who somebody in a workspace is, if that is remembered."""
        return self._known.get((team, user))

    async def person(self, team: str, user: str, within: float | None = None) -> Person | Trouble:
        """Return who somebody in a workspace is, or why that cannot be told so soon. Never raises."""
        key = team, user
        return self._known.get(key) or await self._asking.answer(key, lambda: self._look(*key), within or QUICK)

    def heed(self, body: Mapping[str, Any]) -> None:
        """Forget whom an event says to be somebody else by now."""
        match body.get("event"):
            case {"type": str(kind), "user": {"id": str(user)}} if kind in _CHANGED:
                self.forget(user)

    def forget(self, user: str) -> None:
        """Ask anew who somebody is, whichever workspace they were met in, also where the answer is on its way."""
        for key in self._known.known():
            if key[1] == user:
                self._known.forget(key)
        self._asked |= {key: True for key in self._asked if key[1] == user}

    async def _look(self, team: str, user: str) -> Person | Trouble:
        """Return who somebody is, with all that changed while it was asked."""
        key = team, user
        try:
            for _ in range(_TRIES):
                self._asked[key] = False
                found = await self._ask(team, user)
                if not isinstance(found, Person):
                    return found
                if not self._asked[key]:
                    self._known.put(key, found)
                    return found
        finally:
            self._asked.pop(key, None)
        return Unknown("somebody changes faster than Slack tells it")

    async def _ask(self, team: str, user: str) -> Person | Trouble:
        answer = await once(self._client.users_info(user=user, include_locale=True))
        return _person(team, answer.get("user") or {}) if isinstance(answer, AsyncSlackResponse) else answer

    async def id_of(self, name: str) -> str | None:
        """Return the id of the one person whom people here call so; None for nobody, several, or when Slack tells none.

        Asked for seldom: administrators name somebody.
        """
        wanted, found, cursor = name.casefold(), set[str](), ""
        for _ in range(_MOST_PAGES):
            page = await once(self._client.users_list(limit=_PAGE, cursor=cursor))
            if not isinstance(page, AsyncSlackResponse):
                return None
            found |= {str(one["id"]) for one in page.get("members") or () if wanted in _names(one)}
            cursor = str((page.get("response_metadata") or {}).get("next_cursor") or "")
            if not cursor:
                return found.pop() if len(found) == 1 else None
        return None

    async def language(self, team: str, user: str) -> Language:
        """Return the language that somebody reads; English when that cannot be told."""
        found = await self.person(team, user)
        return found.language if isinstance(found, Person) else DEFAULT

    async def tongue(self, team: str, user: str, words: str) -> Language:
        """Return the language to speak to somebody in: what they have chosen in Slack, or else that of these words.

        Slack itself is not offered in every language that people write in: English is what nobody chose, too.
        """
        chosen = await self.language(team, user)
        return language_of(words) if chosen == DEFAULT and has_words(words) else chosen


async def quickly(call: Awaitable[AsyncSlackResponse]) -> AsyncSlackResponse | Trouble:
    """Return the answer to a call that somebody waits for, or what came of it. Never raises."""
    try:
        async with asyncio.timeout(QUICK):
            return await once(call)
    except TimeoutError:
        return Unknown(f"Slack took longer than {QUICK:g} s")


def _names(user: Mapping[str, Any]) -> set[str]:
    """Return what people call somebody who has not left: how they sign in, and both of their names."""
    profile = user.get("profile") or {}
    said = (user.get("name"), user.get("real_name"), profile.get("display_name"), profile.get("real_name"))
    return set() if user.get("deleted") or user.get("is_bot") else {str(one).casefold() for one in said if one}


def _person(team: str, user: dict[str, Any]) -> Person:
    outside = any(user.get(name) is True for name in ("is_restricted", "is_ultra_restricted", "is_stranger"))
    # Somebody of another workspace of one organisation is no stranger; Slack says so of all others.
    elsewhere = user.get("team_id") != team and not user.get("enterprise_user")
    profile = user.get("profile") or {}
    name = profile.get("display_name") or profile.get("real_name") or user.get("real_name") or user.get("name") or ""
    return Person(language_read(str(user.get("locale", ""))), outside or elsewhere, str(name))
