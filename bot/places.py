"""Where documents are, as data: a folder, a web site, a Git repository, Slack channels or a reader, and its options."""

import re
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

# A part of a path that is read as written: no slash, nothing hidden, no space at its ends.
NAME: Final = r"^[^\W_](?:[\w .@+-]{0,98}[\w@+-])?$"
ALL: Final = "all"
VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_SECRET: Final = re.compile(r"token|secret|passw|pwd|api_?key|private_?key|access_?key|credential", re.IGNORECASE)
_LONGEST_PAUSE: Final = 60


def _listed(value: object) -> object:
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


_Names = Annotated[tuple[str, ...], BeforeValidator(_listed)]


class _Place(BaseModel):
    """What can be said of every source.

    `name` is the folder that its documents stand in; `readers` the groups that may read them; `kind` what sort of page
    they are; `link_base` where the pages lie that say not themselves where they are.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)
    name: str | None = Field(default=None, pattern=NAME)
    readers: _Names = ()
    kind: str | None = Field(default=None, min_length=1, max_length=80)
    link_base: str | None = Field(default=None, pattern="^https?://")

    @field_validator("readers")
    @classmethod
    def _names_somebody(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """Refuse a list without a name: it looks closed, and would be open to everybody."""
        if not value or not all(value):
            raise ValueError("name the groups that may read it, or leave the line out to let everybody")
        return value


class FolderPlace(_Place):
    """The files below a folder of this machine."""

    folder: Path


class SitePlace(_Place):
    """A web site, from its sitemap or a start page; `under` is the path that its pages begin with.

    At most so many `pages`, `depth` links away from the start, `pause` seconds apart, so many megabytes each and all.
    """

    site: str
    under: str | None = None
    pages: int = Field(default=10_000, ge=1, le=1_000_000)
    depth: int = Field(default=20, ge=0, le=1_000)
    pause: float = Field(default=0.5, ge=0, le=_LONGEST_PAUSE)
    page_megabytes: float = Field(default=50, gt=0, le=50)
    site_megabytes: float = Field(default=2_000, gt=0, le=100_000)

    @field_validator("site")
    @classmethod
    def _shows_no_password(cls, value: str) -> str:
        return _without_secrets(value)

    @property
    def below(self) -> str:
        """The path that pages begin with: as said, else the folder of the start page, else all of the site."""
        path = urlsplit(self.site).path
        is_list = path.endswith((".xml", ".xml.gz", "sitemap.txt", "sitemap.txt.gz"))
        return self.under or ("/" if is_list else path.rpartition("/")[0] or "/")


class GitPlace(_Place):
    """The files of a branch of a Git repository, in the folder `under`; `commits` are fetched for the days of files."""

    git: str
    branch: str | None = None
    under: str = ""
    commits: int = Field(default=1_000, ge=1, le=1_000_000)

    @field_validator("git")
    @classmethod
    def _shows_no_password(cls, value: str) -> str:
        return _without_secrets(value)


class SlackPlace(_Place):
    """What was said in these channels, or in `all` that the bot is in, from the day `since` on; days are of `zone`."""

    slack: _Names
    since: date | None = None
    zone: str = "UTC"

    @field_validator("slack")
    @classmethod
    def _names_a_channel(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not value:
            raise ValueError("name a channel, such as '#general', or all")
        return tuple(dict.fromkeys(value))

    @field_validator("zone")
    @classmethod
    def _is_known(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ValueError, OSError, LookupError):
            raise ValueError(f"no time zone is called {value!r}: write one such as Europe/Berlin") from None
        return value

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels that are asked for; none when it is all of them."""
        return () if self.slack == (ALL,) else self.slack


class ReaderPlace(_Place):
    """What a reader of LlamaIndex reads: `arguments` make it, `load` is what its loading takes."""

    reader: str = Field(pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$")
    arguments: dict[str, Any] = Field(default_factory=dict)
    load: dict[str, Any] = Field(default_factory=dict)
    suffix: Literal[".md", ".txt"] | None = None

    @model_validator(mode="after")
    def _shows_no_secret(self) -> "ReaderPlace":
        for key, value in (*self.arguments.items(), *self.load.items()):
            if _SECRET.search(key) and isinstance(value, str) and value and not VARIABLE.search(value):
                raise ValueError(
                    f"{key} is a secret: put it into .env as a variable, and write its name here, as in "
                    f"{key}: ${{{key.upper()}}}"
                )
        return self


Place = FolderPlace | SitePlace | GitPlace | SlackPlace | ReaderPlace
KINDS: Final[dict[str, type[Place]]] = {
    "folder": FolderPlace,
    "site": SitePlace,
    "git": GitPlace,
    "slack": SlackPlace,
    "reader": ReaderPlace,
}


def _without_secrets(address: str) -> str:
    """Return the address. Raises ValueError when a password or a token stands in it, as it will be stored."""
    scheme, _, rest = address.partition("://")
    login, at, _ = rest.partition("/")[0].rpartition("@")
    password = login.partition(":")[2] or ("" if scheme == "ssh" else login)
    if at and password and not VARIABLE.fullmatch(password):
        raise ValueError(
            "a password does not belong into an address, which is stored: put it into .env as a variable and write its "
            "name, as in https://anna:${WIKI_PASSWORD}@host/ (in single quotes on the command line)"
        )
    for key, _, value in (part.partition("=") for part in urlsplit(address).query.split("&")):
        if _SECRET.search(key) and value:
            raise ValueError(f"{key} in an address is a secret, and addresses are shown with the answers: leave it out")
    return address
