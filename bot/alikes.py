"""Files whose name is nearly that of one of ours: they would not be read, and what they say would not hold."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from unicodedata import normalize

from rapidfuzz.distance import OSA

from bot.lined import parsed
from core.errors import ConfigError

_SUFFIX: Final = re.compile(r"(?:\.ya?ml)+(?:\.txt)?$")
# A copy that is kept, or a sample that is shipped, is meant to be another file.
_KEPT: Final = re.compile(r"example|sample|template|default|dist|old|bak|backup|orig|copy|копия|пример|образец")
_MOST_SLIPS: Final = 2


def check_alike(folder: Path, wanted: str, keys: Iterable[str], *, is_document: bool = False) -> None:
    """Raise ConfigError when a file there is likely meant to be `wanted` and has another name.

    Another case, another suffix and a dot before it are no other name for people. With a slip in the name, and where it
    may be a document, it is meant only if it has one of the `keys` at its top.
    """
    try:
        files = sorted(folder.iterdir())
    except OSError:
        # That the folder cannot be read is told when it is.
        return
    for file in files:
        meant = file.name != wanted and _is_meant(file, wanted, frozenset(keys), surely=not is_document)
        if meant and not _is_same(file, folder / wanted):
            raise ConfigError(
                f"{file} is not read, and what it says does not hold: did you mean {wanted}? Rename it, or "
                "move it elsewhere"
            )


def _is_meant(file: Path, wanted: str, keys: frozenset[str], *, surely: bool) -> bool:
    name, stem = normalize("NFKC", file.name).casefold().strip(), wanted.partition(".")[0]
    bare, found = _SUFFIX.subn("", name)
    if not found or _KEPT.search(bare) or not file.is_file():
        return False
    letters = re.sub(r"[\W\d_]+", "", bare)
    if letters == stem and re.fullmatch(r"[._~#-]*[a-z]+\s*", bare):
        return surely or _says_one_of(file, keys)
    return OSA.distance(letters, stem) <= _MOST_SLIPS and _says_one_of(file, keys)


def _says_one_of(file: Path, keys: frozenset[str]) -> bool:
    try:
        found, _ = parsed(file)
    except ConfigError:
        return True
    return isinstance(found, dict) and not keys.isdisjoint(map(str, found))


def _is_same(one: Path, other: Path) -> bool:
    return other.exists() and one.samefile(other)
