"""A folder of documents: every file that can be read, and why the others cannot."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import yaml

from adapters.loaders.file import READERS, load_file, name_of
from core.errors import ConfigError, IngestError
from core.ingest.document import Document

DOMAIN: Final = "domain.yaml"
# Lie beside documents and are no documents; left out without a word.
ASSETS: Final = frozenset(
    f".{suffix}"
    for suffix in (
        *("png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "bmp", "tif", "tiff", "heic"),
        *("mp3", "wav", "ogg", "mp4", "mov", "webm", "avi"),
        *("css", "js", "map", "woff", "woff2", "ttf", "otf", "eot"),
        *("zip", "gz", "lock", "bak", "tmp"),
    )
)


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents of a folder, its `domain.yaml` as read, and what could not be read."""

    documents: tuple[Document, ...]
    domain: Mapping[str, object] = field(default_factory=dict)
    problems: tuple[IngestError, ...] = ()


def load_corpus(folder: Path) -> Corpus:
    """Return everything readable below the folder, in the order of its paths.

    A bad document becomes a problem and the rest goes on; only a folder without any readable document raises.
    """
    _check(folder)
    problems: list[IngestError] = []
    domain = _domain(folder / DOMAIN, problems)
    base = domain.get("link_base")
    link_base = base if isinstance(base, str) and base.strip() else None
    documents = tuple(_documents(folder, link_base, problems))
    if not documents:
        raise ConfigError(_nothing(folder, problems))
    return Corpus(documents, domain, tuple(problems))


def _check(folder: Path) -> None:
    if not folder.exists():
        raise ConfigError(f"the documents folder {str(folder)!r} does not exist: create it or correct its path")
    if not folder.is_dir():
        raise ConfigError(f"{str(folder)!r} is a file: give the folder that holds the documents")


def _nothing(folder: Path, problems: list[IngestError]) -> str:
    known = ", ".join(sorted(READERS))
    first = f"; {len(problems)} could not be read, the first: {problems[0]}" if problems else ""
    return f"the documents folder {str(folder)!r} holds nothing to read: put {known} files into it{first}"


def _domain(path: Path, problems: list[IngestError]) -> Mapping[str, object]:
    try:
        found = yaml.safe_load(path.read_bytes()) if path.exists() else {}
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        problems.append(IngestError(DOMAIN, f"line {line}: {error.problem or error.context}"))
        return {}
    except (yaml.YAMLError, OSError, RecursionError, ValueError) as error:
        problems.append(IngestError(DOMAIN, f"cannot be read: {error}"))
        return {}
    if found is None or isinstance(found, dict):
        return found or {}
    problems.append(IngestError(DOMAIN, "must hold keys and values, such as `link_base: https://…`"))
    return {}


def _documents(folder: Path, link_base: str | None, problems: list[IngestError]) -> Iterator[Document]:
    for path in sorted(_files(folder, problems, frozenset()), key=lambda path: path.relative_to(folder).parts):
        if path.suffix.lower() in ASSETS or path == folder / DOMAIN:
            continue
        try:
            yield load_file(path, folder, link_base)
        except IngestError as error:
            problems.append(error)
        # A reader's library met something nobody foresaw: this document is lost, the others are not.
        except Exception as error:  # noqa: BLE001
            problems.append(IngestError(_shown(path, folder), f"could not be read ({type(error).__name__}: {error})"))


def _files(
    folder: Path, problems: list[IngestError], above: frozenset[Path], top: Path | None = None
) -> Iterator[Path]:
    """Yield the files below a folder; what is hidden, and a link back to a folder above, is left out."""
    root, here = top or folder, folder.resolve()
    if here in above:
        return
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        problems.append(IngestError(_shown(folder, root), f"cannot be listed ({error.strerror}): allow reading it"))
        return
    for entry in entries:
        if entry.name.startswith((".", "~$")):
            continue
        if entry.is_dir():
            yield from _files(entry, problems, above | {here}, root)
        elif entry.is_file() or not entry.exists():
            yield entry


def _shown(path: Path, folder: Path) -> str:
    try:
        return name_of(path, folder)
    except IngestError as error:
        return error.path
