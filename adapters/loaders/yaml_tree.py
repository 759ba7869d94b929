"""YAML to plain lists, mappings and text, whatever the file holds: no types, no recursion, no bombs."""

from typing import Any, Final

import yaml

from core.errors import IngestError

# The key under which YAML merges another mapping into its own.
MERGE: Final = "<<"
_PARSER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def tree_of(text: str, path: str, depth_limit: int) -> list[Any]:
    """Return the documents of a YAML file; an alias is the very value it stands for, and may hold itself.

    Raises IngestError with the line. The events of the parser are taken one by one: nesting ends here at the limit,
    before it can end in the parser's own stack or in its time, which grows with the square of the depth.
    """
    builder = _Builder(path, depth_limit)
    try:
        for event in yaml.parse(text, Loader=_PARSER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise IngestError(path, f"is not YAML, line {line}: {error.problem or error.context}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise IngestError(path, f"is not YAML: {error}") from error
    return builder.documents


class _Builder:
    """The documents so far, the collections that are open, and what the anchors stand for."""

    def __init__(self, path: str, depth_limit: int) -> None:
        self.documents: list[Any] = []
        self._path, self._limit = path, depth_limit
        self._open: list[list[Any] | dict[str, Any]] = []
        self._keys: list[str | None] = []
        self._anchors: dict[str, Any] = {}

    def take(self, event: yaml.Event) -> None:
        """Take the next event of the parser."""
        match event:
            case yaml.ScalarEvent():
                self._put(event.value, event.anchor)
            case yaml.AliasEvent():
                if event.anchor not in self._anchors:
                    raise IngestError(self._path, f"is not YAML: nothing is called {event.anchor!r}")
                self._put(self._anchors[event.anchor], None)
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                self._begin([] if isinstance(event, yaml.SequenceStartEvent) else {}, event.anchor)
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                self._open.pop()
                self._keys.pop()
            case yaml.DocumentEndEvent():
                self._anchors.clear()

    def _begin(self, value: list[Any] | dict[str, Any], anchor: str | None) -> None:
        if len(self._open) >= self._limit:
            raise IngestError(self._path, f"is nested more than {self._limit} levels deep: make it flatter")
        self._put(value, anchor)
        self._open.append(value)
        self._keys.append(None)

    def _put(self, value: Any, anchor: str | None) -> None:
        if anchor:
            self._anchors[anchor] = value
        if not self._open:
            self.documents.append(value)
            return
        holder = self._open[-1]
        if isinstance(holder, list):
            holder.append(value)
        elif self._keys[-1] is None:
            # A key that is no text is read over; what it names stays.
            self._keys[-1] = value if isinstance(value, str) else ""
        else:
            holder[self._keys[-1]] = value
            self._keys[-1] = None
