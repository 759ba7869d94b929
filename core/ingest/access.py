"""Rules on who may read which documents: by folder, by label, and for those that say nothing; each rule only closes."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Final, Literal
from unicodedata import normalize

from pydantic import BaseModel, ConfigDict, Field, field_validator

from core.audience import folded
from core.errors import IngestError
from core.ingest.document import Document
from core.ingest.slips import MIN_LENGTH, is_slip

# Where the rules stand in what is declared of a corpus.
ACCESS: Final = "access"
# The label of what is not finished, and what it lacks of the authority of anything that is.
DRAFT: Final = "draft"
_OF_A_DRAFT: Final = -1
# Under what else pages say of themselves what sort of secret they are.
_MARKS: Final = (
    *("tags", "tag", "category", "categories", "classification", "sensitivity", "confidentiality", "marking"),
    *("теги", "тег", "категория", "классификация", "гриф", "секретность", "конфиденциальность"),
)
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
    """What holds for the documents below a folder: who may read them at most, labels that they get, their authority.

    What it does not say, the folders around it do.
    """

    readers: tuple[str, ...] | None = None
    labels: tuple[str, ...] = ()
    authority: _Authority | None = None

    @property
    def closes(self) -> bool:
        """Whether it may keep a document from somebody: by its readers, or by what its labels mean."""
        return self.readers is not None or bool(self.labels)

    _named = field_validator("readers", mode="before")(some_names)


class LabelRule(_Strict):
    """What a label means: who may read a document with it at most, and what an answer from it is flagged as."""

    readers: tuple[str, ...] | None = None
    flag: Literal["confidential", "personal-data"] | None = None

    _named = field_validator("readers", mode="before")(some_names)


class Access(_Strict):
    """The rules of a corpus.

    `folders` by pattern (`policies/pay`, `**/private/*.md`), the most specific of which holds; `labels` by name;
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
    known = {label_key(name): one for name, one in access.labels.items()}
    labels = document.labels.union(rule.labels, _marks(document, known))
    _check_labels(document, known)
    meant = [(label, known[label_key(label)]) for label in sorted(labels) if label_key(label) in known]
    is_draft = any(label_key(label) == DRAFT for label in labels)
    if is_draft and not access.drafts:
        raise IngestError(
            document.id, "it is a draft, and permissions.yaml says drafts: false: finish it, or take that line out"
        )
    given = [("its folder", rule.readers)] if rule.readers else []
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


def _marks(document: Document, known: Mapping[str, LabelRule]) -> Iterator[str]:
    """Yield what a page says of itself under a word for labels, such as `tags`, that is a label which closes."""
    said = (part.strip() for key in _MARKS for part in document.fields.get(key, "").split(","))
    return (one for one in said if (rule := known.get(label_key(one))) and rule.readers)


def _check_labels(document: Document, known: Mapping[str, LabelRule]) -> None:
    """Raise IngestError for a label that is likely a slip for one that closes."""
    for label in sorted(document.labels):
        word = label_key(label)
        near = next((one for one in known if known[one].readers and _is_likely(word, one)), None)
        if word not in known and near:
            words = f"there is no label {label!r}: did you mean {near!r}? Until then nobody may read it"
            raise IngestError(document.id, words)


def _is_likely(word: str, name: str) -> bool:
    bare, other = ("".join(re.split(r"[\W_]+", one)) for one in (word, name))
    return min(len(bare), len(other)) >= MIN_LENGTH and bare.isalpha() and is_slip(bare, other)


def label_key(name: str) -> str:
    """Return a label as it is compared: neither case counts, nor how a letter with a mark is stored."""
    return normalize("NFC", name).casefold()


def _authority(document: Document, rule: FolderRule, access: Access) -> int:
    """Return what its folder gives it; what it says of itself where no folder gives any.

    Where folders do, nobody can write a page that stands above them.
    """
    if any(one.authority for one in access.folders.values()):
        return rule.authority or 0
    return document.authority


def folder_rule(doc_id: str, access: Access) -> FolderRule:
    """Return what the rules come to whose patterns the path fits.

    Its readers are those of the most specific rule that names some (the longest beginning without a star, then in all),
    and so is its authority: a rule that speaks of one of them leaves the other as it was. Labels add up.
    """
    fitting = sorted(
        (pattern for pattern in access.folders if fits_pattern(pattern, doc_id)), key=_specific, reverse=True
    )
    rules = [access.folders[pattern] for pattern in fitting]
    return FolderRule.model_construct(
        readers=next((one.readers for one in rules if one.readers), None),
        labels=tuple(dict.fromkeys(label for one in rules for label in one.labels)),
        authority=next((one.authority for one in rules if one.authority is not None), None),
    )


def _specific(pattern: str) -> tuple[int, int, str]:
    return len(re.split(r"[*?]", pattern)[0]), len(pattern), pattern


def fits_pattern(pattern: str, doc_id: str) -> bool:
    """Return whether the path is one of those, or lies below one; an accented letter is one, however it is stored."""
    return bool(_pattern(pattern).fullmatch(normalize("NFC", doc_id)))


@lru_cache(maxsize=1_000)
def _pattern(written: str) -> re.Pattern[str]:
    """Return what fits the paths; a pattern of a folder fits all below it."""
    path = normalize("NFC", written.strip("/"))
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
