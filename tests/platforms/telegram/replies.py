"""Where a message goes inside its chat: the message it answers, the topic it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import Refusal, bad_request
from .model import GENERAL_TOPIC, Chat, Message, Quote
from .params import Params
from .richtext import read_rich
from .store import World
from .tdlib import find_quote

MAX_QUOTE = 1024


@dataclass(frozen=True)
class Place:
    """The position of a new message."""

    reply_to: int | None = None
    quote: Quote | None = None
    thread_id: int | None = None
    topic: bool = False


def read_place(world: World, chat: Chat, params: Params) -> Place:
    """Return where a send of the bot lands, or refuse as the server does."""
    topic = _read_topic(chat, params)
    options = _reply_options(params)
    target = _find_target(world, chat, options)
    quote = _read_quote(world, target, options) if target else None
    return place_in(chat, target, topic, quote)


def place_in(chat: Chat, target: Message | None, topic: int | None, quote: Quote | None) -> Place:
    """Return the position of a message that answers `target`.

    In a forum a reply joins the topic of its target. In a plain supergroup `message_thread_id`
    is the first message of the reply chain, as on the platform.
    """
    if chat.is_forum:
        inherited = target.thread_id if target else None
        thread = topic or inherited
        return Place(_id(target), quote, thread, topic=thread is not None)
    thread = (target.thread_id or target.message_id) if target else None
    return Place(_id(target), quote, thread if chat.kind == "supergroup" else None)


def _id(message: Message | None) -> int | None:
    return message.message_id if message else None


def _read_topic(chat: Chat, params: Params) -> int | None:
    thread = params.integer("message_thread_id")
    if not thread:
        return None
    if thread == GENERAL_TOPIC or thread not in chat.topics:
        raise bad_request("message thread not found")
    return thread


def _reply_options(params: Params) -> dict[str, object]:
    options = params.structure("reply_parameters", "reply parameters")
    if options is None:
        legacy = params.integer("reply_to_message_id")
        lenient = params.flag("allow_sending_without_reply")
        return {"message_id": legacy, "allow_sending_without_reply": lenient}
    if not isinstance(options, dict):
        raise bad_request("Object expected as reply parameters")
    return options


def _find_target(world: World, chat: Chat, options: dict[str, object]) -> Message | None:
    wanted = options.get("message_id")
    if not isinstance(wanted, int) or wanted <= 0:
        return None
    elsewhere = options.get("chat_id")
    if elsewhere is not None and str(elsewhere) != str(chat.id):
        raise Refusal(501, "Not Implemented: the stand-in keeps replies inside one chat")
    found = world.find(chat, wanted)
    if found is None and not options.get("allow_sending_without_reply"):
        raise bad_request("message to be replied not found")
    return found


def _read_quote(world: World, target: Message, options: dict[str, object]) -> Quote | None:
    raw = str(options.get("quote") or "")
    if not raw:
        return None
    mode = str(options.get("quote_parse_mode") or "")
    quote = read_rich(raw, mode, options.get("quote_entities"), world.warnings.append)
    near = options.get("quote_position")
    position = find_quote(target.body, quote, near if isinstance(near, int) else 0)
    if position is None or len(quote.text) > MAX_QUOTE:
        raise bad_request("QUOTE_TEXT_INVALID")
    return Quote(quote.text, position)
