"""The last look before something is shown: a channel may have been shared while its answer was made."""

from dataclasses import replace

from adapters.slack.calls import Barred, Busy, Trouble, Unknown, Unsent
from adapters.slack.doors import Doors
from adapters.slack.parts import parts_of
from adapters.slack.refusals import Refusal
from core.delivery import FIRST, Body, Later, Outcome, Outgoing, Refused
from core.phrases import phrase
from core.render import say
from core.text import language_of

_SOON, _BARRED_SECONDS = 1.0, 60.0
# Nobody reads there, and to post there says what is wrong.
_GONE = "channel_not_found"


async def kept_from_outsiders(doors: Doors, message: Outgoing) -> Outgoing | Outcome:
    """Return the message as it may be shown, or what becomes of it instead. Never raises, except when cancelled.

    Where outsiders read by now, a sentence stands in place of the answer and nothing in place of its evidence. Until it
    is known whether they do, nothing is shown.
    """
    if message.body is None or doors.porter.lets_all_in:
        return message
    shared = await doors.channels.is_shared(message.asked.place.rpartition(":")[2])
    if isinstance(shared, bool):
        return _instead(message, message.body) if shared else message
    return message if isinstance(shared, Refusal) and shared.code == _GONE else _later(shared)


def _instead(message: Outgoing, body: Body) -> Outgoing | Outcome:
    if message.part != FIRST:
        reason = "the channel is shared with another organisation, and SLACK_EXTERNAL does not allow it"
        return Refused(reason, withheld=True)
    language = language_of(str(body["text"]))
    [said, *_] = parts_of(say(phrase("outside_now", language), language))
    return replace(message, body=said.body)


def _later(trouble: Trouble) -> Later:
    match trouble:
        case Busy(seconds):
            return Later(seconds, "Slack asks for a pause")
        case Unsent(reason):
            return Later(_SOON, reason, whole_place=True)
        case Unknown(reason):
            return Later(_SOON, reason)
        case Refusal(_, reason) | Barred(reason):
            return Later(_BARRED_SECONDS, f"whether outsiders read there is not known: {reason}")
