"""Where a repository is: its address without a password, and the pages of a host that show its files."""

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from yarl import URL

from core.errors import ConfigError

# docs: git-scm.com/docs/git-fetch, "Git URLs": the short way to write an address for ssh.
_SHORT_SSH = re.compile(r"(?:[A-Za-z0-9_][\w.-]*@)?[A-Za-z0-9][\w.-]*:(?!//)[^\s-]\S*")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)::?//|([A-Za-z][A-Za-z0-9+.-]*)::")
_HOW = "write it as https://host/path, ssh://user@host/path, user@host:path, or the path of a folder"

# How hosts name a file at a commit, by a word in the host's name.
_PATTERNS: Final[Mapping[str, str]] = {
    "github": "{page}/blob/{commit}/{path}",
    "gitlab": "{page}/-/blob/{commit}/{path}",
    "bitbucket": "{page}/src/{commit}/{path}",
    "codeberg": "{page}/src/commit/{commit}/{path}",
    "gitea": "{page}/src/commit/{commit}/{path}",
    "forgejo": "{page}/src/commit/{commit}/{path}",
}


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository elsewhere. Nothing secret stands in `address`; `login` is "user:password" for https."""

    address: str
    login: str | None = field(default=None, repr=False)

    @property
    def shown(self) -> str:
        """The address as a person writes it."""
        return unquote(self.address).removeprefix("file://")

    @property
    def folder(self) -> str:
        """The name of the folder that holds our copy: the same for an address in every run, and for it alone."""
        last = re.sub(r"\W+", "-", unquote(self.address).removesuffix(".git").rpartition("/")[2]).strip("-")[:40]
        return f"{last or 'repository'}-{sha256(self.address.encode()).hexdigest()[:12]}.git"

    @property
    def settings(self) -> str:
        """The settings file by which git shows the login to this host alone; empty without a login."""
        if self.login is None:
            return ""
        shown = b64encode(self.login.encode()).decode()
        host = URL(self.address).origin()
        return f'[http "{host}/"]\n\textraHeader = "Authorization: Basic {shown}"\n'

    def without_secrets(self, text: str) -> str:
        """Return the text with the login and its parts blotted out."""
        secrets = [self.login, *self.login.split(":")] if self.login else []
        for secret in sorted(filter(None, secrets), key=len, reverse=True):
            text = text.replace(secret, "***").replace(quote(secret, safe=""), "***")
        return text

    def link(self, commit: str, path: str) -> str | None:
        """Return the page that shows the file at this commit, None for a host whose pages are not known."""
        if not self.address.startswith("https://"):
            return None
        host = urlsplit(self.address).hostname or ""
        pattern = next((made for word, made in _PATTERNS.items() if word in host), None)
        page = self.address.rstrip("/").removesuffix(".git")
        return pattern.format(page=page, commit=commit, path=quote(path)) if pattern else None


def remote_of(place: str | Path) -> Remote:
    """Return where the repository is. Raises ConfigError when git is not to be asked for such an address."""
    text = str(place).strip()
    if found := _SCHEME.match(text):
        return _by_scheme((found[1] or found[2]).lower(), text)
    there = _at(text)
    if isinstance(place, str) and there is None and _SHORT_SSH.fullmatch(text):
        return Remote(text)
    if not text or there is None or not there.is_dir():
        raise ConfigError(f"there is no folder {text!r}, and it is not an address of a repository: {_HOW}")
    return Remote(there.resolve().as_uri())


def _at(text: str) -> Path | None:
    """Return the path of that name if anything stands there, and a file system can have it."""
    try:
        path = Path(text).expanduser()
        return path if path.exists() else None
    except (OSError, RuntimeError, ValueError):  # too long a name, a home that nobody has, half a character
        return None


def _by_scheme(scheme: str, text: str) -> Remote:
    if scheme == "file" and text.startswith("file:///"):
        return Remote(text)
    if scheme not in ("https", "ssh"):
        raise ConfigError(f"the address of a repository begins with {scheme}:, which is not allowed: {_HOW}")
    try:
        url = URL(text).with_fragment(None).with_query(None)
    except ValueError as error:
        raise ConfigError(f"the address of the repository is not one ({_bare(error, text)}): {_HOW}") from error
    if not url.host or url.host.startswith("-") or (url.user or "").startswith("-"):
        raise ConfigError(f"the address of the repository names no host: {_HOW}")
    if scheme == "ssh":
        return Remote(str(url.with_password(None)))
    login = f"{url.user}:{url.password or ''}" if url.user or url.password else None
    return Remote(str(url.with_user(None)), login)


def _bare(error: Exception, text: str) -> str:
    return str(error).replace(text, "…")
