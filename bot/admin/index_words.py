"""How an ordered index run goes, and how it ended, in words."""

from collections.abc import Iterator, Sequence

from bot.admin.words import bullets, cut, paragraph, time_in_words
from bot.index_build import EMBEDDING, NAMING
from bot.index_sweep import READING
from bot.progress import Step
from core.ingest.order import Ended
from core.phrases import phrase
from core.reply import Node, RenderedReply, Task, Tasks, TaskState
from core.text import Language

# Documents and problems that are named, of each kind.
NAMED = 5
# A run that nobody has told of yet.
BEGINNING = Step(READING, 0, 0)
# Signs that the bar is long.
_BAR = 20
# The stages of a run in their order, by the names of their words, and what follows them in a moment.
_STAGES = ("index_reading", "index_embedding", "index_naming")
_LAST = "index_switching"


def live_tasks(step: Step | None, seconds: float | None, language: Language) -> Tasks:
    """Return how far the run is, stage by stage; `line` is the same as lines of text."""
    waits = (Task(phrase("index_waits", language), "doing"),)
    stages = tuple(_stages(step, language)) if step else waits
    return Tasks(
        phrase("index_title", language),
        stages,
        live_text(step, seconds, language),
        "\n".join(_besides(seconds, language)),
    )


def _stages(step: Step, language: Language) -> Iterator[Task]:
    """Yield what is done, what is being done and what is still to come; the names are not gone through in every run."""
    stages = [name for name in (*_STAGES, _LAST) if name != "index_naming" or step.stage == NAMING]
    now = stages.index(_stage(step))
    for number, stage in enumerate(stages):
        state: TaskState = "done" if number < now else "doing" if number == now else "waiting"
        yield Task(phrase(stage, language), state, "\n".join(_details(step, language)) if number == now else "")


def _details(step: Step, language: Language) -> Iterator[str]:
    if step.total > 0:
        yield f"{_bar(step)}\n{_counted(step, language)}"
    if step.problems:
        yield phrase("index_unread", language, count=step.problems)


def live_text(step: Step | None, seconds: float | None, language: Language) -> str:
    """Return how far the run is as lines of text: a bar, what is done of how much, what could not be read, how long.

    Without a step another run has to end first.
    """
    lines = [phrase("index_title", language) if step else phrase("index_waits", language)]
    if step:
        lines += [_bar(step), _how_far(step, language)]
        lines += [phrase("index_unread", language, count=step.problems)] if step.problems else []
    return "\n".join([*lines, *_besides(seconds, language)])


def ended_reply(ended: Ended, language: Language) -> RenderedReply:
    """Return how the run ended: what came of it, what changed, how long it took, and what could not be read."""
    return RenderedReply(tuple(_ended(ended, language)), (), language)


def _ended(ended: Ended, language: Language) -> Iterator[Node]:
    yield paragraph(phrase(f"index_{ended.end}", language))
    if ended.why:
        yield paragraph(phrase("index_why", language, why=cut(ended.why)))
    changes = ended.changes
    if changes and changes.any:
        yield from _named("index_added", changes.added, language)
        yield from _named("index_changed", changes.changed, language)
        yield from _named("index_removed", changes.removed, language)
    yield from _named("index_problems", ended.problems, language)
    time = time_in_words(ended.seconds, language)
    if ended.documents:
        counts = {"documents": f"{ended.documents:,}", "passages": f"{ended.passages:,}"}
        yield paragraph(phrase("index_holds", language, **counts, time=time))
    else:
        yield paragraph(phrase("index_took", language, time=time))


def _named(name: str, ones: Sequence[str], language: Language) -> Iterator[Node]:
    if not ones:
        return
    more = [phrase("index_more", language, count=len(ones) - NAMED)] if len(ones) > NAMED else []
    yield bullets((*ones[:NAMED], *more), phrase(name, language, count=len(ones)))


def _besides(seconds: float | None, language: Language) -> list[str]:
    time = [time_in_words(seconds, language)] if seconds is not None else []
    return [*time, phrase("index_meanwhile", language)]


def _bar(step: Step) -> str:
    share = min(step.done / step.total, 1.0) if step.total > 0 else 0.0
    full = round(share * _BAR)
    return "▓" * full + "░" * (_BAR - full) + f" {int(share * 100)} %"


def _how_far(step: Step, language: Language) -> str:
    stage = phrase(_stage(step), language)
    return f"{stage}: {_counted(step, language)}" if step.total > 0 else stage


def _counted(step: Step, language: Language) -> str:
    of = "index_passages" if step.stage == EMBEDDING else "index_documents"
    return phrase(of, language, done=f"{step.done:,}", total=f"{step.total:,}")


def _stage(step: Step) -> str:
    return {EMBEDDING: "index_embedding", NAMING: "index_naming"}.get(step.stage, "index_reading")
