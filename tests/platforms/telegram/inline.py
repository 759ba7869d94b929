"""Inline mode: what a person types after the bot's name, and the results that the bot offers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .errors import QUERY_TOO_OLD, bad_request
from .model import Json
from .params import Params
from .richtext import read_text
from .shapes import user_json
from .store import World, now
from .tdlib import find_entities

MAX_RESULTS = 50
MAX_ID_BYTES = 64
MAX_QUERY = 256
# A chat that the bot is not in.
ELSEWHERE = -100_900

_START = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Offered:
    """The results of one inline query, as people see them."""

    titles: tuple[str, ...]
    texts: tuple[str, ...]
    cache_time: int
    is_personal: bool


def ask(world: World, user_id: int, text: str) -> str:
    """Return the id of a person's inline query, which the bot gets if it asked for these."""
    if len(text) > MAX_QUERY:
        raise ValueError("nobody can type as much")
    query = world.new_callback(user_id, text)
    content = {"id": query.id, "from": user_json(world.users[user_id]), "query": text, "offset": ""}
    world.updates.add("inline_query", content | {"chat_type": "sender"})
    return query.id


def call_guest(world: World, user_id: int, text: str) -> str:
    """Return the id of the guest query of a mention in a chat that the bot is not in."""
    query = world.new_callback(user_id, text)
    found = [{"type": each.type, "offset": each.offset, "length": each.length} for each in find_entities(text)]
    chat = {"id": ELSEWHERE, "type": "supergroup", "title": "Elsewhere"}
    content: Json = {"message_id": 1, "date": now(), "chat": chat, "from": user_json(world.users[user_id])}
    world.updates.add("guest_message", content | {"text": text, "entities": found, "guest_query_id": query.id})
    return query.id


async def answer_guest_query(world: World, params: Params) -> Json:
    """Post the one message that a guest may; it is an article with a text that any chat would take."""
    query = world.callbacks.get(params.text("guest_query_id"))
    if query is None or query.answer is not None:
        raise bad_request(QUERY_TOO_OLD)
    result = params.structure("result", "inline query result")
    if not isinstance(result, dict):
        raise bad_request("Can't parse inline query result: expected an Object")
    _check_ids([result])
    query.answer = {"title": _title(result), "text": _text(world, result)}
    world.changes.announce()
    return {"inline_message_id": f"guest-{query.id}"}


async def answer_inline_query(world: World, params: Params) -> bool:
    """Offer results, once; each is an article with a text that any chat would take."""
    query = world.callbacks.get(params.text("inline_query_id"))
    if query is None or query.answer is not None:
        raise bad_request(QUERY_TOO_OLD)
    results = params.structure("results", "inline query results")
    if not isinstance(results, list):
        raise bad_request("Can't parse inline query results: expected an Array")
    if len(results) > MAX_RESULTS:
        raise bad_request("RESULTS_TOO_MUCH")
    _check_ids(results)
    _check_button(params)
    offered = Offered(
        tuple(_title(each) for each in results),
        tuple(_text(world, each) for each in results),
        params.integer("cache_time", 300),
        params.flag("is_personal"),
    )
    query.answer = {"offered": offered}
    world.changes.announce()
    return True


def _check_ids(results: list[Json]) -> None:
    ids = [str(each.get("id") or "") for each in results]
    if any(not 1 <= len(name.encode()) <= MAX_ID_BYTES for name in ids):
        raise bad_request("RESULT_ID_INVALID")
    if len(set(ids)) != len(ids):
        raise bad_request("RESULT_ID_DUPLICATE")


def _check_button(params: Params) -> None:
    button = params.structure("button", "InlineQueryResultsButton")
    if button is None:
        return
    if not isinstance(button, dict) or not button.get("text"):
        raise bad_request("Can't parse inline query results button: text is empty")
    if not _START.fullmatch(str(button.get("start_parameter") or "")):
        raise bad_request("START_PARAM_INVALID")


def _title(result: Json) -> str:
    if result.get("type") != "article":
        raise bad_request("the stand-in knows articles only")
    title = str(result.get("title") or "")
    if not title.strip():
        raise bad_request("ARTICLE_TITLE_EMPTY")
    return title


def _text(world: World, result: Json) -> str:
    content = result.get("input_message_content")
    if not isinstance(content, dict):
        raise bad_request("Can't parse inline query result: expected input_message_content")
    read = {"text": content.get("message_text"), "entities": content.get("entities")}
    return read_text(Params(read), world.warnings.append).text
