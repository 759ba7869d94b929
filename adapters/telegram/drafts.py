"""What a person does to the draft of an answer, in updates that are newer than the library."""

from telegram import Update

from adapters.telegram.happenings import Halted
from core.conversation import MessageRef

# Bot API 10.3, core.telegram.org/bots/api#messagegenerationstopped.
HALTED = "stopped_message_generation"


def halted_by(update: Update) -> Halted | None:
    """Return which answer a person stops, if they do. Raises on what no Telegram would send.

    Drafts are in private chats alone, and have the number of what asked.
    """
    stopped = update.api_kwargs.get(HALTED)
    if stopped is None:
        return None
    chat, number = stopped["chat"]["id"], stopped["draft_id"]
    if type(chat) is not int or type(number) is not int or chat <= 0:
        raise TypeError("a draft has the number of its private chat, and one of its own")
    return Halted(MessageRef("telegram", str(chat), str(number)))
