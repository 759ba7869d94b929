"""“N more” promises what there is to go on with: not what was found to be beside the point."""

import pytest

from core.render import text_of
from tests.corpora import Company, new_thread

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    ("questions", "told"),
    [
        (("What is the hotel limit in Porto?",), "Porto — Hotel per night: €125, Daily allowance: €48"),
        (("What are the hotel limits by city?", "and in Leeds?"), "Leeds — Hotel per night: €140"),
    ],
)
async def test_of_one_row_nothing_is_left(handbook: Company, questions: tuple[str, ...], told: str) -> None:
    """The words over the table are near, and say nothing of the place that is asked for: no button leads to them."""
    thread = new_thread()
    *_, last = [await handbook.ask(question, thread=thread) for question in questions]

    assert told in text_of(last.reply)
    assert 0 == last.answer.remaining
    assert "more" not in {action.kind for action in last.reply.actions}
