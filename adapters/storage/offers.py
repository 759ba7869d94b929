"""What a reply asked back and offers, and which action asked a question: as columns, and read from them again."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select, null, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.parts import drop_parts
from adapters.storage.tables import messages, turns
from core.conversation import Clarification, MessageRef, Pressed, Question, Reading
from core.followup import Unclear
from core.press import Offer
from core.reply import Action
from core.turn import TurnRecord

# What goes of a turn when its question is taken back.
FORGOTTEN = {
    "state": "withdrawn",
    "text": "",
    # Another message with this mark is none of its copies any more.
    "resend": None,
    "standalone": None,
    "entities": null(),
    "result": null(),
    "pressed": null(),
    "unclear": null(),
    "setting": null(),
    "listed": null(),
    "told": null(),
}


def pressed_columns(question: Question) -> dict[str, Any]:
    """Return what asked the question, if no words did."""
    pressed = question.pressed
    if pressed is None:
        return {"continues": None, "pressed": None}
    kept = {"kind": pressed.kind, "value": pressed.value, "entities": list(pressed.entities)}
    return {"continues": pressed.question, "pressed": kept}


def read_pressed(continues: str | None, kept: Mapping[str, Any] | None) -> Pressed | None:
    """Return what asked the question, from its columns."""
    if continues is None or kept is None:
        return None
    return Pressed(kept["kind"], kept["value"], continues, tuple(kept["entities"]))


def unclear_column(record: TurnRecord | None) -> dict[str, Any] | None:
    """Return what was asked back instead of an answer, if it was."""
    if record is None or not isinstance(record.decision, Unclear):
        return None
    asked = record.decision.clarification
    readings = [
        {"question": one.question, "label": one.label, "entities": list(one.entities)} for one in asked.readings
    ]
    return {"about": asked.about, "readings": readings}


def read_unclear(kept: Mapping[str, Any] | None) -> Clarification | None:
    """Return what was asked back, from its column."""
    if kept is None:
        return None
    readings = (Reading(one["question"], one["label"], tuple(one["entities"])) for one in kept["readings"])
    return Clarification(kept["about"], tuple(readings))


def offer_in(message: MessageRef) -> Select[*tuple[Any, ...]]:
    """Return the query for the turn whose reply the message belongs to, if it is answered as it reads now."""
    columns = (turns.c.question_id, turns.c.thread, turns.c.root, turns.c.text, turns.c.unclear, turns.c.standalone)
    return (
        select(*columns, turns.c.result["actions"].label("actions"))
        .join(messages, messages.c.question_id == turns.c.question_id)
        .where(messages.c.ref == str(message), turns.c.state == "done")
    )


def read_offer(row: Any) -> Offer:
    """Return what the reply offers."""
    actions = tuple(Action(one["kind"], one["label"], one["value"]) for one in row.actions or ())
    unclear, in_full = read_unclear(row.unclear), row.standalone or row.text
    return Offer(row.question_id, row.thread, row.root, row.text, actions, unclear, in_full)


async def forget_continued(connection: AsyncConnection, question_id: str) -> None:
    """Take back every question that an action of the reply asked, and what their replies' actions asked in turn."""
    waiting, known = [question_id], {question_id}
    while waiting:
        before = waiting.pop()
        ours = (turns.c.continues == before, turns.c.state != "withdrawn")
        rows = await connection.execute(update(turns).where(*ours).values(FORGOTTEN).returning(turns.c.question_id))
        found = [id_ for (id_,) in rows.all() if id_ not in known]
        for id_ in found:
            await drop_parts(connection, id_)
        waiting += found
        known.update(found)
