"""Where links lead: paths, addresses and names of pages to the documents of the corpus."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from posixpath import basename, dirname, join, normpath, splitext
from urllib.parse import unquote

from core.ingest.document import Document
from core.text import all_terms, normalise

# What a document is found by, each kind of address with a sign of its own: path, name, title in stems, web address.
Addresses = Mapping[str, tuple[str, ...]]
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LONGEST = 300


def addresses_of(document: Document) -> tuple[str, ...]:
    """Return everything that a link to the document may say, and its title as `titled` looks for it."""
    path, _ = splitext(document.id)
    names = (basename(path), document.title, *document.aliases)
    folder = [_path(dirname(path) or ".")] if basename(path).casefold() in ("index", "readme") else []
    web = [_web(document.link)] if document.link else []
    keys = (_path(document.id), _path(path), *folder, *map(_name, names), *web, title_key(document.title))
    return tuple(dict.fromkeys(keys))


@lru_cache(maxsize=50_000)
def title_key(title: str) -> str:
    """Return the address of documents and sections with a title of these words, in whatever form."""
    return "t:" + " ".join(all_terms(title))


def searched(target: str, origin: str) -> tuple[str, ...]:
    """Return the addresses that a link in the document `origin` may mean, the likeliest first."""
    return tuple(dict.fromkeys(_searched(target[:_LONGEST], origin)))


def _searched(target: str, origin: str) -> Iterator[str]:
    address = target.strip()
    if address.startswith(("http://", "https://")):
        yield _web(address)
        return
    path = unquote(address.partition("#")[0].partition("?")[0]).replace("\\", "/").strip()
    if _SCHEME.match(path):
        return
    if not path:
        yield _path(origin)
        return
    if not path.startswith("/"):
        yield _path(join(dirname(origin), path))
    yield _path(path.lstrip("/"))
    yield _name(path)
    if "/" in path and not splitext(path)[1]:
        yield _name(basename(path))


def led_to(target: str, origin: str, addresses: Addresses) -> str | None:
    """Return the id of the document that the link leads to; of several with that name the one nearest to the origin."""
    for key in searched(target, origin):
        if found := addresses.get(key):
            return max(found, key=lambda id_: _shared(id_, origin))
    return None


def anchor_of(target: str) -> str:
    """Return the place in the document that the link names after the hash, or nothing."""
    return unquote(target.partition("#")[2])


def _shared(left: str, right: str) -> int:
    pairs = zip(dirname(left).split("/"), dirname(right).split("/"), strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(left.count("/"), right.count("/")))


def _path(path: str) -> str:
    return "p:" + normpath(path).casefold()


def _name(name: str) -> str:
    return "n:" + " ".join(re.split(r"[\s_-]+", normalise(name).strip()))


def _web(address: str) -> str:
    return "w:" + unquote(address.partition("#")[0]).rstrip("/")
