"""What a message holds that is no text."""

from collections.abc import Mapping
from typing import Any

from telegram import Message
from telegram.constants import ChatType

# What Telegram itself tells by a message, to which nobody awaits a reply (core.telegram.org/bots/api#message).
NEWS = frozenset(
    """
    boost_added channel_chat_created chat_background_set chat_owner_changed chat_owner_left chat_shared
    checklist_tasks_added checklist_tasks_done connected_website delete_chat_photo direct_message_price_changed
    forum_topic_closed forum_topic_created forum_topic_edited forum_topic_reopened general_forum_topic_hidden
    general_forum_topic_unhidden gift gift_upgrade_sent giveaway_completed giveaway_created group_chat_created
    left_chat_member managed_bot_created message_auto_delete_timer_changed migrate_from_chat_id migrate_to_chat_id
    new_chat_members new_chat_photo new_chat_title paid_message_price_changed pinned_message poll_option_added
    poll_option_deleted proximity_alert_triggered refunded_payment successful_payment suggested_post_approval_failed
    suggested_post_approved suggested_post_declined suggested_post_paid suggested_post_refunded
    supergroup_chat_created unique_gift users_shared video_chat_ended video_chat_participants_invited
    video_chat_scheduled video_chat_started web_app_data write_access_allowed
    """.split()
)


def is_unread(message: Message) -> bool:
    """Return whether the message could ask something in a way that is not read, which its writer is told.

    So could whatever is no text and no news of Telegram's own, also of a kind that is newer than the library. A
    sticker, a moving picture or a die in a group is a nod to all, and gets as little of an answer as a thank-you.
    """
    if message.chat.type != ChatType.PRIVATE and (message.sticker or message.animation or message.dice):
        return False
    return not any(getattr(message, name) for name in NEWS)


# What tells who says a message where, what its words are, and that it is nothing of somebody's own.
_BASE = frozenset(
    """
    message_id date edit_date chat from sender_chat text entities caption caption_entities message_thread_id
    is_topic_message media_group_id forward_origin via_bot is_automatic_forward
    """.split()
)


def without_the_rest(raw: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return an update that cannot be read with its message's words alone; None where there is none to be told of.

    Servers older than the library leave out fields that it wants, as in polls, and newer ones change some.
    """
    kind = next((one for one in ("message", "edited_message") if isinstance(raw.get(one), Mapping)), None)
    if kind is None or not NEWS.isdisjoint(raw[kind]):
        return None
    return {"update_id": raw.get("update_id"), kind: {key: raw[kind][key] for key in _BASE if key in raw[kind]}}
