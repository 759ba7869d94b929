"""Filters over LanceDB's tables: who may read a row, and what else is asked of it."""

from collections.abc import Iterable, Sequence

from adapters.search.lexical_port import Where

# Stands among the readers of what everybody may read; the names of groups begin with another sign.
_OPEN, _GROUP = "*", "="


def labels_of(readers: Iterable[str]) -> list[str]:
    """Return the readers as they are stored: never an empty list, which no index can find."""
    return [f"{_GROUP}{name}" for name in sorted(readers)] or [_OPEN]


def readers_of(labels: Iterable[str]) -> list[str]:
    """Return the readers who were stored."""
    return [label.removeprefix(_GROUP) for label in labels if label != _OPEN]


def clauses(where: Where) -> str:
    """Return the filter: only what people of these groups may read, and of that only what is asked for."""
    parts = [f"array_has_any(readers, [{quoted([*labels_of(where.groups), _OPEN])}])"]
    for column, names in (("kind", where.kinds), ("doc_id", where.doc_ids), ("language", where.languages)):
        parts += [f"{column} IN ({quoted(sorted(names))})"] if names else []
    parts += ["day > 0"] if where.since or where.until else []
    parts += [f"day >= {where.since.toordinal()}"] if where.since else []
    parts += [f"day <= {where.until.toordinal()}"] if where.until else []
    return " AND ".join(parts)


def one_of(column: str, names: Sequence[str]) -> str:
    """Return the filter for rows that have one of the names in the column."""
    return f"{column} IN ({quoted(names)})"


def quoted(names: Iterable[str]) -> str:
    """Return the names for a filter; a quotation mark in one is doubled, so that none can end its string early."""
    return ", ".join("'" + name.replace("'", "''") + "'" for name in names)
