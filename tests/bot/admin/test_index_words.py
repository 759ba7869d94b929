"""How a run goes, stage by stage, in both languages."""

import pytest

from bot.admin.index_words import BEGINNING, live_tasks
from bot.index_build import EMBEDDING, NAMING
from bot.index_sweep import READING
from bot.progress import Step
from core.text import Language


@pytest.mark.parametrize(
    ("step", "states"),
    [
        (None, ["doing"]),
        (BEGINNING, ["doing", "waiting", "waiting"]),
        (Step(READING, 3, 12, 1), ["doing", "waiting", "waiting"]),
        (Step(EMBEDDING, 0, 40), ["done", "doing", "waiting"]),
        (Step(NAMING, 12, 12), ["done", "done", "doing", "waiting"]),
    ],
)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_stages_are_done_one_after_another(step: Step | None, states: list[str], language: Language) -> None:
    """What has been is done, one is being done, the switch comes last; names are gone through in some runs only."""
    tasks = live_tasks(step, 5.0, language)

    assert states == [task.state for task in tasks.tasks]
    assert all(task.title for task in tasks.tasks)
    assert set(tasks.note.splitlines()) < set(tasks.line.splitlines())


def test_the_stage_under_way_says_how_far_it_is() -> None:
    """A bar, what is done of how much, and what could not be read."""
    [reading, *_] = live_tasks(Step(READING, 3, 12, 1), 5.0, "ru").tasks

    told = ["▓▓▓▓▓░░░░░░░░░░░░░░░ 25 %", "документов: 3 из 12", "Пока не удалось прочитать: 1"]
    assert told == reading.detail.splitlines()
