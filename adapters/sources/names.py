"""Names of items: paths that are the same in every run, with the suffix of their format, fit to be shown."""

from hashlib import sha256
from pathlib import PurePosixPath
from unicodedata import category
from urllib.parse import quote

from yarl import URL

from adapters.sources.formats import same_format
from core.ingest.formats import suffix_of

LONGEST = 180
_MARK = 8
# No character of a word, and not one that means something in a path or an address.
_QUERY = "~"


def page_name(address: URL, suffix: str) -> str:
    """Return the name of what stands at the address: its path, its query and the suffix of its format.

    Escapes of UTF-8 are undone: `/%D0%B4%D0%BE%D0%BC?p=2` is named `дом~p=2.html`.
    """
    parts = [part for part in address.raw_path.split("/") if part]
    path = "/".join(_part(part) for part in parts)
    if not parts or address.raw_path.endswith("/"):
        path = f"{path}/index" if path else "index"
    own = suffix_of(path)
    ending = path[-len(own) :] if own and same_format(own, suffix) else suffix
    stem = path.removesuffix(ending)
    query = _QUERY + fit(address.query_string).replace("/", "%2F") if address.raw_query_string else ""
    return shortened(f"{stem}{query}{ending}")


def _part(raw: str) -> str:
    # A slash that was escaped stays so: it is a part of this name and not the end of it.
    decoded = "%2F".join(URL(f"/{piece}", encoded=True).path[1:] for piece in raw.replace("%2f", "%2F").split("%2F"))
    return decoded.replace(".", "%2E") if decoded in (".", "..") else fit(decoded)


def fit(text: str) -> str:
    """Return the text with what cannot be shown, or parts folders elsewhere, escaped."""
    return "".join(
        quote(char, safe="", errors="replace") if category(char) in ("Cc", "Cs") or char == "\\" else char
        for char in text
    )


def shortened(name: str) -> str:
    """Return the name, cut when it is too long, and then marked by what it was cut from."""
    if len(name) <= LONGEST:
        return name
    return marked(f"{name[: LONGEST - _MARK - 10]}{suffix_of(name)[:10]}", name)


def marked(name: str, origin: str) -> str:
    """Return the name with a mark that only this origin has, before the suffix."""
    mark = sha256(origin.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]
    ending = PurePosixPath(name).suffix
    return f"{name.removesuffix(ending)}-{mark}{ending}"
