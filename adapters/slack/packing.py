"""Messages within Slack's ceilings: what stays together, what fits, and the text that goes with it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from adapters.slack.rich_text import Json, merged, size, words
from adapters.slack.splitting import pieces

# docs.slack.dev/reference/block-kit/blocks: blocks in one message.
MESSAGE_BLOCKS = 50
# Not documented: 13,172 rendered characters passed and 13,297 did not (bolt-js#2509); 11,341 with headers did not
# (bolt-js#2867). Beyond it Slack answers msg_blocks_too_long.
MESSAGE_CHARS = 10_000
# docs.slack.dev/reference/methods/chat.update: 4,000, counted in bytes (vercel/chat#901); else msg_too_long.
TEXT_BYTES = 3_900
# One table in a message (vercel/chat#194, openclaw#57717); else invalid_attachments.
MESSAGE_TABLES = 1

_MORE = "…"
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


@dataclass(frozen=True, slots=True)
class Unit:
    """What stays together in one message: parts of rich text, or one whole block of another kind.

    Neighbouring units of one group share a rich text block. `told` is the unit as plain text.
    """

    group: int
    parts: tuple[Json, ...]
    told: str

    @property
    def is_table(self) -> bool:
        """Whether it is a table."""
        return bool(self.parts[0]["type"] == "table")


@dataclass(frozen=True, slots=True)
class SlackMessage:
    """One message: its blocks, and all of it once more as plain text."""

    blocks: tuple[Json, ...]
    told: str

    @property
    def notification(self) -> str:
        """The beginning of it, for notifications, screen readers and search; mentions in it are dead."""
        # No more than this can become the beginning and show that there is more.
        beginning = SlackMessage((), self.told.strip()[: 2 * TEXT_BYTES])
        texts = beginning.texts(TEXT_BYTES - len(_MORE.encode()))
        return texts[0] + (_MORE if len(texts) > 1 else "")

    @property
    def plain(self) -> str:
        """All of it as one text; mentions in it are dead."""
        return escaped(self.told)

    def texts(self, limit: int = TEXT_BYTES) -> list[str]:
        """Return all of it as texts that chat.update takes; mentions in them are dead."""
        return [escaped(piece) for piece in pieces(self.told, limit, _cost) if piece.strip()]


def unit(group: int, *parts: Json) -> Unit:
    """Return the parts of rich text as one unit."""
    return Unit(group, parts, "\n".join(words(part).removesuffix("\n") for part in parts))


def pack(units: Iterable[Unit], buttons: Sequence[Unit] = ()) -> tuple[SlackMessage, ...]:
    """Return the units in as few messages as their order and Slack's ceilings allow, with buttons under the last."""
    batches: list[list[Unit]] = []
    for each in units:
        if batches and _fits([*batches[-1], each]):
            batches[-1].append(each)
        else:
            batches.append([each])
    if buttons:
        _put_under(batches, buttons)
    return tuple(_message(batch) for batch in batches)


def escaped(text: str) -> str:
    """Return the text so that Slack shows it as it is, in a field where it would read markup."""
    return "".join(_ESCAPES.get(char, char) for char in text)


def _cost(char: str) -> int:
    """Return the bytes of the character as UTF-8, escaped."""
    if char in _ESCAPES:
        return len(_ESCAPES[char])
    return 1 + (char > "\x7f") + (char > "\u07ff") + (char > "\uffff")


def _fits(batch: Sequence[Unit]) -> bool:
    return (
        sum(size(each.parts) for each in batch) <= MESSAGE_CHARS
        and len({each.group for each in batch}) <= MESSAGE_BLOCKS
        and sum(each.is_table for each in batch) <= MESSAGE_TABLES
    )


def _put_under(batches: list[list[Unit]], buttons: Sequence[Unit]) -> None:
    """Put the buttons under the last unit, which takes a message of its own with them where the last one is full.

    Their few words fit beyond the ceiling, which leaves room for them; more blocks may not.
    """
    if not batches:
        batches.append([])
    last = batches[-1]
    if len({each.group for each in last}) + len(buttons) > MESSAGE_BLOCKS:
        batches.append([last.pop()])
    batches[-1].extend(buttons)


def _message(batch: Sequence[Unit]) -> SlackMessage:
    groups = [list(group) for _, group in groupby(batch, key=lambda each: each.group)]
    return SlackMessage(tuple(_block(group) for group in groups), "\n".join(each.told for each in batch if each.told))


def _block(group: Sequence[Unit]) -> Json:
    parts = [part for each in group for part in each.parts]
    if parts[0]["type"].startswith("rich_text_"):
        return {"type": "rich_text", "elements": merged(parts)}
    return parts[0]
