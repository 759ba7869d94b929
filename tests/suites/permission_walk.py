"""A walk to the confidential page: who tries to read it and how, and what each of them is shown."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from adapters.slack.connect import client_of
from adapters.slack.members import SlackMembers
from adapters.telegram.members import TelegramMembers
from bot.audiences import Audiences, Where
from bot.viewing import Viewing
from core.conversation import Audience, PlatformName, Question
from core.render import text_of
from core.result import result_of
from core.running import GroupBook, Membership
from core.turn import TurnRecord
from tests.corpora import Company
from tests.platforms.slack.stand_in import SlackStandIn

HOME, OTHER = "T0TEAM", "T9OTHER"
ADDRESS = "anna@northwind.example"
RULES = f"groups: {{people-team: ['slack:{HOME}:{ADDRESS}']}}\n"
ASKED = ("By which factor is pay multiplied in Portugal?", "На какой коэффициент умножается зарплата в Португалии?")
_SHORT = 90


@dataclass(frozen=True, slots=True)
class Walker:
    """Somebody who asks in a place: `who` they are, in words."""

    who: str
    platform: PlatformName
    place: str
    person: str


WALKERS = (
    Walker("Anna of the People team, in a direct message", "slack", f"{HOME}:D1", "U1ANNA"),
    Walker("a member of the workspace, in a direct message", "slack", f"{HOME}:D2", "U2BORIS"),
    Walker("Anna, in a channel where that member reads too", "slack", f"{HOME}:C1", "U1ANNA"),
    Walker("a guest of the workspace, in a direct message", "slack", f"{HOME}:D3", "U3GUEST"),
    Walker("an outsider with Anna's address, in a shared channel", "slack", f"{HOME}:C2", "U4OTHER"),
    Walker("that outsider, in a direct message", "slack", f"{HOME}:D4", "U4OTHER"),
    Walker("an admin of another workspace who took Anna's address", "slack", f"{OTHER}:D9", "U9ADMIN"),
    Walker("somebody in Telegram, in a private chat", "telegram", "42", "42"),
    Walker("somebody in Telegram, in a group", "telegram", "-100", "42"),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a walker was shown, as a whole record, and in a line."""

    walker: Walker
    question: str
    record: TurnRecord
    may_know_why: bool

    @property
    def line(self) -> str:
        """The first line of the reply."""
        first = text_of(self.record.reply).strip().split("\n")[0].strip()
        return first if len(first) <= _SHORT else f"{first[: _SHORT - 1]}…"


class _NoImports:
    """The port `GroupBook` into which nothing was imported."""

    async def members(self) -> Mapping[str, frozenset[str]]:
        return {}


async def walked(company: Company, folder: Path) -> list[Seen]:
    """Return what each walker was shown, in English and in Russian."""
    (folder / "permissions.yaml").write_text(RULES, "utf-8")
    found: list[Seen] = []
    async with _workspaces() as slack:
        memberships = {"slack": slack, "telegram": cast("Membership", TelegramMembers())}
        audiences = Audiences(cast("GroupBook", _NoImports()), memberships, folder=folder)
        viewing = Viewing(company.bot, audiences)
        for text in ASKED:
            # What Anna is shown by herself, about which each of the others presses “Why?”.
            annas = await company.ask(text, audience=await _audience(audiences, WALKERS[0]))
            for one in WALKERS:
                record = await company.ask(text, audience=await _audience(audiences, one))
                viewer = Where(one.platform, one.place, one.person)
                why = await viewing.may_know(result_of(annas), annas.question.audience, viewer)
                found.append(Seen(one, text, record, why))
    return found


def table(seen: list[Seen]) -> str:
    """Return the walk as a table of Markdown."""
    rows = [f"| {one.walker.who} | {one.line} | {'yes' if one.may_know_why else 'no'} |" for one in seen]
    head = "| who asks | what they are shown | told why Anna got her answer |"
    return "\n".join((head, "| --- | --- | --- |", *rows))


async def _audience(audiences: Audiences, one: Walker) -> Audience:
    known = Audience("", guests=True)
    asked = Question("", one.platform, "", "", one.person, known, datetime.now(UTC), place=one.place)
    return await audiences.of(asked, fresh=True)


@asynccontextmanager
async def _workspaces() -> AsyncIterator[Membership]:
    """Give who reads in two workspaces, as a Slack tells it that any workspace may install the app in."""
    async with SlackStandIn() as home, SlackStandIn(bot_token="xoxb-other", team_id=OTHER) as other:
        home.add_user("U1ANNA", email=ADDRESS)
        home.add_user("U2BORIS", name="Борис", email="boris@northwind.example")
        home.add_user("U3GUEST", is_guest=True, email="guest@agency.example")
        home.add_user("U4OTHER", team_id="T7COMPANY", email=ADDRESS)
        home.add_channel("C1", members={"U1ANNA", "U2BORIS"})
        home.add_channel("C2", members={"U1ANNA", "U4OTHER"}, is_ext_shared=True)
        other.add_user("U9ADMIN", email=ADDRESS)
        clients = {
            HOME: client_of(home.app.bot_token, home.api_base_url),
            OTHER: client_of(other.app.bot_token, other.api_base_url),
        }
        yield cast("Membership", SlackMembers(clients.get, is_one=False))
