"""Front matter in TOML, as Hugo and Zola write it: its values as text."""

import tomllib
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Final

from core.errors import IngestError

# Tables for keys of one's own: Zola allows them nowhere else, and Hugo recommends it.
_OWN: Final = ("extra", "params")


def toml_of(source: str, path: str) -> Mapping[str, object]:
    """Return the values of TOML as text, lists as lists of it; those of `[extra]` and `[params]` as its own.

    Raises IngestError when it is no TOML.
    """
    try:
        found = tomllib.loads(source, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        raise IngestError(path, f"front matter is not TOML: {error}") from error
    except RecursionError as error:
        raise IngestError(path, "front matter is nested too deeply: make it flatter") from error
    tables = [table for name in _OWN if isinstance(table := found.pop(name, None), dict)]
    own = {key: value for table in tables for key, value in table.items()}
    return {key: _text_of(value) for key, value in {**own, **found}.items()}


def _text_of(value: object) -> object:
    match value:
        case bool():
            return str(value).lower()
        case datetime():
            return value.isoformat(" ").removesuffix(" 00:00:00")
        case int() | date() | time():
            return str(value)
        case list():
            return [_text_of(one) for one in value]
        case _:
            return value
