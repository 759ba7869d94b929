"""What is told of an answer in the making: what is being done, and each statement as soon as it is proven."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.answer import Answer, Claim
from core.checks import has_link
from core.context import AnswerContext
from core.hygiene import residue_in
from core.phrases import phrase
from core.plan import Style
from core.render import render
from core.reply import Bullets, Line, Node, Paragraph, RenderedReply, Table, Task, Tasks, TaskState, Text, plain
from core.text import Language, Untrusted

# A longer title fills the line; a phone shows about forty characters of it.
_MAX_TITLE = 60


@dataclass(frozen=True, slots=True)
class Understanding:
    """The question is being read."""


@dataclass(frozen=True, slots=True)
class Looking:
    """What may answer it is being looked for."""


@dataclass(frozen=True, slots=True)
class Reading:
    """So many passages of these documents are being read; the audience may read them all."""

    passages: int
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checking:
    """So many statements that could not be proven are being written again."""

    statements: int


@dataclass(frozen=True, slots=True)
class Proven:
    """All statements that are proven so far: the answer will hold every one of them, in this order."""

    claims: tuple[Claim, ...]
    style: Style


Step = Understanding | Looking | Reading | Checking | Proven
# Hears of a step. It returns at once, and never raises: what it does with it is no concern of the answer's.
Tell = Callable[[Step], None]


def nobody(step: Step) -> None:
    """Hear of a step, and tell nobody."""
    del step


def reading(context: AnswerContext) -> Reading:
    """Return the step of reading what a model is given."""
    titles = dict.fromkeys(fact.source.title for fact in context.given)
    return Reading(len(context.given), tuple(titles))


def shown(steps: Sequence[Step], language: Language) -> RenderedReply:
    """Return what is to be seen until there is an answer: the statements proven so far, then what was and is done.

    Without footnotes: their evidence comes with the answer.
    """
    proven = next((step for step in reversed(steps) if isinstance(step, Proven)), None)
    nodes = render(Answer(proven.claims, language), proven.style).nodes if proven else ()
    return RenderedReply((*map(_unmarked, nodes), _tasks(steps, language)), (), language)


def after(steps: Sequence[Step], step: Step) -> tuple[Step, ...]:
    """Return the steps with one more, which takes the place of the one before it when that is of its kind."""
    return (*(steps[:-1] if steps and type(steps[-1]) is type(step) else steps), step)


def _tasks(steps: Sequence[Step], language: Language) -> Tasks:
    *done, now = steps
    tasks = (*(_task(step, "done", language) for step in done), _task(now, "doing", language))
    return Tasks(phrase("tell_title", language), tasks, words_of_step(now, language))


def _task(step: Step, state: TaskState, language: Language) -> Task:
    if isinstance(step, Proven):
        confirmed = phrase("tell_confirmed", language, count=len(step.claims))
        return Task(phrase("tell_writing", language), state, confirmed)
    return Task(words_of_step(step, language).rstrip("…"), state)


def words_of_step(step: Step, language: Language) -> str:
    """Return in a sentence what is being done."""
    match step:
        case Understanding():
            return phrase("tell_understanding", language)
        case Looking():
            return phrase("looking", language)
        case Reading(passages, titles):
            return _reading(passages, titles, language)
        case Checking(statements):
            return phrase("tell_checking", language, count=statements)
        case Proven(claims):
            return phrase("tell_proven", language, count=len(claims))


def _reading(passages: int, titles: Sequence[str], language: Language) -> str:
    """Return which documents are read: one by its title, unless that is no title, and how many more."""
    title = _named(titles)
    if title is None:
        return phrase("tell_reading", language, count=passages)
    if len(titles) == 1:
        return phrase("tell_reading_one", language, count=passages, title=title)
    return phrase("tell_reading_more", language, count=passages, title=title, more=len(titles) - 1)


def _named(titles: Sequence[str]) -> str | None:
    for title in titles:
        said = plain(Untrusted(title)).strip()
        if said and not residue_in(said) and not has_link(said):
            return said if len(said) <= _MAX_TITLE else said[:_MAX_TITLE].rstrip() + "…"
    return None


def _unmarked(node: Node) -> Node:
    match node:
        case Paragraph(line):
            return Paragraph(_words(line))
        case Bullets(items, heading):
            return Bullets(tuple(map(_words, items)), heading)
        case Table(_, rows):
            return replace(node, rows=tuple(tuple(map(_words, row)) for row in rows))
        case Tasks():
            return node


def _words(line: Line) -> Line:
    return tuple(part for part in line if isinstance(part, Text))
