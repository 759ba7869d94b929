"""`/status`: how things stand, for an admin: the index, what waits, models and their cost, the platforms."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.admin.words import bullets, time_in_words
from bot.commanding import Duty, duty
from bot.health import ELSEWHERE, state_of
from bot.settings import Settings
from bot.wiring import Stores
from core.commands import STATUS
from core.conversation import Command
from core.delivery import Health
from core.ingest.generation import Generation
from core.phrases import dollars, phrase
from core.reply import RenderedReply
from core.running import Outbox, Platform
from core.text import Language
from core.turn import Spent


@dataclass(frozen=True, slots=True)
class StatusDuty:
    """Tells how things stand. `run` says in words how far an index run is, and that there is none.

    `standing_by`: what is said of platforms that receive nothing here.
    """

    stores: Stores
    outbox: Outbox
    platforms: Mapping[str, Platform]
    settings: Settings
    run: Callable[[Language], Awaitable[tuple[str, ...]]]
    standing_by: Mapping[str, Health] = field(default_factory=dict)

    def duty(self) -> Duty:
        """Return the command with what is done for it."""
        return duty(STATUS, self._done)

    async def _done(self, command: Command, _: None) -> RenderedReply:
        language = command.language
        live, (waiting, working) = await self.stores.catalog.live(), await self.stores.inbox.counts()
        unsent, run = await self.outbox.unsent(), await self.run(language)
        spent = await self.stores.spending.of(tenant_of(command), datetime.now(UTC).date())
        work = (
            phrase("status_questions", language, waiting=waiting, working=working),
            phrase("status_unsent", language, count=unsent),
        )
        parts = {
            "status_index": (*_index(live, language), *run),
            "status_work": work,
            "status_models": (self._writes(language), *self._cost(spent, language)),
            "status_platforms": tuple(self._health(language)),
        }
        nodes = tuple(bullets(lines, phrase(name, language)) for name, lines in parts.items())
        return RenderedReply(nodes, (), language)

    def _writes(self, language: Language) -> str:
        models = self.settings.answer_model
        return phrase("status_writes", language, model=models[0]) if models else phrase("status_quotes", language)

    def _cost(self, spent: Spent, language: Language) -> Iterator[str]:
        budget, values = self.settings.daily_budget_usd, {"calls": spent.calls, "cost": dollars(spent.cost, language)}
        if budget is None:
            yield phrase("status_cost", language, **values)
            return
        yield phrase("status_budget", language, **values, budget=dollars(budget, language))
        if spent.cost >= budget:
            yield phrase("status_spent", language, budget=dollars(budget, language))

    def _health(self, language: Language) -> Iterator[str]:
        for name, platform in self.platforms.items():
            health = state_of(platform, self.standing_by)
            said = "status_alive" if health.alive else "status_dead"
            said = "status_elsewhere" if health is ELSEWHERE else said
            yield phrase(said, language, platform=name.capitalize(), words=health.words)


def tenant_of(command: Command) -> str:
    """Return the workspace in which a command was given."""
    return command.place.partition(":")[0] if command.platform == "slack" else command.platform


def _index(live: Generation | None, language: Language) -> tuple[str, ...]:
    if live is None:
        return (phrase("status_none", language),)
    counts = {"documents": live.counts.get("documents", 0), "passages": live.counts.get("chunks", 0)}
    held = phrase("status_live", language, title=live.title, number=live.number, **counts)
    if live.published_at is None:
        return (held,)
    age = time_in_words((datetime.now(UTC) - live.published_at).total_seconds(), language)
    return held, phrase("status_since", language, date=f"{live.published_at:%Y-%m-%d %H:%M} UTC", age=age)
