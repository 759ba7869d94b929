"""Which corpus an index was made of, as text: the parts by their names, so that each can be found and made again."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Identity:
    """Where the documents of a corpus are, as a person writes it; nothing secret stands in it.

    `parts` says by the name of each part what it is; a source by itself has no name. With a `file` the corpus is
    declared there, and the parts only tell whether they are still the same. `rules`: the file that says who may read
    what, if one does.
    """

    parts: Mapping[str, str] = field(default_factory=dict)
    file: str | None = None
    rules: str | None = None

    def __str__(self) -> str:
        """Return the text that is stored with the index; that of a source by itself is what a person writes."""
        if self.file is None and self.rules is None and list(self.parts) == [""]:
            return self.parts[""]
        files = {name: file for name, file in (("file", self.file), ("rules", self.rules)) if file is not None}
        return json.dumps({**files, "parts": dict(self.parts)}, ensure_ascii=False, sort_keys=True)

    @property
    def shown(self) -> str:
        """The corpus in words."""
        return self.file or ", ".join(self.parts.values())

    def part_of(self, name: str) -> str | None:
        """Return what the part is that an item, or all items below a folder, belong to."""
        return self.parts.get("") or self.parts.get(name.partition("/")[0])


def identity_of(text: str) -> Identity:
    """Return the identity that was stored. A text of no known form is a source by itself."""
    try:
        # No folder's full path and no address begins so.
        found = json.loads(text) if text.startswith("{") else None
    except ValueError:
        found = None
    if isinstance(found, dict) and isinstance(found.get("parts"), dict):
        file, rules = (str(found[name]) if found.get(name) is not None else None for name in ("file", "rules"))
        parts = {str(name): str(what) for name, what in found["parts"].items()}
        return Identity(parts, file, rules)
    return Identity({"": text})


def still_same(before: str, now: str, names: Iterable[str]) -> list[str]:
    """Return those names whose part is the same in both corpora.

    Of a part that is another than before, or that others may read now, nothing stays when it cannot be read: what was
    indexed of it may not be what it allows.
    """
    one, other = identity_of(before), identity_of(now)
    return [name for name in names if one.part_of(name) is not None and one.part_of(name) == other.part_of(name)]


def is_unread(name: str, unread: Iterable[str]) -> bool:
    """Return whether an item is, or lies below, one of those that could not be had (`Unread.keeps`)."""
    return any(not one or name == one or name.startswith(f"{one}/") for one in unread)
