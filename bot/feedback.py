"""`footnote feedback`: what people say of the answers, and what did not help as cases that can be asked again."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from hashlib import blake2s
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console
from rich.text import Text

from bot.settings import read_settings
from bot.wiring import feedback_of, opened
from core.errors import ConfigError
from core.feedback import SIGNS, Judgement, reason_in_words
from core.text import clean, language_of

_WEEK = timedelta(days=7)
# Characters of an answer's beginning that are printed, and bytes of a case's name.
_SHOWN, _NAME = 100, 6
_NOBODY = (
    "Nobody has judged an answer yet. Under each answer in Slack and Telegram there are 👍 and 👎; an emoji on it "
    "counts as well."
)


class Word(Protocol):
    """What a person says of an answer."""

    @property
    def person(self) -> str:
        """Who says it."""

    @property
    def judgement(self) -> Judgement:
        """What they say."""

    @property
    def at(self) -> datetime:
        """When they said it."""

    @property
    def result(self) -> Mapping[str, Any] | None:
        """The answer's contract, None when it has been removed."""


async def feedback_command(limit: int, *, as_json: bool) -> None:
    """Print the latest judgements, and how many there were this week. Raises BotError."""
    async with opened(read_settings()) as stores:
        feedback = feedback_of(stores.database)
        words = await feedback.words(limit)
        week = await feedback.counts(datetime.now(UTC) - _WEEK)
    if as_json:
        print(json.dumps({"week": week, "feedback": [_as_data(word) for word in words]}, ensure_ascii=False, indent=2))
        return
    console = Console()
    if not words:
        console.print(_NOBODY, highlight=False, soft_wrap=True)
        return
    console.print(_this_week(week["up"], week["down"]), highlight=False)
    for word in words:
        console.print()
        console.print(_told(word), highlight=False, soft_wrap=True)
    if any(word.judgement.verdict == "down" for word in words):
        console.print(
            "\nAsk again what did not help: footnote feedback cases FILE, then footnote evaluate answers FILE",
            style="dim",
            highlight=False,
            soft_wrap=True,
        )


async def cases_command(file: Path | None, since: str | None) -> None:
    """Write what did not help as cases, one a line, to the file or to standard output. Raises BotError."""
    day = _day(since) if since else None
    async with opened(read_settings()) as stores:
        words = await feedback_of(stores.database).words(since=day, verdict="down")
    cases = cases_of(words)
    lines = "".join(f"{json.dumps(case, ensure_ascii=False)}\n" for case in cases)
    if file is None:
        print(lines, end="")
        return
    _write(file, lines)
    print(f"{len(cases):,} {'case' if len(cases) == 1 else 'cases'} to be reviewed in {file}.")
    if cases:
        print(
            "Say in each what a right answer holds (must_contain, items, documents, or answerable: false) and take "
            f"review out; then run: footnote evaluate answers {file}"
        )


def _write(file: Path, lines: str) -> None:
    try:
        file.write_text(lines, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{file} cannot be written ({error.strerror}); name another file") from None


def cases_of(words: Sequence[Word]) -> list[dict[str, Any]]:
    """Return what did not help as cases of `footnote evaluate answers`, one for each answer that was given.

    They hold the question in full, what was said and why that was bad, and its sources; nothing of who asked or judged,
    neither by name nor by number. One whose record has been removed cannot be told.
    """
    cases: dict[str, dict[str, Any]] = {}
    for word in reversed(words):
        if word.result is None or word.judgement.verdict != "down":
            continue
        case = cases.setdefault(_name(word.result), _case(word.result))
        case["judged"] = word.at.date().isoformat()
        case["times"] += 1
        if word.judgement.reason and word.judgement.reason not in case["reasons"]:
            case["reasons"].append(word.judgement.reason)
    return list(cases.values())


def _case(result: Mapping[str, Any]) -> dict[str, Any]:
    sources = ({"document": one["doc_id"], "title": one["title"], "place": one["place"]} for one in result["citations"])
    return {
        "id": _name(result),
        "question": _question(result),
        "kind": "to be reviewed",
        "review": True,
        "said": result["answer"],
        "reasons": [],
        "sources": list({tuple(one.values()): one for one in sources}.values()),
        "judged": "",
        "times": 0,
    }


def _name(result: Mapping[str, Any]) -> str:
    """Return the case's name, made from what was asked and said alone: the same for whoever asked."""
    known = f"{_question(result)}\n{result['answer']}"
    return f"feedback-{blake2s(known.encode(), digest_size=_NAME).hexdigest()}"


def _question(result: Mapping[str, Any]) -> str:
    return str(result["follow_up"]["question"] or result["question"])


def _day(text: str) -> datetime:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ConfigError(f"--since {text!r} is no day: write it as 2026-03-01") from None
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _this_week(up: int, down: int) -> str:
    if not up + down:
        return "Nobody has judged an answer this week."
    return f"This week: {SIGNS['up']} {up:,}, {SIGNS['down']} {down:,} ({up / (up + down):.0%} helped)"


def _told(word: Word) -> Text:
    verdict, reason = word.judgement.verdict, word.judgement.reason
    result = word.result or {}
    question = str(result.get("question", "(the record of this question has been removed)"))
    told = Text(f"{SIGNS[verdict] if verdict else ''} {clean(question)}", style="bold")
    about = [f"{word.at:%Y-%m-%d %H:%M} UTC", clean(word.person)]
    if reason:
        about.insert(0, clean(reason_in_words(reason, language_of(question))))
    told.append(f"\n   {' · '.join(about)}", style="")
    if answer := " ".join(clean(str(result.get("answer", ""))).split()):
        told.append(f"\n   {answer if len(answer) <= _SHOWN else answer[:_SHOWN] + '…'}", style="dim not bold")
    return told


def _as_data(word: Word) -> dict[str, Any]:
    result = word.result or {}
    return {
        "question": result.get("question"),
        "answer": result.get("answer"),
        "verdict": word.judgement.verdict,
        "reason": word.judgement.reason,
        "person": word.person,
        "at": word.at.isoformat(),
        "sources": sorted({one["doc_id"] for one in result.get("citations", ())}),
    }
