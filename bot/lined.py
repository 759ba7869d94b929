"""A YAML file of settings, and on which line everything in it stands: each mistake is told with its line."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import BaseModel, ValidationError

from core.errors import ConfigError
from core.mistakes import ended, first_fault

_DEEPEST: Final = 40

# Where in the file something stands, by the keys and numbers that lead to it.
Lines = Mapping[tuple[str | int, ...], int]


@dataclass(frozen=True, slots=True)
class Lined:
    """The file's name, and on which line everything in it stands; `then` is what to do once a mistake is corrected."""

    path: Path
    lines: Lines
    then: str = " and index again"

    def wrong(self, place: Sequence[str | int], words: str) -> ConfigError:
        """Return the error, with the line of what is wrong, or of the nearest around it."""
        found = next(
            (self.lines[tuple(place[:end])] for end in range(len(place), -1, -1) if tuple(place[:end]) in self.lines), 1
        )
        return ConfigError(f"{self.path.name}, line {found}: {ended(words)} Correct that{self.then}.")

    def refused(self, place: Sequence[str | int], error: ValidationError, model: type[BaseModel]) -> ConfigError:
        """Return the error for the first thing that a model refuses; `place` is where what it checked stands."""
        where, words = first_fault(error, model)
        return self.wrong((*place, *where), f"{'.'.join(map(str, where))}: {words}".removeprefix(": "))


def parsed(path: Path) -> tuple[Any, Lines]:
    """Return what the YAML holds, and the line of each of its parts. Raises ConfigError."""
    try:
        text = path.read_text("utf-8-sig")
        lines: dict[tuple[str | int, ...], int] = dict(_lines(yaml.compose(text, Loader=yaml.SafeLoader), (), 0))
        lines[()] = 1
        return yaml.safe_load(text), lines
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ConfigError(f"{path.name}, line {line}: {error.problem or error.context}. Correct that.") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror}): check that it is there") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigError(f"{path.name} cannot be read ({type(error).__name__}): save it as YAML in UTF-8") from None


def _lines(node: yaml.Node | None, place: tuple[str | int, ...], depth: int) -> Iterator[tuple[Any, int]]:
    """Yield the line of each part. Raises ConfigError for a key that stands twice, of which one would count."""
    if node is None or depth > _DEEPEST:
        return
    yield place, node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            yield from _lines(value, (*place, number), depth + 1)
    if isinstance(node, yaml.MappingNode):
        seen = set[str]()
        for key, value in node.value:
            name = str(key.value)
            if name in seen:
                raise yaml.MarkedYAMLError(problem=f"{name!r} stands twice", problem_mark=key.start_mark)
            seen.add(name)
            yield from _lines(value, (*place, name), depth + 1)
            yield (*place, name), key.start_mark.line + 1
