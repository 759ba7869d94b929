"""A strict local stand-in for the Telegram Bot API."""

from .model import Chat, Entity, Message, Quote, User, entity_texts, utf16_slice, visible_text
from .server import Call
from .standin import TelegramStandIn

__all__ = [
    "Call",
    "Chat",
    "Entity",
    "Message",
    "Quote",
    "TelegramStandIn",
    "User",
    "entity_texts",
    "utf16_slice",
    "visible_text",
]
