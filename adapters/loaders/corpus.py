"""A folder of documents: every file that can be read, and why the others cannot."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from adapters.loaders.folder import DOMAIN, FolderSource, check_folder, items_in
from adapters.loaders.formats import KNOWN
from adapters.loaders.item import Result, documents_in, unique
from core.errors import ConfigError, IngestError
from core.ingest.document import Document
from core.ingest.source import Collection

__all__ = ["DOMAIN", "Corpus", "collection_of", "load_corpus"]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents of a folder, its `domain.yaml` as read, and what could not be read."""

    documents: tuple[Document, ...]
    domain: Mapping[str, object] = field(default_factory=dict)
    problems: tuple[IngestError, ...] = ()


def collection_of(folder: Path) -> Collection:
    """Return the folder as what an index run takes, with its `domain.yaml` as read; no document is read yet.

    Raises ConfigError when the folder is missing or the domain cannot be read: without it the index would know less.
    """
    check_folder(folder)
    return Collection(os.path.realpath(folder), FolderSource(folder), domain_of(folder))


def domain_of(folder: Path) -> Mapping[str, object]:
    """Return what the folder's `domain.yaml` holds, nothing when there is none. Raises ConfigError as above."""
    problems: list[IngestError] = []
    domain = _domain(folder / DOMAIN, problems)
    for problem in problems:
        raise ConfigError(f"{' '.join(str(problem).split())}. Correct that and index again.")
    return domain


def load_corpus(folder: Path) -> Corpus:
    """Return everything readable below the folder, in the order of its paths.

    A bad document becomes a problem and the rest goes on; only a folder without any readable document raises.
    """
    check_folder(folder)
    problems: list[IngestError] = []
    domain = _domain(folder / DOMAIN, problems)
    results = list(unique(_results(folder, link_base_of(domain))))
    documents = tuple(result for result in results if isinstance(result, Document))
    problems += [result for result in results if isinstance(result, IngestError)]
    if not documents:
        raise ConfigError(_nothing(folder, problems))
    return Corpus(documents, domain, tuple(problems))


def link_base_of(domain: Mapping[str, object]) -> str | None:
    """Return the address below which the documents can be read in a browser, if the corpus declares one."""
    base = domain.get("link_base")
    return base if isinstance(base, str) and base.strip() else None


def _results(folder: Path, link_base: str | None) -> Iterator[Result]:
    for item in items_in(folder):
        yield from [item] if isinstance(item, IngestError) else documents_in(item, link_base)


def _nothing(folder: Path, problems: list[IngestError]) -> str:
    first = f"; {len(problems)} could not be read, the first: {problems[0]}" if problems else ""
    return f"the documents folder {str(folder)!r} holds nothing to read: put {', '.join(KNOWN)} files into it{first}"


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
