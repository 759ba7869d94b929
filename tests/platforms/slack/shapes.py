"""Small checks that join into a description of a JSON value, with Slack's error wording."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

TYPE = "type"


@dataclass(frozen=True)
class Problem:
    """One reason for a refusal, and the place in the payload it is about."""

    message: str
    pointer: str

    def __str__(self) -> str:
        return f"[ERROR] {self.message} [json-pointer:{self.pointer}]"


Problems = Iterator[Problem]
Check = Callable[[Any, str], Problems]


def anything(value: Any, at: str) -> Problems:
    """Accept every value."""
    yield from ()


@dataclass(frozen=True)
class Shape:
    """An object with required and optional fields; any other field is refused, as Slack does."""

    required: Mapping[str, Check]
    optional: Mapping[str, Check] = field(default_factory=dict)

    def __call__(self, value: Any, at: str) -> Problems:
        if not isinstance(value, dict):
            yield Problem("must provide an object", at)
            return
        for name in self.required:
            if name not in value:
                yield Problem(f"missing required field: {name}", at)
        for name, part in value.items():
            yield from self._check_field(name, part, at)

    def _check_field(self, name: str, part: Any, at: str) -> Problems:
        check = self.required.get(name) or self.optional.get(name)
        if name == TYPE:
            return
        if check is None:
            yield Problem(f"invalid additional property: {name}", at)
            return
        yield from check(part, f"{at}/{name}")


def string(low: int = 1, high: int | None = None) -> Check:
    """Return a check for a string of `low` to `high` characters."""

    def check(value: Any, at: str) -> Problems:
        if not isinstance(value, str):
            yield Problem("must provide a string", at)
        elif len(value) < low:
            yield Problem(f"must be more than {low - 1} characters", at)
        elif high is not None and len(value) > high:
            yield Problem(f"must be less than {high + 1} characters", at)

    return check


def link(high: int = 3000, schemes: tuple[str, ...] = ("http://", "https://")) -> Check:
    """Return a check for an address with one of the given schemes."""

    def check(value: Any, at: str) -> Problems:
        problems = list(string(1, high)(value, at))
        yield from problems
        if not problems and not value.lower().startswith(schemes):
            yield Problem("must provide a valid url", at)

    return check


def boolean(value: Any, at: str) -> Problems:
    """Accept true and false only."""
    if not isinstance(value, bool):
        yield Problem("must provide a boolean", at)


def integer(low: int | None = None, high: int | None = None) -> Check:
    """Return a check for a whole number within the bounds."""

    def check(value: Any, at: str) -> Problems:
        if not isinstance(value, int) or isinstance(value, bool):
            yield Problem("must provide an integer", at)
        elif low is not None and value < low:
            yield Problem(f"must be greater than or equal to {low}", at)
        elif high is not None and value > high:
            yield Problem(f"must be less than or equal to {high}", at)

    return check


def number(value: Any, at: str) -> Problems:
    """Accept numbers, whole or not."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        yield Problem("must provide a number", at)


def one_of(*allowed: str) -> Check:
    """Return a check for one of the allowed strings."""

    def check(value: Any, at: str) -> Problems:
        if value not in allowed:
            yield Problem(f"must be one of: {', '.join(allowed)}", at)

    return check


def list_of(item: Check, low: int = 0, high: int | None = None) -> Check:
    """Return a check for a list of `low` to `high` items, each checked by `item`."""

    def check(value: Any, at: str) -> Problems:
        if not isinstance(value, list):
            yield Problem("must provide an array", at)
            return
        if len(value) < low:
            yield Problem("missing element", at)
        if high is not None and len(value) > high:
            yield Problem(f"no more than {high} items allowed", at)
        for index, part in enumerate(value):
            yield from item(part, f"{at}/{index}")

    return check


def by_type(shapes: Mapping[str, Check]) -> Check:
    """Return a check that picks the shape named by the value's `type`."""

    def check(value: Any, at: str) -> Problems:
        kind = value.get(TYPE) if isinstance(value, dict) else None
        if not isinstance(kind, str):
            yield Problem("missing required field: type", at)
        elif kind not in shapes:
            yield Problem(f"unsupported type: {kind}", f"{at}/type")
        else:
            yield from shapes[kind](value, at)

    return check
