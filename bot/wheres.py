"""What a person types for where documents are: a path, an address, channels, a reader; read strictly, with advice."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

import yaml
from pydantic import ValidationError

from bot.places import ALL, NAME, VARIABLE, FolderPlace, GitPlace, Place, ReaderPlace, SitePlace, SlackPlace
from core.errors import ConfigError

WAYS: Final = (
    "a folder, https://site/, https://host/repository.git, git@host:repository, slack:#channel or "
    "reader:package.module:Class"
)
_NAMED = re.compile(rf"(?P<name>{NAME[1:-1]})=(?P<where>.+)", re.DOTALL)
# docs: git-scm.com/docs/git-fetch, "Git URLs": the short way to write an address for ssh.
_SHORT_SSH = re.compile(r"[A-Za-z0-9_][\w.-]*@[A-Za-z0-9][\w.-]*:(?!//)\S+")
_HOST = re.compile(r"(?:[\w-]+\.)+[A-Za-z]{2,}(?::\d+)?(?:/\S*)?|localhost(?::\d+)?(?:/\S*)?")
_CLASS = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+:[A-Za-z_]\w*(?:\?.*)?", re.DOTALL)
# Sites whose addresses with two parts are pages of repositories.
_HOSTERS: Final = ("github.com", "gitlab.com", "bitbucket.org", "codeberg.org")
_SCHEMES: Final = ("https", "http", "git+https", "git+ssh", "git+file", "ssh", "slack", "reader")


def place_of(where: str) -> Place:
    """Return the place that was typed. Raises ConfigError that says what was not understood, and what may be meant.

    `name=` before it names the folder that its documents stand in. What exists as a folder is one.
    """
    text = where.strip()
    if path := _there(text):
        return _existing(path)
    if found := _NAMED.fullmatch(text):
        return place_of(found["where"]).model_copy(update={"name": found["name"]})
    try:
        return _elsewhere(text)
    except ValidationError as error:
        raise ConfigError(f"{text!r}: {complaint(error)}") from None


def where_of(place: Place) -> str:
    """Return what is typed for the place, wherever one stands; `place_of` of it is the same place without its name."""
    match place:
        case FolderPlace():
            return str(place.folder)
        case SitePlace():
            return place.site
        case GitPlace():
            git = place.git if _SHORT_SSH.fullmatch(place.git) else f"git+{place.git}"
            part = f"{place.branch or ''}:{place.under}" if place.under else place.branch or ""
            return f"{git}#{part}" if part else git
        case SlackPlace():
            return f"slack:{','.join(place.slack)}"
        case ReaderPlace():
            said = [*place.arguments.items(), *((f"load.{key}", value) for key, value in place.load.items())]
            query = "&".join(f"{key}={_written(value)}" for key, value in said)
            return f"reader:{place.reader}" + (f"?{query}" if query else "")


def complaint(error: ValidationError) -> str:
    """Return the first thing that is wrong, in words."""
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"]))
    words = first["msg"].removeprefix("Value error, ")
    return f"{place}: {words}" if place else words


def _there(text: str) -> Path | None:
    """Return the path if something is there; nothing typed is no path, though "." would be."""
    try:
        path = Path(text).expanduser()
        return path if text and path.exists() else None
    except (OSError, ValueError, RuntimeError):
        return None


def _existing(path: Path) -> Place:
    if not path.is_dir():
        raise ConfigError(f"{str(path)!r} is a file: give the folder that holds the documents")
    real = path.resolve()
    if (real / "HEAD").is_file() and (real / "objects").is_dir():
        return GitPlace(git=real.as_uri())
    return FolderPlace(folder=real)


def _elsewhere(text: str) -> Place:
    scheme, colon, rest = text.partition(":")
    if scheme == "slack" and colon:
        return _slack(rest)
    if scheme == "reader" and colon:
        return _reader(rest)
    if text.startswith(("git+", "ssh://")) or _SHORT_SSH.fullmatch(text.partition("#")[0]):
        return _git(text.removeprefix("git+"))
    if scheme in ("http", "https") and rest.startswith("//"):
        return _git(text) if urlsplit(text).path.endswith(".git") else _site(text)
    raise ConfigError(_not_understood(text))


def _slack(channels: str) -> SlackPlace:
    names = tuple(name.strip() for name in channels.split(",") if name.strip())
    if odd := [name for name in names if name != ALL and not re.fullmatch(r"#[^\s#]+|[CG][A-Z0-9]{2,}", name)]:
        raise ConfigError(
            f"'slack:{channels}': {odd[0]!r} is no channel: write slack:#{odd[0].strip('#')} for one by its name, "
            "slack:C0123ABC by its id, or slack:all for all that the bot is in"
        )
    return SlackPlace(slack=names)


def _site(text: str) -> SitePlace:
    url = urlsplit(text)
    parts = [part for part in url.path.split("/") if part]
    if url.hostname in _HOSTERS and len(parts) == 2:  # noqa: PLR2004 - owner and repository
        raise ConfigError(f"{text!r} is the page of a repository: for the files in it write {text.rstrip('/')}.git")
    return SitePlace(site=text.partition("#")[0])


def _git(text: str) -> GitPlace:
    address, _, part = text.partition("#")
    branch, _, under = part.partition(":")
    return GitPlace(git=address, branch=branch or None, under=under.strip("/"))


def _reader(text: str) -> ReaderPlace:
    """Return the reader; its arguments stand after a question mark, and those of its loading begin with `load.`."""
    dotted, _, query = text.partition("?")
    said = dict(_arguments(query))
    load = {key.removeprefix("load."): value for key, value in said.items() if key.startswith("load.")}
    arguments = {key: value for key, value in said.items() if not key.startswith("load.")}
    if not re.fullmatch(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*", dotted):
        raise ConfigError(
            f"'reader:{dotted}' names no reader: write it as reader:package.module:Class, for example "
            "reader:llama_index.readers.wikipedia:WikipediaReader"
        )
    return ReaderPlace(reader=dotted, arguments=arguments, load=load)


def _arguments(query: str) -> Iterator[tuple[str, Any]]:
    for part in filter(None, query.split("&")):
        key, equals, value = part.partition("=")
        if not (equals and key):
            raise ConfigError(f"?{query}: {part!r} is no argument: write key=value, several with & between them")
        yield unquote(key), _value(unquote(value))


def _value(text: str) -> Any:
    """Return a value as YAML reads it: 3 is a number, [a, b] a list; what is no YAML is text."""
    try:
        return text if VARIABLE.search(text) else yaml.safe_load(text)
    except yaml.YAMLError:
        return text


def _written(value: object) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=1_000_000)
    plain = value if isinstance(value, str) and _value(value) == value else text.removesuffix("...\n").strip()
    return quote(plain, safe=" ${}[](),:;/!*'\"@~+=?")


def _not_understood(text: str) -> str:
    meant = _meant(text)
    return f"{text!r} is neither a folder nor anything else that can be read" + (
        f": did you mean {meant}?" if meant else f". Give {WAYS}."
    )


def _meant(text: str) -> str | None:
    """Return what may have been meant, if that can be told."""
    if text.startswith("#"):
        return f"slack:{text}"
    if _CLASS.fullmatch(text):
        return f"reader:{text}"
    scheme, colon, rest = text.partition(":")
    if colon and rest.startswith("//"):
        near = get_close_matches(scheme.lower(), _SCHEMES, 1, 0.6)
        return f"{near[0]}:{rest}" if near else None
    if colon and (near := get_close_matches(scheme.lower(), ("slack", "reader"), 1, 0.6)):
        return f"{near[0]}:{rest}"
    return _neighbour(text) or (f"https://{text}" if _HOST.fullmatch(text) else None)


def _neighbour(text: str) -> str | None:
    """Return the folder beside where this one would be whose name is nearest to it."""
    try:
        path = Path(text).expanduser()
        names = [entry.name for entry in path.parent.iterdir() if entry.is_dir() and not entry.name.startswith(".")]
    except (OSError, ValueError, RuntimeError):
        return None
    near = get_close_matches(path.name, names, 1, 0.6)
    return str(path.parent / near[0]) if near else None


def called(place: Place) -> str:
    """Return the name of the place: the declared one, or what it is called where it stands."""
    if place.name:
        return place.name
    match place:
        case FolderPlace():
            found = place.folder.resolve().name
        case SitePlace():
            found = urlsplit(place.site).netloc.rpartition("@")[2].replace(":", "-")
        case GitPlace():
            found = re.split(r"[/:]", place.git.rstrip("/").removesuffix(".git"))[-1]
        case SlackPlace():
            found = "slack"
        case ReaderPlace():
            found = place.reader.rpartition(":")[2]
    return re.sub(r"[^\w .@+-]", "-", found).strip(" .-_") or "documents"
