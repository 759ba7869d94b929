"""How a question was asked, beside its words: as a column, and read from it again."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from core.conversation import Question
from core.remarks import Around, Remark
from core.text import Language


def setting_column(question: Question) -> dict[str, Any]:
    """Return what stood around the question and whether it is private, if there is anything to tell."""
    kept: dict[str, Any] = {"private": True} if question.private else {}
    if around := question.around:
        kept["around"] = {"spoken": around.spoken, "remarks": _as_data(around.remarks)}
    return {"setting": kept or None}


def read_around(setting: Mapping[str, Any] | None) -> Around | None:
    """Return what stood around the question, from its column."""
    kept = (setting or {}).get("around")
    if kept is None:
        return None
    remarks = kept["remarks"]
    said = None if remarks is None else tuple(Remark(text, datetime.fromisoformat(at)) for text, at in remarks)
    return Around(said, cast("Language | None", kept["spoken"]))


def is_private(setting: Mapping[str, Any] | None) -> bool:
    """Return whether only the asker sees the reply, from the column."""
    return bool((setting or {}).get("private"))


def _as_data(remarks: tuple[Remark, ...] | None) -> list[list[str]] | None:
    return None if remarks is None else [[remark.text, remark.at.isoformat()] for remark in remarks]
