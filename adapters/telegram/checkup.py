"""A look at the bot from Telegram's side: each thing that can be wrong, what follows from it, and the fix."""

from collections.abc import AsyncIterator, Sequence

from telegram import Bot, User, WebhookInfo
from telegram.error import BadRequest, Forbidden, TelegramError

from adapters.telegram.client import TelegramSettings, connected
from adapters.telegram.failures import UNREADABLE, in_words
from adapters.telegram.polling import STOP_UPDATES, updates_for
from core.checkup import Check
from core.errors import BotError

# More waiting than this is no longer a busy minute.
MANY_PENDING = 100
# Groups that are looked at; each takes a call or two.
MOST_GROUPS = 50


async def checkup(settings: TelegramSettings, groups: Sequence[str]) -> list[Check]:
    """Return what Telegram says of the bot; `groups` are the numbers of those it has been asked in. Never raises."""
    try:
        async with connected(settings) as (bot, _):
            return [each async for each in _looked(bot, settings, groups)]
    except BotError as error:
        return [Check("problem", "token", str(error), "nobody is answered on Telegram", "see the words before")]


async def _looked(bot: Bot, settings: TelegramSettings, groups: Sequence[str]) -> AsyncIterator[Check]:
    me = bot.bot
    yield Check("ok", "token", f"it is @{me.username}'s, and Telegram accepts it")
    yield privacy(me)
    yield inline(me, wanted=settings.inline)
    yield guest(me, wanted=settings.guest)
    for look in (_commands, _webhook):
        try:
            for check in await look(bot, settings):
                yield check
        except (TelegramError, *UNREADABLE) as error:
            yield Check("problem", look.__name__.strip("_"), in_words(error, bot), "it cannot be told", "try again")
    for group in groups[:MOST_GROUPS]:
        yield await _group(bot, me, group)
    if len(groups) > MOST_GROUPS:
        yield Check("note", "groups", f"the first {MOST_GROUPS} of {len(groups)} were looked at")


def privacy(me: User) -> Check:
    """Return whether the bot hears all that is said in groups."""
    if me.can_read_all_group_messages:
        return Check(
            "ok", "privacy mode", "off: the bot hears all that is said in its groups, and answers what is meant"
        )
    return Check(
        "note",
        "privacy mode",
        "on: in groups Telegram passes on commands and replies to the bot alone, and no mention",
        "/ask and replies work there; “@bot, where …?” is never heard, nor are the modes gate and all",
        "write /setprivacy to @BotFather, choose Disable, then remove the bot from each group and add it again; or "
        "make it an administrator there",
    )


def inline(me: User, *, wanted: bool) -> Check:
    """Return whether inline mode is set alike here and at BotFather."""
    offered = bool(me.supports_inline_queries)
    if offered == wanted:
        return Check("ok", "inline mode", "on, here and at @BotFather" if wanted else "off")
    if wanted:
        fix = "write /setinline to @BotFather and give it any placeholder, or set TELEGRAM_INLINE=false"
        return Check("problem", "inline mode", "on here, off at @BotFather", "Telegram never asks the bot", fix)
    fix = "set TELEGRAM_INLINE=true, or write /setinline to @BotFather and choose Turn off"
    return Check("problem", "inline mode", "off here, on at @BotFather", "people wait for an answer in vain", fix)


def guest(me: User, *, wanted: bool) -> Check:
    """Return whether guest mode is set alike here and at BotFather."""
    if bool(me.supports_guest_queries) == wanted:
        return Check("ok", "guest mode", "on, here and at @BotFather" if wanted else "off")
    if wanted:
        fix = "open the bot's settings at @BotFather (/mybots) and turn guest mode on, or set TELEGRAM_GUEST=false"
        return Check("problem", "guest mode", "on here, off at @BotFather", "Telegram never asks the bot", fix)
    fix = "set TELEGRAM_GUEST=true, or open the bot's settings at @BotFather (/mybots) and turn guest mode off"
    return Check("problem", "guest mode", "off here, on at @BotFather", "people wait for an answer in vain", fix)


