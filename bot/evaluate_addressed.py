"""`footnote evaluate addressed`: how well messages of a channel that are for the bot are told from the others."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from rich.console import Console
from rich.table import Table

from bot.cases import checked_by, read_lines
from bot.commands import NOTHING_INDEXED, ready_bot
from bot.settings import read_settings
from core.addressed import may_be_for_us, passed_over
from core.conversation import Aside, Audience, Question
from core.errors import ConfigError
from core.phrases import TONGUES
from core.ports import LanguageModel, Search
from core.text import Language, language_of

_MAX_SHOWN = 20


class Case(BaseModel):
    """One labelled message that mentions nobody of us: it is for the bot, or for people."""

    model_config = ConfigDict(frozen=True)

    id: str
    text: str = Field(min_length=1)
    label: Literal["bot", "people"]
    calls_others: bool = False
    in_thread: bool = False

    @property
    def language(self) -> Language:
        """The language that it is written in."""
        return language_of(self.text)

    def aside(self) -> Aside:
        """Return the message as a platform would bring it."""
        now = datetime.now(UTC)
        question = Question(self.id, "console", self.id, self.text, "somebody", Audience("local"), now, overheard=True)
        return Aside(question, calls_others=self.calls_others, in_thread=self.in_thread)


@dataclass(frozen=True, slots=True)
class Judged:
    """A case, and why it was passed over; None: it was taken for a question to the bot."""

    case: Case
    because: str | None

    @property
    def is_right(self) -> bool:
        """Whether the gate says what the label does."""
        return (self.because is None) == (self.case.label == "bot")


@dataclass(frozen=True, slots=True)
class Scores:
    """Of what was taken, the share that is for the bot; of what is for the bot, the share that was taken."""

    precision: float
    recall: float
    taken: int
    for_bot: int
    messages: int


async def evaluate_addressed_command(file: Path, *, as_json: bool) -> None:
    """Judge every message of the file and print how often the gate is right. Raises BotError."""
    cases, problems = read_cases(file)
    async with ready_bot(read_settings()) as (bot, _):
        ports = await bot.ports()
        if ports is None:
            raise ConfigError(NOTHING_INDEXED)
        judged = [await judge(case, ports.search, ports.model) for case in cases]
    groups = {"all": judged} | {
        language: [one for one in judged if one.case.language == language] for language in TONGUES
    }
    scores = {name: scores_of(group) for name, group in groups.items() if group}
    wrong = [one for one in judged if not one.is_right]
    if as_json:
        told = [{"id": one.case.id, "label": one.case.label, "because": one.because} for one in wrong]
        found = {name: asdict(score) for name, score in scores.items()}
        print(json.dumps(found | {"wrong": told, "problems": problems}, ensure_ascii=False))
        return
    _print(scores, wrong, problems)


def read_cases(file: Path) -> tuple[list[Case], list[str]]:
    """Return the cases of a JSONL file, and which lines are none. Raises ConfigError when the file holds no case."""
    lacking = "labelled message: each line must be JSON with id, text and label (bot or people)"
    return read_lines(file, checked_by(Case), lacking)


async def judge(case: Case, search: Search, model: LanguageModel) -> Judged:
    """Return what the gate makes of the case."""
    aside = case.aside()
    if not may_be_for_us(aside):
        return Judged(case, "by its words")
    return Judged(case, await passed_over(aside.question, search, model))


def scores_of(judged: Sequence[Judged]) -> Scores:
    """Return both shares; where nothing was taken, nothing was taken wrongly."""
    taken = [one for one in judged if one.because is None]
    for_bot = [one for one in judged if one.case.label == "bot"]
    right = sum(one.is_right for one in taken)
    return Scores(
        precision=round(right / len(taken), 4) if taken else 1.0,
        recall=round(right / len(for_bot), 4) if for_bot else 1.0,
        taken=len(taken),
        for_bot=len(for_bot),
        messages=len(judged),
    )


def _print(scores: dict[str, Scores], wrong: Sequence[Judged], problems: Sequence[str]) -> None:
    console = Console()
    table = Table("Messages", "precision", "recall", "taken", "for the bot", "of", box=None, header_style="bold")
    for name, score in scores.items():
        counts = (str(score.taken), str(score.for_bot), str(score.messages))
        table.add_row(name, f"{score.precision:.1%}", f"{score.recall:.1%}", *counts)
    console.print(table)
    for one in wrong[:_MAX_SHOWN]:
        read = "taken, and for people" if one.because is None else f"for the bot, and passed over ({one.because})"
        console.print(f"  {read}: {one.case.text}", style="dim", highlight=False, markup=False, soft_wrap=True)
    if len(wrong) > _MAX_SHOWN:
        console.print(f"  …and {len(wrong) - _MAX_SHOWN} more; --json names them all", style="dim", highlight=False)
    for problem in problems:
        console.print(f"Left out: {problem}", highlight=False, markup=False, soft_wrap=True)
