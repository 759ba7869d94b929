"""Who is behind an update, as far as it matters for letting them in."""

from adapters.telegram.events import Asked, Commanded, Edited, Forwarded, Hinted, Opened, Overheard, Pressed
from core.access import Visitor
from core.conversation import MessageRef
from core.feedback import Reaction
from core.phrases import DEFAULT
from core.text import Language, language_of

Said = Asked | Forwarded | Overheard | Edited | Commanded | Hinted | Opened
ByAPerson = Said | Pressed | Reaction


def visitor_of(event: ByAPerson) -> Visitor:
    """Return who does this and where. Only what was said to us is aloud; an edit was before."""
    place = event.message.place if isinstance(event, Pressed | Reaction) else said_in(event)[0].place
    # A private chat has the number of its person, groups have numbers below zero.
    is_direct = not place.startswith("-")
    aloud = not isinstance(event, Overheard | Edited | Reaction)
    return Visitor("telegram", place, place if is_direct else "", is_direct, _language(event), aloud)


def said_in(event: Said) -> tuple[MessageRef, str | None]:
    """Return the message in which somebody said it, and its topic."""
    if isinstance(event, Forwarded | Overheard | Edited):
        return event.asked.ref, event.asked.root
    return event.ref, event.root


def _language(event: ByAPerson) -> Language:
    match event:
        case Commanded():
            return event.command.language
        case Pressed() | Hinted() | Opened():
            return event.language
        case Reaction():
            return DEFAULT
        case Asked():
            return language_of(event.text)
        case _:
            return language_of(event.asked.text)
