"""The JSON object in what a model wrote."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from core.errors import BadModelOutput, ModelError, ModelRefused

# What a reasoning model says to itself before it answers; where its template opens the thought, only the end is sent.
_NAMES = r"(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratchpad)"
_OPENS = re.compile(rf"<{_NAMES}\b[^<>]*>|\[{_NAMES}\]|◁{_NAMES}▷|<\|channel\|>analysis", re.IGNORECASE)
_ENDS = re.compile(rf"</{_NAMES}\s*>|\[/{_NAMES}\]|◁/{_NAMES}▷|<\|channel\|>final(?:<\|message\|>)?", re.IGNORECASE)
_OBJECT = re.compile(r'\{\s*["}]')


@dataclass(frozen=True, slots=True)
class Written:
    """What a provider sent: the text, why it ended, and what it cost, in tokens and, if it is known, US dollars."""

    text: str
    finish: str
    tokens: int
    refusal: bool = False
    cost: float = 0.0
    # As LiteLLM has it, with what a provider says besides.
    message: Any = field(default=None, compare=False, repr=False)


def object_in(written: Written, model: str) -> str | ModelError:
    """Return the text of the reply's JSON object, without fences and prose, or why there is none.

    A reply that was cut off is refused even if some inner object is whole. The object's shape is not checked.
    """
    useless = unusable(written, model)
    return useless or first_object(written.text) or _useless(written, f"{model} sent a reply without a JSON object")


def unusable(written: Written, model: str) -> ModelError | None:
    """Return why nothing in a reply counts, whatever its form, or None when something may."""
    if written.refusal or written.finish == "content_filter":
        return _useless(written, f"{model} declined to answer under its provider's content rules", ModelRefused)
    if written.finish == "length":
        return _useless(
            written, f"{model} was cut off after {written.tokens} tokens: it needs more room, or a shorter task"
        )
    if not written.text.strip():
        return _useless(written, f"{model} sent an empty reply")
    return None


def _useless(written: Written, reason: str, kind: type[ModelError] = BadModelOutput) -> ModelError:
    return kind(reason, tokens=written.tokens, cost=written.cost)


def first_object(text: str) -> str | None:
    """Return the first JSON object of what a model says aloud, or None. An object inside a broken one does not count.

    What it says to itself before that is none of it: all that ends with the sign for the end of a thought.
    """
    start, end = _spoken(text)
    return text[start:end] if end else None


def begun(text: str) -> str:
    """Return the JSON object that a reply begins with, as far as it is written; nothing while there is none yet."""
    start, _ = _spoken(text)
    return "" if start is None else text[start:]


def _spoken(text: str) -> tuple[int | None, int | None]:
    """Return where the first object that is no thought begins and ends; None for what there is not, or not yet."""
    after = 0
    while start := _OBJECT.search(text, after):
        end = _end(text, start.start())
        thought = _ENDS.search(text, start.start() if end is None else end) or _end_before(text, after, start.start())
        if thought is None:
            return (None, None) if _OPENS.search(text, after, start.start()) else (start.start(), end)
        after = thought.end()
    return None, None


def _end_before(text: str, after: int, start: int) -> re.Match[str] | None:
    """Return the last end of a thought in front of an object, if there is one."""
    return next(reversed(list(_ENDS.finditer(text, after, start))), None)


def _end(text: str, start: int) -> int | None:
    try:
        return json.JSONDecoder().raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None
