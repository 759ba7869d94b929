"""What several sources declare of themselves, as one: the names, kinds of question and relations of all of them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from core.errors import ConfigError
from core.ingest.domain import read_domain

# What one name must mean the same by in all parts: where its answer stands, and what it relates.
_MEANING: Final = ("find", "from", "to")

Raw = Mapping[str, Any]


def merged(own: Raw, parts: Mapping[str, Raw]) -> dict[str, Any]:
    """Return what a corpus declares, and what its parts do in their own `domain.yaml`, by the names of the parts.

    Its own word stands above theirs. A page that an entity of a part names lies below the part's name. `link_base` is
    left out: it says where the pages of one source lie. Raises ConfigError for a part whose domain is wrong, and for
    two that use one name for different things.
    """
    for name, raw in parts.items():
        try:
            read_domain(raw)
        except ConfigError as error:
            raise ConfigError(f"{name}/{error}") from None
    titles = [str(raw["title"]) for raw in parts.values() if raw.get("title")]
    title = own.get("title") or ", ".join(dict.fromkeys(titles))
    found = {
        "entities": list(_entities(own, parts)),
        "intents": list(_declared("intents", own, parts)),
        "relations": list(_declared("relations", own, parts)),
    }
    return ({"title": title} if title else {}) | {key: value for key, value in found.items() if value}


def _entities(own: Raw, parts: Mapping[str, Raw]) -> Iterator[dict[str, Any]]:
    """Yield the entities, each once: what has one id and one name in two parts is one thing, under all its names."""
    known: dict[str, dict[str, Any]] = {str(one["id"]): dict(one) for one in own.get("entities") or ()}
    mine = frozenset(known)
    for name, raw in parts.items():
        for one in raw.get("entities") or ():
            entity = dict(one) | ({"page": f"{name}/{one['page']}"} if one.get("page") else {})
            other = known.setdefault(str(entity["id"]), entity)
            if other is entity or entity["id"] in mine:
                continue
            if str(other["name"]).casefold() == str(entity["name"]).casefold():
                aliases = dict.fromkeys([*(other.get("aliases") or ()), *(entity.get("aliases") or ())])
                known[str(entity["id"])] = other | {"aliases": list(aliases)}
            else:
                id_ = f"{name}/{entity['id']}"
                known[id_] = entity | {"id": id_}
    yield from known.values()


def _declared(key: str, own: Raw, parts: Mapping[str, Raw]) -> Iterator[Any]:
    """Yield the intents or relations, each name once: what two parts mean by one name has the words of both."""
    mine = {str(one["name"]) for one in own.get(key) or ()}
    known: dict[str, tuple[str, Any]] = {}
    for name, one in _all(key, parts):
        where, other = known.setdefault(str(one["name"]), (name, one))
        if any(one.get(field) != other.get(field) for field in _MEANING) and str(one["name"]) not in mine:
            raise ConfigError(
                f"{where}/domain.yaml and {name}/domain.yaml declare {one['name']} in two ways, under {key}: rename "
                "one of them, or say in footnote.yaml what holds for both"
            )
        known[str(one["name"])] = where, _united(other, one)
    yield from own.get(key) or ()
    yield from (one for name, (_, one) in known.items() if name not in mine)


def _united(one: Raw, other: Raw) -> dict[str, Any]:
    """Return the first with all words of both lists; what is no list is as the first says."""
    both = {key: value for key, value in other.items() if isinstance(value, list)}
    return {**both, **one} | {
        key: list(dict.fromkeys([*value, *both[key]])) for key, value in one.items() if key in both
    }


def _all(key: str, parts: Mapping[str, Raw]) -> Iterable[tuple[str, Any]]:
    return ((name, one) for name, raw in parts.items() for one in raw.get(key) or ())
