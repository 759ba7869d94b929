"""What people are called, beside their numbers, in what is told of them."""

import asyncio
import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from telegram import Bot
from telegram.error import TelegramError

from adapters.telegram.failures import UNREADABLE, in_words
from core.reply import Bullets, Line, Node, Paragraph, RenderedReply, Table, Tasks, Text
from core.text import clean

log = logging.getLogger(__name__)

# A list is not kept waiting for names, and a name fills no line of a phone.
PATIENCE = 3.0
LONGEST = 40
_PERSON = re.compile(r"telegram:([1-9][0-9]{0,19})")


async def with_names(reply: RenderedReply, bot: Bot) -> RenderedReply:
    """Return the reply with a name before each person's number; whom the bot has never met stays a number."""
    numbers = sorted({number for node in reply.nodes for line in _lines(node) for number in _people(line)})
    found = await asyncio.gather(*(_name(number, bot) for number in numbers))
    names = {number: name for number, name in zip(numbers, found, strict=True) if name}
    return replace(reply, nodes=tuple(_named(node, names) for node in reply.nodes)) if names else reply


async def _name(number: str, bot: Bot) -> str:
    try:
        async with asyncio.timeout(PATIENCE):
            chat = await bot.get_chat(int(number))
    except (TelegramError, TimeoutError, *UNREADABLE) as error:
        log.info("Telegram: a person's name was not found: %s", in_words(error, bot))
        return ""
    name = " ".join(clean(chat.full_name or "").split())
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _lines(node: Node) -> Iterator[Line]:
    match node:
        case Paragraph(line):
            yield line
        case Bullets(items, heading):
            yield from items
            yield heading or ()
        case Table(rows=rows):
            yield from (cell for row in rows for cell in row)
        case Tasks():
            return


def _people(line: Line) -> Iterator[str]:
    found = (_PERSON.fullmatch(part.about) for part in line if isinstance(part, Text))
    yield from (one[1] for one in found if one)


def _named(node: Node, names: Mapping[str, str]) -> Node:
    match node:
        case Paragraph(line):
            return Paragraph(_with(line, names))
        case Bullets(items, heading):
            return Bullets(tuple(_with(item, names) for item in items), heading and _with(heading, names))
        case Table(header, rows):
            return Table(header, tuple(tuple(_with(cell, names) for cell in row) for row in rows))
        case Tasks():
            return node


def _with(line: Line, names: Mapping[str, str]) -> Line:
    """Return the line with names before the numbers; a name is words like any others."""
    told = []
    for part in line:
        found = _PERSON.fullmatch(part.about) if isinstance(part, Text) else None
        name = names.get(found[1]) if found else None
        told.append(replace(part, text=f"{name} ({found[1]})") if found and name and isinstance(part, Text) else part)
    return tuple(told)
