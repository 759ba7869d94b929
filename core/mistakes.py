"""What a model refuses, in the words of whoever has to mend it: one table for settings, files and lines of cases."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

# Pydantic's words for the mistakes that are made most, by their types.
_WORDS: Final = {
    "missing": "it is missing",
    "bool_parsing": "write true or false",
    "bool_type": "write true or false",
    "int_parsing": "write a whole number",
    "int_type": "write a whole number",
    "int_from_float": "write a whole number",
    "float_parsing": "write a number",
    "float_type": "write a number",
    "string_type": "write words, in quotes where they look like something else",
    "string_too_short": "it is empty",
    "tuple_type": "write a list, as [one, two]",
    "list_type": "write a list, as [one, two]",
    "dict_type": "write keys and values, as key: value",
    "mapping_type": "write keys and values, as key: value",
    "model_type": "write keys and values, as key: value",
    "model_attributes_type": "write keys and values, as key: value",
    "date_from_datetime_parsing": "write a day, as 2026-03-01",
    "zoneinfo_str": "write a time zone, as Europe/Amsterdam",
    "date_parsing": "write a day, as 2026-03-01",
}
# What fits a pattern, in words.
_FORMS: Final = {r"^[A-Z][A-Z0-9_]{1,59}$": "write it in capitals, digits and _, as PROJECT_RESULTS"}
_LEAST_WORDS: Final = ("Value error, ", "Input ")


def first_fault(error: ValidationError, model: type[BaseModel] | None = None) -> tuple[tuple[str | int, ...], str]:
    """Return where the first fault stands and what to do about it; with the `model`, which key may have been meant."""
    first = error.errors()[0]
    return first["loc"], fault(first, model)


def fault(one: Mapping[str, Any], model: type[BaseModel] | None = None) -> str:
    """Return what to do about a fault, without a full stop. No value is repeated: it may be a secret."""
    if one["type"] == "extra_forbidden":
        return _unknown(one["loc"], model)
    if one["type"] in ("literal_error", "enum"):
        return _one_of(one)
    if words := _FORMS.get(one.get("ctx", {}).get("pattern", "")):
        return words
    return _WORDS.get(one["type"]) or _plainly(one["msg"])


def ended(words: str) -> str:
    """Return the words as a sentence that ends once."""
    return words if words.endswith("?") else f"{words}."


def _unknown(place: Sequence[str | int], model: type[BaseModel] | None) -> str:
    known = _names(_at(model, place[:-1])) if model else []
    near = get_close_matches(str(place[-1]), known, 1)
    if near:
        return f"there is no {place[-1]!r}: did you mean {near[0]!r}?"
    return f"there is no {place[-1]!r}" + (f": it takes {', '.join(known)}" if known else "")


def _one_of(one: Mapping[str, Any]) -> str:
    expected = str(one.get("ctx", {}).get("expected", ""))
    known = [word.strip(" '") for part in expected.split(" or ") for word in part.split(",")]
    near = get_close_matches(str(one.get("input", "")), known, 1)
    return f"did you mean {near[0]!r}?" if near else f"it must be {expected}"


def _names(models: Sequence[type[BaseModel]]) -> list[str]:
    return [field.alias or name for model in models for name, field in model.model_fields.items()]


def _at(model: type[BaseModel], place: Sequence[str | int]) -> list[type[BaseModel]]:
    """Return the models that what stands at a place may be of."""
    found: list[Any] = [model]
    for key in place:
        found = [part for one in found for part in _part(one, key)]
    return [one for one in found if isinstance(one, type) and issubclass(one, BaseModel)]


def _part(type_: Any, key: str | int) -> Iterator[Any]:
    """Yield the types of what stands below a key or a number in something of this type."""
    if isinstance(type_, type) and issubclass(type_, BaseModel):
        by_name = {field.alias or name: field for name, field in type_.model_fields.items()}
        if key in by_name:
            yield from _plain(by_name[str(key)].annotation)
        return
    arguments = [one for one in get_args(type_) if one is not Ellipsis]
    if arguments:
        yield from _plain(arguments[-1] if _is_mapping(type_) else arguments[0])


def _is_mapping(type_: Any) -> bool:
    origin = get_origin(type_)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _plain(type_: Any) -> Iterator[Any]:
    """Yield the types behind what only adds to them, or names several."""
    origin = get_origin(type_)
    if origin is Annotated:
        yield from _plain(get_args(type_)[0])
    elif origin in (Union, UnionType):
        for one in get_args(type_):
            yield from _plain(one)
    else:
        yield type_


def _plainly(message: str) -> str:
    for before in _LEAST_WORDS:
        message = message.removeprefix(before)
    return message.replace("should be", "it must be", 1) if message.startswith("should be") else message
