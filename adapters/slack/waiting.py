"""Messages that wait because so much was said lately: in their channel, or changed in their workspace."""

from adapters.slack.addresses import reader_of
from adapters.slack.pace import Pace
from adapters.slack.send import channel_of
from adapters.slack.tell import workspace_of
from core.delivery import Later, Outgoing


def is_new(message: Outgoing) -> bool:
    """Return whether the message is said for the first time, and not changed or removed."""
    return message.shown is None and message.body is not None


def too_soon(pace: Pace, message: Outgoing) -> Later | None:
    """Return until when the message has to wait, as far as this copy knows."""
    if is_new(message):
        return None if reader_of(message.asked.message) else _after_others(pace.wait_to_post(channel_of(message)))
    wait = 0.0 if message.body is None else pace.wait_to_change(workspace_of(message))
    return Later(wait, "fifty changes a minute in a workspace", expected=True) if wait else None


async def booked(pace: Pace, message: Outgoing) -> Later | None:
    """Count a new message with what all copies post in its channel; return until when it has to wait if it does."""
    if reader_of(message.asked.message):
        return None
    return _after_others(await pace.book(channel_of(message)))


def _after_others(wait: float) -> Later | None:
    """Return that a post waits for those before it, as it would for whichever copy makes it."""
    return Later(wait, "one message a second in a channel", whole_place=True, expected=True) if wait else None
