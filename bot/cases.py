"""Labelled cases in a JSONL file, one a line: those that can be read, and what is wrong with the others."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from core.errors import ConfigError
from core.mistakes import first_fault

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


def read_lines(file: Path, read: Callable[[str], T | str], lacking: str) -> tuple[list[T], list[str]]:
    """Return the cases of the file, and which lines are none; `read` gives a line's case, or what is wrong with it.

    Raises ConfigError when the file cannot be read, or holds no case; `lacking` says then what each line must be.
    """
    try:
        lines = file.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be read ({type(error).__name__}): name a JSONL file in UTF-8") from None
    cases: list[T] = []
    problems: list[str] = []
    for number, line in enumerate(lines, 1):
        found = read(line) if line.strip() else None
        if isinstance(found, str):
            problems.append(f"{file.name}:{number}: {found}")
        elif found is not None:
            cases.append(found)
    if not cases:
        raise ConfigError(f"{file} holds no {lacking}{'; ' + problems[0] if problems else ''}")
    return cases, problems


def checked_by(model: type[M]) -> Callable[[str], M | str]:
    """Return what reads a line as this model, or says what is wrong with it."""

    def read(line: str) -> M | str:
        try:
            return model.model_validate_json(line)
        except ValidationError as error:
            return fault_of(error)

    return read


def fault_of(error: ValidationError) -> str:
    """Return the first fault of a line in words: where, and what."""
    where, words = first_fault(error)
    return f"{'.'.join(map(str, where)) or 'line'}: {words}"
