"""A strict local stand-in for Slack, for tests that drive the bot through its real clients."""

from tests.platforms.slack.deliveries import Delivery, Patience
from tests.platforms.slack.models import Call, Channel, Message, Status, User
from tests.platforms.slack.reading import Mention, live_links, live_mentions, read_mrkdwn, visible_text
from tests.platforms.slack.stand_in import SlackStandIn

__all__ = [
    "Call",
    "Channel",
    "Delivery",
    "Mention",
    "Message",
    "Patience",
    "SlackStandIn",
    "Status",
    "User",
    "live_links",
    "live_mentions",
    "read_mrkdwn",
    "visible_text",
]
