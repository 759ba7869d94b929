"""Web addresses: one spelling of each, and which of them are of one site."""

from yarl import URL

from adapters.sources.resolving import may_be_visited
from core.errors import ConfigError
from core.ingest.formats import READ, suffix_of

# Names of pages that a program makes end in these.
_MADE = frozenset((".php", ".asp", ".aspx", ".jsp", ".cgi", ".shtml", ".do", ".jspx", ".phtml"))
# What pages are decorated with, and programs to be installed; nobody reads it, so it is not asked for.
_UNREAD = frozenset(
    f".{suffix}"
    for suffix in (
        "png jpg jpeg gif svg webp ico bmp tif tiff heic avif mp3 wav ogg flac mp4 mov webm avi mkv css js mjs map "
        "woff woff2 ttf otf eot gz tgz bz2 xz rar 7z tar exe msi dmg deb rpm apk iso jar whl bin rss atom"
    ).split()
)


def start_of(text: str) -> URL:
    """Return the address that a person gave. Raises ConfigError when it is not one of a web page."""
    try:
        address = URL(text.strip())
    except ValueError as error:
        raise ConfigError(f"the address {text.strip()!r} is not one of a web page: {error}") from error
    if address.scheme not in ("http", "https") or not address.host:
        shown = address.with_user(None) if address.host else address
        raise ConfigError(f"the address {str(shown)!r} is not one of a web page: write it as https://host/path")
    if not may_be_visited(address.host):
        raise ConfigError(
            f"nothing is read from {address.host}: it is where a machine tells about itself, its keys perhaps; "
            "give the address of a web site"
        )
    return address.with_fragment(None)


def without_login(address: URL) -> URL:
    """Return the address without the name and password in it."""
    return address.with_user(None)


def joined(base: URL, text: str) -> URL | None:
    """Return where a link on the page at `base` leads, in its one spelling; None when that is no web page."""
    try:
        address = base.join(URL("".join(text.split("\n")).strip()))
        if address.scheme not in ("http", "https") or not address.host:
            return None
        return address.with_user(None).with_fragment(None)
    except ValueError:
        return None


def is_of(site: URL, address: URL) -> bool:
    """Return whether the address has the scheme, the host and the port of the site."""
    return (address.scheme, address.host, address.port) == (site.scheme, site.host, site.port)


def may_be_read(address: URL) -> bool:
    """Return whether what stands there may be a page or a document, by its name."""
    suffix = suffix_of(address.path)
    return suffix in READ or suffix in _MADE or suffix not in _UNREAD


def same_page(one: URL, other: URL) -> bool:
    """Return whether two addresses name one page: http and https, and a slash at the end, make no difference."""
    return _bare(one) == _bare(other)


def _bare(address: URL) -> tuple[str | None, int | None, str, str]:
    port = None if address.is_default_port() else address.port
    return address.host, port, address.raw_path.rstrip("/"), address.raw_query_string
