"""A person's own words, out of the markup in which Slack passes messages on."""

import re

# docs.slack.dev/messaging/formatting-message-text: everything special stands in <…>; & < > of the user are escaped.
_TAG = re.compile(r"<([^<>]+)>")
_OTHERS = re.compile(r"<(?:@(?P<user>[^<>|]+)(?:\|[^<>]*)?|!(?:subteam\^|here|channel|everyone)[^<>]*)>")


def mentions(text: str, user: str) -> bool:
    """Return whether the message mentions this user."""
    return any(match["user"] == user for match in _OTHERS.finditer(text))


def calls_others(text: str, user: str) -> bool:
    """Return whether the message mentions somebody, a group or everyone here, but not this user."""
    return _OTHERS.search(text) is not None and not mentions(text, user)


def words_of(text: str, bot: str) -> str:
    """Return the words as their author sees them: without mentions of the bot, tags as their labels, no escapes."""
    return _unescaped(_TAG.sub(_label, _without_mentions(text, bot))).strip()


def _without_mentions(text: str, bot: str) -> str:
    mention = rf"<@{re.escape(bot)}(?:\|[^<>]*)?>"
    bare = re.sub(rf"(`{{1,3}})\s*{mention}\s*\1", "", text)
    # Looking back keeps a long row of blanks from being tried from each of its places.
    bare = re.sub(rf"(?<![ \t])[ \t]*{mention}[,:]?", "", bare)
    return re.sub(r"^(?:&gt;)+[ \t]*$", "", bare, flags=re.MULTILINE) if bare != text else text


def _label(tag: re.Match[str]) -> str:
    target, _, label = tag[1].partition("|")
    if target.startswith("!date^"):
        return label
    match target[:1]:
        case "@" | "#" as sign:
            return sign + (label or target[1:])
        case "!":
            return "@" + (label.removeprefix("@") or target[1:].removeprefix("subteam^"))
        case _:
            return label or target.removeprefix("mailto:")


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
