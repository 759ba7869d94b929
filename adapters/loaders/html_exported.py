"""What exports of Google Docs, Confluence and Notion say by their classes, as elements that say it by themselves."""

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

# @import and the like, and @media with the rules in it, that hold somewhere else.
_ELSEWHERE: Final = re.compile(r"@[^{};]{0,300}(?:;|\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})")
_RULE: Final = re.compile(r"([^{}]{1,2000})\{([^{}]*)\}")
_CLASS: Final = re.compile(r"\s*(?:\w+)?\.([\w-]+)\s*")
# What is hidden by a class may be shown by a script, as tabs are; what is struck out or raised stays so.
_SAID: Final = re.compile(
    r"text-decoration[\w-]*\s*:[^;]*line-through|vertical-align\s*:\s*(?:super|text-top)", re.IGNORECASE
)
_TICKED, _EMPTY = "\u2611 ", "\u2610 "


def settle_exports(soup: "BeautifulSoup") -> None:
    """Write into the elements what classes say of struck-out and raised words, titles, ticks and remarks."""
    _write_classes(soup)
    _drop_remarks(soup)
    _tick(soup)
    # Google Docs has its own style for the title, and Confluence puts the name of the space before it.
    for title in soup.select("body.doc-content > p.title"):
        title.name = "h1"
    for title in soup.select("h1#title-heading #title-text"):
        title.string = title.get_text().partition(" : ")[2].strip() or title.get_text()


def _write_classes(soup: "BeautifulSoup") -> None:
    said: dict[str, str] = {}
    for style in soup.find_all("style"):
        for selectors, declared in _RULE.findall(_ELSEWHERE.sub("", style.get_text())):
            if found := _SAID.search(declared):
                names = filter(None, map(_CLASS.fullmatch, selectors.split(",")))
                said.update((name[1], found[0]) for name in names)
    for tag in soup.find_all(class_=True) if said else ():
        stated = [said[name] for name in tag.get_attribute_list("class") if name in said]
        if stated:
            tag["style"] = "; ".join([*filter(None, [str(tag.get("style", ""))]), *stated])


def _drop_remarks(soup: "BeautifulSoup") -> None:
    """Leave out what people remarked on a document of Google's: it stands under it, and is none of it."""
    for mark in soup.select('a[id^="cmnt"][href^="#cmnt_ref"]'):
        home = mark.find_parent("div") or mark.find_parent("p")
        (home or mark).extract()


def _tick(soup: "BeautifulSoup") -> None:
    """Write the boxes of lists of tasks as signs, ticked or empty."""
    for item in soup.select("li[data-inline-task-id]"):
        item.insert(0, _TICKED if "checked" in item.get_attribute_list("class") else _EMPTY)
    for box in soup.select("li div.checkbox"):
        _write(box, ticked="checkbox-on" in box.get_attribute_list("class"))
    for box in soup.select('li > input[type="checkbox"], li > p > input[type="checkbox"], li > label > input'):
        _write(box, ticked=box.has_attr("checked"))


def _write(box: "Tag", *, ticked: bool) -> None:
    box.replace_with(_TICKED if ticked else _EMPTY)
