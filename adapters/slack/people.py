"""Who somebody is: the language that they read, and whether they are a guest. Asked of Slack, and kept a while."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import Busy, Trouble, Unknown, once
from core.phrases import DEFAULT, language_read
from core.text import Language

# Seconds for which an answer holds, and answers kept.
KEPT_SECONDS = 600.0
KEPT = 5_000
# Seconds that a look-up is waited for while Slack waits for an acknowledgement, which it does for three.
QUICK = 1.5
# Seconds that it is waited for where nobody does.
PATIENT = 10.0

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


class People:
    """The people of a workspace, looked up one by one."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._known: Kept[tuple[str, str], Person] = Kept(KEPT_SECONDS)
        self._asking: Asking[tuple[str, str], Person] = Asking()

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

    async def _look(self, team: str, user: str) -> Person | Trouble:
        answer = await once(self._client.users_info(user=user, include_locale=True))
        if not isinstance(answer, AsyncSlackResponse):
            return answer
        found = _person(team, answer.get("user") or {})
        self._known.put((team, user), found)
        return found

    async def language(self, team: str, user: str) -> Language:
        """Return the language that somebody reads; English when that cannot be told."""
        found = await self.person(team, user)
        return found.language if isinstance(found, Person) else DEFAULT


async def quickly(call: Awaitable[AsyncSlackResponse]) -> AsyncSlackResponse | Trouble:
    """Return the answer to a call that somebody waits for, or what came of it. Never raises."""
    try:
        async with asyncio.timeout(QUICK):
            return await once(call)
    except TimeoutError:
        return Unknown(f"Slack took longer than {QUICK:g} s")


def _person(team: str, user: dict[str, Any]) -> Person:
    outside = any(user.get(name) is True for name in ("is_restricted", "is_ultra_restricted", "is_stranger"))
    # Somebody of another workspace of one organisation is no stranger; Slack says so of all others.
    elsewhere = user.get("team_id") != team and not user.get("enterprise_user")
    return Person(language_read(str(user.get("locale", ""))), outside or elsewhere)
