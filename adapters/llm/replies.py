"""The JSON object in what a model wrote."""

import json
import re
from dataclasses import dataclass

from core.errors import BadModelOutput, ModelError, ModelRefused

_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_THOUGHT = re.compile(r"<think(?:ing)?>")
_OBJECT = re.compile(r'\{\s*["}]')


@dataclass(frozen=True, slots=True)
class Written:
    """What a provider sent: the text, why it ended, and what it cost, in tokens and, if it is known, US dollars."""

    text: str
    finish: str
    tokens: int
    refusal: bool = False
    cost: float = 0.0


def object_in(written: Written, model: str) -> str | ModelError:
    """Return the text of the reply's JSON object, without fences and prose, or why there is none.

    A reply that was cut off is refused even if some inner object is whole. The object's shape is not checked.
    """
    if written.refusal or written.finish == "content_filter":
        return ModelRefused(f"{model} declined to answer under its provider's content rules")
    if written.finish == "length":
        return BadModelOutput(
            f"{model} was cut off after {written.tokens} tokens: it needs more room, or a shorter task"
        )
    if not written.text.strip():
        return BadModelOutput(f"{model} sent an empty reply")
    return first_object(written.text) or BadModelOutput(f"{model} sent a reply without a JSON object")


def first_object(text: str) -> str | None:
    """Return the first JSON object as it was written, or None. An object inside a broken one does not count."""
    said = _THINKING.sub("", text)
    start = _OBJECT.search(said)
    if start is None:
        return None
    try:
        _, end = json.JSONDecoder().raw_decode(said, start.start())
    except (ValueError, RecursionError):
        return None
    return said[start.start() : end]


def begun(text: str) -> str:
    """Return the JSON object that a reply begins with, as far as it is written; nothing while there is none yet."""
    said = _THINKING.sub("", text)
    start = _OBJECT.search(said)
    return said[start.start() :] if start and not _THOUGHT.search(said, 0, start.start()) else ""
