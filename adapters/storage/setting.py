"""How a question was asked, beside its words, and whether it is at the door: as a column, and read from it again."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, cast

from core.conversation import Question
from core.remarks import Around, Remark
from core.text import Language, Untrusted

# What becomes of a question that is let in: it is answered, or too many wait, which it is told then.
AtDoor = Literal["asked", "refused"]


def setting_column(question: Question, at_door: AtDoor = "asked") -> dict[str, Any]:
    """Return what stood around the question, whether it is private and at the door, if there is anything to tell."""
    kept: dict[str, Any] = {"private": True} if question.private else {}
    kept |= {"door": at_door} if question.at_door else {}
    kept |= {"attached": True} if question.attached else {}
    kept |= {"reads": question.reads} if question.reads else {}
    kept |= {"unasked": True} if question.unasked else {}
    if around := question.around:
        kept["around"] = {"spoken": around.spoken, "remarks": _as_data(around.remarks)}
        kept["around"] |= {"brought": around.brought} if around.brought else {}
    return {"setting": kept or None}


def once_done(question: Question) -> dict[str, Any]:
    """Return the column as it is kept once the question has been dealt with: what others said is nobody's any more."""
    return {"setting": {"private": True} if question.private else None}


def read_around(setting: Mapping[str, Any] | None) -> Around | None:
    """Return what stood around the question, from its column."""
    kept = (setting or {}).get("around")
    if kept is None:
        return None
    remarks = kept["remarks"]
    said = None if remarks is None else tuple(Remark(text, datetime.fromisoformat(at)) for text, at in remarks)
    brought = Untrusted(kept["brought"]) if "brought" in kept else None
    return Around(said, cast("Language | None", kept["spoken"]), brought)


def is_private(setting: Mapping[str, Any] | None) -> bool:
    """Return whether only the asker sees the reply, from the column."""
    return bool((setting or {}).get("private"))


def is_attached(setting: Mapping[str, Any] | None) -> bool:
    """Return whether a file came with the question, from the column."""
    return bool((setting or {}).get("attached"))


def is_unasked(setting: Mapping[str, Any] | None) -> bool:
    """Return whether nobody addressed the question to us, from the column."""
    return bool((setting or {}).get("unasked"))


def read_language(setting: Mapping[str, Any] | None) -> Language | None:
    """Return the language that the asker reads, where the words told none, from the column."""
    return cast("Language | None", (setting or {}).get("reads"))


def read_door(setting: Mapping[str, Any] | None) -> AtDoor | None:
    """Return what becomes of the question if it is let in, from the column; None when it has been."""
    return cast("AtDoor | None", (setting or {}).get("door"))


def _as_data(remarks: tuple[Remark, ...] | None) -> list[list[str]] | None:
    return None if remarks is None else [[remark.text, remark.at.isoformat()] for remark in remarks]
