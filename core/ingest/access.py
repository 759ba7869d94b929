"""Rules on who may read which documents: by folder, by label, and for those that say nothing; each rule only closes."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from core.audience import folded
from core.errors import IngestError
from core.ingest.document import Document

# Where the rules stand in what is declared of a corpus.
ACCESS: Final = "access"
# The label of what is not finished, and what it lacks of the authority of anything that is.
DRAFT: Final = "draft"
_OF_A_DRAFT: Final = -1
_Authority = Annotated[int, Field(ge=0, le=9)]
_STARS: Final = re.compile(r"\*\*/|\*\*|\*|\?")
_PATTERNS: Final = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


def some_names(names: object) -> object:
    """Return the names; raises ValueError when there are none: that looks closed, and would be open to everybody."""
    given = [names] if isinstance(names, str) else names
    if not isinstance(given, list | tuple) or not given or not all(str(name or "").strip() for name in given):
        raise ValueError("name the groups that may read it, or leave the line out to let everybody")
    return names


class FolderRule(_Strict):
    """What holds for the documents below a folder: who may read them at most, labels that they get, their authority."""

    readers: tuple[str, ...] | None = None
    labels: tuple[str, ...] = ()
    authority: _Authority = 0

    _named = field_validator("readers", mode="before")(some_names)


class LabelRule(_Strict):
    """What a label means: who may read a document with it at most, and what an answer from it is flagged as."""

    readers: tuple[str, ...] | None = None
    flag: Literal["confidential", "personal-data"] | None = None

    _named = field_validator("readers", mode="before")(some_names)


class Access(_Strict):
    """The rules of a corpus.

    `folders` by pattern (`policies/pay`, `**/private/*.md`), of which the most specific one holds; `labels` by name;
    `readers`: who may read a document of which nothing else says so. `inside`: the groups that each group lies within,
    so that a page for managers may lie in a folder for staff. `drafts`: whether what is marked as a draft is used.
    """

    folders: dict[str, FolderRule] = Field(default_factory=dict)
    labels: dict[str, LabelRule] = Field(default_factory=dict)
    readers: tuple[str, ...] | None = None
    inside: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    drafts: bool = True

    _named = field_validator("readers", mode="before")(some_names)


def access_of(domain: Mapping[str, Any]) -> Access:
    """Return the rules in what is declared of a corpus; none there: no rules. Raises ValidationError."""
    return Access.model_validate(domain.get(ACCESS) or {})


def ruled(document: Document, access: Access) -> Document:
    """Return the document with the readers, labels and authority that the rules give it besides its own.

    Each rule narrows who may read it, none widens. Raises IngestError when nobody is left, and for a draft where none
    may be used: it is then not indexed.
    """
    rule = folder_rule(document.id, access)
    labels = document.labels.union(rule.labels if rule else ())
    known = {name.casefold(): one for name, one in access.labels.items()}
    meant = [(label, known[label.casefold()]) for label in sorted(labels) if label.casefold() in known]
    is_draft = any(label.casefold() == DRAFT for label in labels)
    if is_draft and not access.drafts:
        raise IngestError(
            document.id, "it is a draft, and permissions.yaml says drafts: false: finish it, or take that line out"
        )
    given = [("its folder", rule.readers)] if rule and rule.readers else []
    given += [(f"its label {label}", one.readers) for label, one in meant if one.readers]
    readers = frozenset(map(folded, document.readers))
    for what, most in given:
        readers = _narrowed(readers, frozenset(map(folded, most)), access, document.id, what)
    flags = {one.flag for _, one in meant if one.flag}
    return replace(
        document,
        labels=labels.union(flags),
        readers=readers or frozenset(map(folded, access.readers or ())),
        authority=_OF_A_DRAFT if is_draft else _authority(document, rule, access),
    )


def _authority(document: Document, rule: FolderRule | None, access: Access) -> int:
    """Return what its folder gives it; what it says of itself where no folder gives any.

    Where folders do, nobody can write a page that stands above them.
    """
    if any(one.authority for one in access.folders.values()):
        return rule.authority if rule else 0
    return document.authority


def folder_rule(doc_id: str, access: Access) -> FolderRule | None:
    """Return the most specific rule whose pattern the path fits: the longest beginning without a star, then in all."""
    fitting = [pattern for pattern in access.folders if fits_pattern(pattern, doc_id)]
    best = max(fitting, key=lambda one: (len(re.split(r"[*?]", one)[0]), len(one), one), default=None)
    return access.folders[best] if best is not None else None


def fits_pattern(pattern: str, doc_id: str) -> bool:
    """Return whether the path is one of those, or lies below one."""
    return bool(_pattern(pattern).fullmatch(doc_id))


@lru_cache(maxsize=1_000)
def _pattern(written: str) -> re.Pattern[str]:
    """Return what fits the paths; a pattern of a folder fits all below it."""
    path = written.strip("/")
    parts, end = list[str](), 0
    for found in _STARS.finditer(path):
        parts += [re.escape(path[end : found.start()]), _PATTERNS[found[0]]]
        end = found.end()
    return re.compile("".join((*parts, re.escape(path[end:]), "(?:/.*)?")), re.DOTALL)


def _narrowed(readers: frozenset[str], most: frozenset[str], access: Access, path: str, what: str) -> frozenset[str]:
    """Return who is in both: the names in both lists, and those of one that lie within a group of the other."""
    if not readers:
        return most
    both = _within(readers, most, access) | _within(most, readers, access)
    if not both:
        ours, theirs = ", ".join(sorted(readers)), ", ".join(sorted(most))
        raise IngestError(path, f"nobody may read it: it is for {ours}, and {what} for {theirs}; name a group of both")
    return both


def _within(names: Iterable[str], others: frozenset[str], access: Access) -> frozenset[str]:
    return frozenset(one for one in names if not others.isdisjoint((one, *access.inside.get(one, ()))))
