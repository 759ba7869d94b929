"""Which file says who may read a corpus: found beside its documents, and remembered with the index made by it."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from bot.alikes import check_alike
from bot.permissions import FILE, KEYS, SHARED, Permissions, file_in, read_file
from core.errors import ConfigError
from core.ingest.access import ACCESS
from core.ingest.generation import Make
from core.ingest.identity import identity_of

OPEN: Final = "--open"


def rules_for(
    folders: Sequence[Path], declared: Path | None, live: Make | None, *, may_open: bool = False
) -> Permissions:
    """Return who may read what in a corpus of these folders, or one that a file declares.

    The file with the rules lies beside what is indexed, or in the working folder, or is the one of the live index.
    Raises ConfigError when it is wrong, when there are two, when one lies where whoever writes documents would say who
    reads them, and when the live index has rules and there are none now, unless what they closed may open.
    """
    remembered = remembered_by(live)
    beside = [declared.parent] if declared else [folder.resolve().parent for folder in folders]
    _check_names(folders, beside)
    found = _found(declared, beside)
    if remembered and (remembered in found or not found) and (lasting := _lasting(remembered)):
        found = [lasting]
    if len(found) > 1:
        both = " and ".join(map(str, found))
        raise ConfigError(f"both {both} say who may read these documents: leave one of them")
    _check_not_among(folders, found)
    if found:
        return read_file(found[0])
    if live and not may_open and (remembered or ACCESS in live.domain):
        raise ConfigError(_lost(remembered))
    return Permissions()


def rules_now(remembered: Path | None, folder: Path) -> Permissions:
    """Return who may read what by the file that the live index remembers, else by the one in the folder.

    Raises ConfigError with the line of what is wrong.
    """
    file = (_lasting(remembered) if remembered else None) or file_in(folder)
    return read_file(file) if file else Permissions()


def remembered_by(live: Make | None) -> Path | None:
    """Return the file that said who may read what when an index was made."""
    rules = identity_of(live.source).rules if live else None
    return Path(rules) if rules else None


def _found(declared: Path | None, beside: Iterable[Path]) -> list[Path]:
    """Return the files that say who may read what: beside the documents and in the working folder, each once."""
    shared = {declared.parent: declared.name} if declared else {}
    folders = dict.fromkeys((*beside, Path.cwd()))
    files = (file_in(folder, shared.get(folder, SHARED)) for folder in folders)
    # A file may be a link, which leads elsewhere once it is renewed: the folder tells where it is.
    return list(dict.fromkeys(file for file in files if file))


def _lasting(remembered: Path) -> Path | None:
    """Return the file that is remembered, or the one that now says it in its folder."""
    shared = SHARED if remembered.name == FILE else remembered.name
    return file_in(remembered.parent, shared)


def _check_names(folders: Iterable[Path], beside: Iterable[Path]) -> None:
    """Raise ConfigError for a file that is likely meant to say who may read what, and would not be read."""
    for folder in dict.fromkeys((*beside, Path.cwd())):
        check_alike(folder, FILE, KEYS)
    for folder in folders:
        check_alike(folder.resolve(), FILE, KEYS, is_document=True)


def _check_not_among(folders: Iterable[Path], found: Sequence[Path]) -> None:
    for folder in folders:
        file = folder.resolve() / FILE
        if os.path.isfile(file) and file not in found:  # noqa: PTH113 - a folder that may not be read is told later
            raise ConfigError(
                f"{file} lies among the documents, where whoever may write them would say who reads them: move it to "
                f"{file.parent.parent}"
            )


def _lost(remembered: Path | None) -> str:
    where = f"{remembered} says who may read what is indexed, and is" if remembered else f"the rules of {FILE} are"
    put = "put it back" if remembered else "index in the folder where it lies"
    return (
        f"{where} not there: {put}. Answers come from the index as it was. To go on without, with all that was closed "
        f"by it open to everybody, index with {OPEN}"
    )
