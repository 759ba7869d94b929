"""“Why?” about a question that was understood by names from before it: they are of pages, too."""

from pathlib import Path
from typing import Any, cast

import pytest

from core.render import text_of
from tests.suites.permission_asking import company
from tests.suites.permission_world import make_world


@pytest.mark.parametrize(
    ("seed", "person", "stranger", "asked"),
    [
        (11, "U4", "U5", ("Кто такой Дмитрий?", "And the milestones?", "more")),
        (19, "U5", "U3", ("Кто такой Дмитрий?", "And who leads it?", "ещё")),
    ],
)
async def test_why_names_nobody_of_a_closed_page(
    seed: int, person: str, stranger: str, asked: tuple[str, ...], tmp_path: Path
) -> None:
    """Who asked is told how it was read; who may not read those pages is told nothing of it, three questions later."""
    world = make_world(seed)
    async with company(world, tmp_path, full_text=True) as found:
        where = next(one for one in world.places if one.id == f"D{person}")
        thread, record = None, cast("Any", None)
        for text in asked:
            record = await found.ask(where, person, text, thread)
            thread = thread or record.question.root
        own, others = await found.why(record, person), await found.why(record, stranger)

    assert "Дмитрий " in own
    assert "Дмитрий" not in others
    assert not [mark for mark in world.marks_of(world.unreadable_by(stranger, where)) if mark in others]
    assert text_of(record.reply)
