"""Copies of the pages of a site, so that a page that did not change is asked for and not sent again (RFC 9110, 13)."""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

# By which a server tells whether a page is still the same, and the headers by which it is asked.
_SIGNS: Final[Mapping[str, str]] = {"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}
_LINE: Final = 1 << 16
_KEPT: Final = (*_SIGNS, "Content-Type", "X-Robots-Tag")


@dataclass(frozen=True, slots=True)
class Copy:
    """A page as it came last: what the server said of it, and where its bytes lie."""

    headers: CIMultiDictProxy[str]
    charset: str | None
    path: Path
    start: int

    @property
    def questions(self) -> dict[str, str]:
        """The headers that ask for the page only if it is another."""
        return {asks: self.headers[sign] for sign, asks in _SIGNS.items() if sign in self.headers}

    def data(self) -> bytes | None:
        """Return the bytes, None when they are lost."""
        try:
            return self.path.read_bytes()[self.start :]
        except OSError:
            return None


@dataclass(slots=True)
class PageStore:
    """The copies in a folder, a file each. Whatever cannot be read or written is as if it had never been kept."""

    folder: Path
    seen: set[str] = field(default_factory=set)

    def copy(self, address: URL) -> Copy | None:
        """Return the page as it came last, if that is kept."""
        path = self._path(address)
        self.seen.add(path.name)
        try:
            with path.open("rb") as file:
                line = file.readline(_LINE)
                known = json.loads(line)
                if known["address"] != str(address):
                    return None
                headers = CIMultiDict((str(name), str(value)) for name, value in known["headers"])
                return Copy(CIMultiDictProxy(headers), known["charset"], path, len(line))
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def keep(self, address: URL, headers: CIMultiDictProxy[str], charset: str | None, data: bytes) -> None:
        """Keep the page, if the server will be able to tell whether it is still the same, and lets us."""
        path = self._path(address)
        self.seen.add(path.name)
        if not any(sign in headers for sign in _SIGNS) or "no-store" in headers.get("Cache-Control", "").lower():
            self.forget(address)
            return
        known = [(name, value) for name in _KEPT for value in headers.getall(name, [])]
        line = json.dumps({"address": str(address), "charset": charset, "headers": known}).encode() + b"\n"
        with suppress(OSError):
            _write(path, (line, data))

    def others(self) -> list[URL]:
        """Return the addresses of the pages that are kept and were not asked for since this was made."""
        found = []
        with suppress(OSError):
            for path in sorted(path for path in self.folder.iterdir() if path.name not in self.seen):
                with suppress(OSError, ValueError, LookupError, TypeError), path.open("rb") as file:
                    found.append(URL(json.loads(file.readline(_LINE))["address"]))
        return found

    def forget(self, address: URL) -> None:
        """Remove the copy of a page."""
        with suppress(OSError):
            self._path(address).unlink(missing_ok=True)

    def forget_others(self) -> None:
        """Remove the copies of pages that were not asked for since this was made."""
        with suppress(OSError):
            for path in self.folder.iterdir():
                if path.name not in self.seen:
                    path.unlink(missing_ok=True)

    def _path(self, address: URL) -> Path:
        return self.folder / sha256(str(address).encode()).hexdigest()[:32]


def _write(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file under another name and give it its own when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix="new-", delete=False) as file:
        file.writelines(parts)
    Path(file.name).replace(path)
