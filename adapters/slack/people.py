"""Who somebody is: the language that they read, and whether they are a guest. Asked of Slack, and kept a while."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import Trouble, Unknown, once
from core.phrases import DEFAULT, language_read
from core.text import Language

# Seconds for which an answer holds, and answers kept.
KEPT_SECONDS = 600.0
KEPT = 5_000
# Seconds that a look-up may take while Slack waits for an acknowledgement, which it does for three.
QUICK = 1.5

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
        # Two events tell of one post: who wrote it is asked once, and they go on in the order in which they came.
        self._asking: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    async def person(self, team: str, user: str) -> Person | Trouble:
        """Return who somebody in a workspace is, or why that cannot be told now. Never raises."""
        async with self._asking.setdefault((team, user), asyncio.Lock()):
            return self._known.get((team, user)) or await self._look(team, user)

    async def _look(self, team: str, user: str) -> Person | Trouble:
        answer = await quickly(self._client.users_info(user=user, include_locale=True))
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
