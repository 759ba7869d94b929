"""Slack's markup as Markdown that reads the same."""

import re

# docs.slack.dev/messaging/formatting-message-text: code first, in which nothing else is marked.
MARKED = re.compile(r"```(?P<block>.+?)```|`(?P<code>[^`\n]+)`|<(?P<tag>[^<>\n]+)>", re.DOTALL)
_STYLED = re.compile(
    r"(?<![\w*])\*(?P<bold>[^\s*](?:[^*\n]{0,1000}[^\s*])?)\*(?![\w*])"
    r"|(?<![\w~])~(?P<struck>[^\s~](?:[^~\n]{0,1000}[^\s~])?)~(?![\w~])"
    r"|(?P<special>[\\`*~\[\]<#|])|(?P<rule>^[-=+]{2,}(?=[ \t]*$))",
    re.MULTILINE,
)
_ROUND = re.compile(r"^[•◦▪] ?", re.MULTILINE)


def plain(text: str) -> str:
    """Return the text with Slack's escapes undone."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def literal(text: str) -> str:
    """Return words that Markdown shows as they are."""
    return re.sub(r"([\\`*_~\[\]<>#|])", r"\\\1", plain(text))


def styled(text: str) -> str:
    """Return running text with Slack's bold and struck words as in Markdown, and all else as it was typed."""
    return _ROUND.sub("- ", _STYLED.sub(_style, plain(text)))


def _style(match: re.Match[str]) -> str:
    if match["bold"]:
        return f"**{literal(match['bold'])}**"
    if match["struck"]:
        return f"~~{literal(match['struck'])}~~"
    return f"\\{match[0]}"
