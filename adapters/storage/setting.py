"""How a question was asked, beside its words: as a column, and read from it again."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from core.conversation import Question
from core.remarks import Around, Remark
from core.text import Language, Untrusted


def setting_column(question: Question) -> dict[str, Any]:
    """Return what stood around the question and whether it is private, if there is anything to tell."""
    kept: dict[str, Any] = {"private": True} if question.private else {}
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


def _as_data(remarks: tuple[Remark, ...] | None) -> list[list[str]] | None:
    return None if remarks is None else [[remark.text, remark.at.isoformat()] for remark in remarks]
