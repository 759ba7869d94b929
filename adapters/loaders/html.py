"""Web pages: the content without the furniture around it."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from adapters.loaders.closing import check_said
from adapters.loaders.decoding import decode
from adapters.loaders.front_matter import Meta, meta_of, split
from adapters.loaders.html_exported import settle_exports
from adapters.loaders.html_raised import write_marks
from adapters.loaders.html_tables import name_columns, straighten
from adapters.loaders.reading import Reading
from core.errors import IngestError
from core.ingest.markdown import pieces_of
from core.ingest.pieces import one_line

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

# Each element of a page takes about a kilobyte while it is read, and a millisecond.
MARKS_LIMIT: Final = 200_000
# Real pages reach 60 levels. For each element what stands above it is looked through, three calls deep for each level.
DEPTH_LIMIT: Final = 200
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([A-Za-z0-9_-]{1,40})", re.IGNORECASE)
_DECLARATION = re.compile(r"<\?xml[^>]{0,500}>")
_FURNITURE = (
    "nav, footer, script, style, template, noscript, svg, iframe, button, select, textarea, datalist, [hidden], "
    "[role=navigation], [role=dialog], [role=alertdialog], [aria-hidden=true]"
)
# No longer what the page says.
_STRUCK = "s, del, strike"
_UNSEEN_BY_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|text-decoration[\w-]*\s*:[^;]*line-through", re.IGNORECASE
)
# Asks before it lets one read, and has what one presses to be let in.
_ASKS_FIRST = re.compile(r"cookie|consent|gdpr", re.IGNORECASE)
_PRESSED = "button, input, [role=button]"
# Begin a line of their own, as a browser shows them; the writer of Markdown knows no more than div.
_BLOCKS = ("aside", "address", "figure", "fieldset", "legend", "summary", "details", "center", "hgroup", "form")
_MENUS = ("nav", "navbar", "navigation", "breadcrumb", "breadcrumbs", "footer")
# These hold links, or what a canteen cooks.
_MOST_MENUS: Final = 50
_PERHAPS_MENUS = ("menu", "sidebar", "toc", "toc-macro")
_FOOTNOTE_MARKS = 'sup:has(> a[href^="#footnote"]), a[href^="#footnote-ref"]'
# Written for browsers and search engines, not for readers.
_TECHNICAL = re.compile(
    r".*[:.].*|viewport|generator|robots|description|keywords|referrer|color_scheme|theme_color|format_detection"
    r"|application_name|(?:apple|google|msapplication|twitter|csrf|yandex|msvalidate)_?.*",
)


def read_html(data: bytes, path: str) -> Reading:
    """Return a web page as a reader sees it; its title and its meta fields count as front matter, as does what is."""
    charset = _CHARSET.search(data[:4_096])
    meta, html = split(decode(data, path, charset[1].decode() if charset else None), path)
    reading = reading_of(html, path)
    return Reading(reading.pieces, {**reading.meta, **meta})


def reading_of(html: str, path: str, *, infers_names: bool = False) -> Reading:
    """Return the pieces and fields of HTML. Menus, forms, scripts and what is hidden or struck out are left out.

    `infers_names`: the first row of a table may name its columns where nothing says so, as in what Word writes.
    """
    if html.count("<") > MARKS_LIMIT:
        raise IngestError(path, f"has more than {MARKS_LIMIT:,} tags: split it")
    from bs4 import BeautifulSoup
    from markdownify import MarkdownConverter

    converter = MarkdownConverter(heading_style="ATX", bullets="-", escape_misc=True)
    # Without a tag, or with the declaration of XML, the parser takes the text for something else and warns. Python's
    # own takes time that grows with the square of what is left open: minutes for 100 kB of `<a href=`.
    soup = BeautifulSoup("<!-- -->" + _DECLARATION.sub("", html), "lxml")
    _check_depth(soup, path)
    settle_exports(soup)
    meta = _meta(soup, path)
    _strip(soup)
    write_marks(soup)
    straighten(soup, path)
    # Google Docs, as Word, has no cells for the names of columns.
    if infers_names or soup.select_one("body.doc-content"):
        name_columns(soup)
    markdown = converter.convert_soup(soup.find("main") or soup.body or soup)
    return Reading(pieces_of(markdown), meta)


def _check_depth(soup: "BeautifulSoup", path: str) -> None:
    """Raise IngestError when the elements are nested without end."""
    depths = {id(soup): 0}
    for node in soup.descendants:
        depths[id(node)] = depth = depths[id(node.parent)] + 1
        if depth > DEPTH_LIMIT:
            raise IngestError(path, "its elements are nested too deeply: save it again as a simpler page")


def _meta(soup: "BeautifulSoup", path: str) -> Meta:
    said = {str(tag.get("name")): tag.get("content") for tag in soup.find_all("meta") if tag.get("name")}
    check_said(said, path, "meta: ")
    named = meta_of(said)
    fields = {key: value for key, value in named.items() if not _TECHNICAL.fullmatch(key)}
    title = one_line(soup.title.get_text()) if soup.title else ""
    first = soup.find("h1")
    shown = one_line(first.get_text(" ")) if first else ""
    best = shown if shown and shown.casefold() in title.casefold() else title
    return {**({"title": best} if best else {}), **fields}


def _strip(soup: "BeautifulSoup") -> None:
    for tag in _unread(soup):
        tag.decompose()
    for header in soup.find_all("header"):
        # That of an article is its beginning; that of the page is its furniture around the title.
        if header.find_parent(("article", "section", "main")):
            header.name = "div"
        else:
            header.replace_with(*[heading.extract() for heading in header.find_all("h1")])
    for block in soup.find_all(_BLOCKS):
        block.name = "div"
    _lists_of_terms(soup)


def _unread(soup: "BeautifulSoup") -> list["Tag"]:
    """Return the furniture, what is hidden and what is struck out; some of it may stand in other of it."""
    return [
        *soup.select(f"head, {_FURNITURE}, {_STRUCK}, {_FOOTNOTE_MARKS}, {_named(_MENUS)}"),
        *soup.find_all(style=_UNSEEN_BY_STYLE),
        *_asking_first(soup),
        *filter(_is_mostly_links, soup.select(_named(_PERHAPS_MENUS), limit=_MOST_MENUS)),
    ]


def _named(names: tuple[str, ...]) -> str:
    return ", ".join(f"#{name}, .{name}" for name in names)


def _asking_first(soup: "BeautifulSoup") -> Iterator["Tag"]:
    """Yield what asks for consent; the page itself, which may be about biscuits, has a title."""
    pressed, titled = (_holding(soup.select(what)) for what in (_PRESSED, "h1, main, article"))
    for tag in soup.select("[class], [id]"):
        names = " ".join([str(tag.get("class", "")), str(tag.get("id", ""))])
        if _ASKS_FIRST.search(names) and id(tag) in pressed and id(tag) not in titled:
            yield tag


def _holding(tags: "Iterable[Tag]") -> set[int]:
    """Return the elements that hold one of the tags, each looked at once however deep they are."""
    holding = set[int]()
    for tag in tags:
        for above in tag.parents:
            if id(above) in holding:
                break
            holding.add(id(above))
    return holding


def _is_mostly_links(tag: "Tag") -> bool:
    led = sum(len(one_line(link.get_text())) for link in tag.find_all("a"))
    return 2 * led >= len(one_line(tag.get_text()))


def _lists_of_terms(soup: "BeautifulSoup") -> None:
    """Turn every `<dl>` into a list whose items read "term: description"."""
    for terms in soup.find_all("dl"):
        terms.name = "ul"
        for term in terms.find_all("dt"):
            description = term.find_next_sibling(["dd", "dt"])
            term.name = "li"
            if description is not None and description.name == "dd":
                term.append(": ")
                term.extend(list(description.contents))
                description.decompose()
        for rest in terms.find_all("dd"):
            rest.name = "li"
