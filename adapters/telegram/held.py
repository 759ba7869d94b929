"""What a message holds that is no text."""

from telegram import Message
from telegram.constants import ChatType


def is_unread(message: Message) -> bool:
    """Return whether the message could ask something in a way that is not read, which its writer is told.

    A sticker, a moving picture or a die in a group is a nod to all, and gets as little of an answer as a thank-you.
    """
    if message.chat.type != ChatType.PRIVATE and (message.sticker or message.animation or message.dice):
        return False
    # Rich messages (Bot API 10.1) are newer than the library.
    return bool(message.effective_attachment or message.checklist or "rich_message" in message.api_kwargs)
