"""A person's own words, out of the markup in which Slack passes messages on."""

import re
from functools import partial

from core.phrases import phrase
from core.text import Language, language_of

# docs.slack.dev/messaging/formatting-message-text: everything special stands in <…>; & < > of the user are escaped.
_TAG = re.compile(r"<([^<>]+)>")
_OTHERS = re.compile(r"<(?:@(?P<user>[^<>|]+)(?:\|[^<>]*)?|!(?:subteam\^|here|channel|everyone)[^<>]*)>")
# What stands in code, and what is quoted: a line, or with three signs all the rest.
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
_QUOTED = re.compile(r"^(?:&gt;){3}.*\Z|^&gt;[^\n]*", re.DOTALL | re.MULTILINE)


def mentions(text: str, user: str) -> bool:
    """Return whether the message's own words mention this user: code and quotes call nobody."""
    return any(match["user"] == user for match in _OTHERS.finditer(_own(text)))


def calls_others(text: str, user: str) -> bool:
    """Return whether the message's own words mention somebody, a group or everyone here, but not this user."""
    return _OTHERS.search(_own(text)) is not None and not mentions(text, user)


def _own(text: str) -> str:
    return _QUOTED.sub("", _CODE.sub("", text))


def words_of(text: str, bot: str) -> str:
    """Return the words as their author sees them: without mentions of the bot, tags as their labels, no escapes.

    What Slack calls by a mere number reads as what it is, as in "@colleague": nobody types or reads such numbers.
    """
    bare = _without_mentions(text, bot)
    return _unescaped(_TAG.sub(partial(_label, language=language_of(_TAG.sub(" ", bare))), bare)).strip()


def _without_mentions(text: str, bot: str) -> str:
    mention = rf"<@{re.escape(bot)}(?:\|[^<>]*)?>"
    bare = re.sub(rf"(`{{1,3}})\s*{mention}\s*\1", "", text)
    # Looking back keeps a long row of blanks from being tried from each of its places.
    bare = re.sub(rf"(?<![ \t])[ \t]*{mention}[,:]?", "", bare)
    return re.sub(r"^(?:&gt;)+[ \t]*$", "", bare, flags=re.MULTILINE) if bare != text else text


def _label(tag: re.Match[str], language: Language) -> str:
    target, _, label = tag[1].partition("|")
    if target.startswith("!date^"):
        return label
    match target[:1]:
        case "@" | "#" as sign:
            return sign + (label or phrase("some_person" if sign == "@" else "some_channel", language))
        case "!" if target.startswith("!subteam^"):
            return "@" + (label.removeprefix("@") or phrase("some_group", language))
        case "!":
            return "@" + (label.removeprefix("@") or target[1:])
        case _:
            return label or target.removeprefix("mailto:")


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
