"""In which language somebody is spoken to: that of their Telegram, of their words, or in which they asked before."""

from telegram import User

from core.conversation import MessageRef
from core.phrases import DEFAULT, language_chosen
from core.running import Intake
from core.text import Language, language_of


def told_by(person: User | None, words: str | None) -> Language:
    """Return the language of the person's own Telegram, or where that is English, as it is by default, of the words."""
    return language_chosen(person.language_code if person else None) or language_of(words or "")


async def spoken(message: MessageRef, asker: str, told: Language, intake: Intake) -> Language:
    """Return the language for a reply to a message whose own words hardly tell it (`told`).

    In a private chat their Telegram comes first. In a group, where everybody reads it, what they have asked there does,
    and after their Telegram what others have. Raises PortError.
    """
    place, is_direct = ("telegram", message.place), not message.place.startswith("-")
    if is_direct and told != DEFAULT:
        return told
    if (theirs := await intake.language_in(place, asker)) or is_direct or told != DEFAULT:
        return theirs or told
    return await intake.language_in(place) or told