def webhook(info: WebhookInfo, settings: TelegramSettings) -> list[Check]:
    """Return whether updates come the way that the settings say."""
    if bool(info.url) is not bool(settings.webhook_url):
        fix = "start footnote run with these settings: it sets or removes the webhook by itself"
        found = "set at Telegram, but polling is set here" if info.url else "set here, but not at Telegram"
        return [Check("note", "webhook", found, "messages wait until footnote run starts", fix)]
    if info.url and info.url != settings.webhook_url:
        fix = "start footnote run, or find out who else uses the token: /revoke at @BotFather gives a new one"
        return [Check("problem", "webhook", "another address is set at Telegram", "messages go there", fix)]
    checks = [Check("ok", "webhook", info.url or "none: the bot polls")]
    if info.last_error_message and info.last_error_date:
        found = f"Telegram's last call failed at {info.last_error_date:%Y-%m-%d %H:%M} UTC: {info.last_error_message}"
        fix = "look whether the address reaches TELEGRAM_WEBHOOK_PORT and the certificate is valid"
        checks.append(Check("problem", "webhook", found[:300], "messages come late, and after a day never", fix))
    if info.pending_update_count > MANY_PENDING:
        found = f"{info.pending_update_count} updates wait"
        checks.append(Check("problem", "waiting", found, "answers come late", "look at the log of footnote run"))
    # An older server does not know of stops, and starting again would change nothing.
    wanted = set(updates_for(settings)) - set(STOP_UPDATES)
    missing = wanted - set(info.allowed_updates or ()) if info.url else set()
    if missing:
        found = f"Telegram keeps back {', '.join(sorted(missing))}"
        checks.append(Check("problem", "kinds of updates", found, "these are not heard", "start footnote run again"))
    return checks


async def _webhook(bot: Bot, settings: TelegramSettings) -> list[Check]:
    return webhook(await bot.get_webhook_info(), settings)


async def _commands(bot: Bot, settings: TelegramSettings) -> list[Check]:
    del settings
    found = await bot.get_my_commands()
    if found:
        return [Check("ok", "commands", ", ".join(f"/{one.command}" for one in found))]
    fix = "start footnote run: it sets them each time"
    return [Check("note", "commands", "none are set", "people do not see /ask in Telegram's menu", fix)]


async def _group(bot: Bot, me: User, group: str) -> Check:
    """Return whether the bot may speak in the group, and hears what is said there."""
    subject = f"group {group}"
    try:
        member = await bot.get_chat_member(int(group), me.id)
        rights = (await bot.get_chat(int(group))).permissions if member.status in ("member", "restricted") else None
    except (TelegramError, *UNREADABLE) as error:
        gone = isinstance(error, BadRequest | Forbidden)
        follows = ("nobody is answered there", "add the bot again") if gone else ("it cannot be told", "try again")
        return Check("problem", subject, in_words(error, bot), *follows)
    if member.status in ("left", "kicked"):
        return Check("problem", subject, "the bot is not in it any more", "nobody is answered there", "add it again")
    if member.status == "restricted" and not getattr(member, "can_send_messages", True):
        fix = "let an administrator of the group lift the restriction"
        return Check("problem", subject, "the bot may not write there", "answers are lost", fix)
    if rights and not rights.can_send_messages:
        # They hold for bots, too, unless they are administrators (td, DialogParticipantStatus::apply_restrictions).
        fix = "make the bot an administrator of the group, or let its members send messages (Permissions)"
        return Check("problem", subject, "members may not write there, nor may the bot", "answers are lost", fix)
    if member.status == "administrator" or me.can_read_all_group_messages:
        return Check("ok", subject, f"{member.status}, hears everything")
    return Check("ok", subject, f"{member.status}, hears commands and replies to it")
