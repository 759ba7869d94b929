"""A reply that comes piece by piece: heard while it grows, and whole at the end."""

import logging
from collections.abc import AsyncIterable
from typing import Any

from adapters.llm.replies import begun
from core.errors import whereabouts
from core.ports import Hear

log = logging.getLogger(__name__)

# With the last piece comes what the reply has cost (platform.openai.com/docs/api-reference/chat/create).
STREAMED = {"stream": True, "stream_options": {"include_usage": True}}


class NoStream(Exception):
    """There came no piece of a reply: who was asked takes the request, and knows nothing of streams."""


async def whole(litellm: Any, pieces: AsyncIterable[Any], messages: Any, hear: Hear) -> Any:
    """Return the response as if it had come at once, after `hear` has heard its JSON object grow. Raises NoStream."""
    listener, text, kept = _Listener(hear), "", []
    async for piece in pieces:
        kept.append(piece)
        if more := _words(piece):
            text += more
            listener.tell(begun(text))
    if not text:
        raise NoStream
    return litellm.stream_chunk_builder(kept, messages=messages)


def _words(piece: Any) -> str:
    choices = getattr(piece, "choices", None)
    return (choices[0].delta.content or "") if choices else ""


class _Listener:
    """Passes on what is written, until that fails: a defect there is no reason to lose a reply that is paid for."""

    def __init__(self, hear: Hear) -> None:
        self._hear: Hear | None = hear

    def tell(self, text: str) -> None:
        if self._hear is None or not text:
            return
        try:
            self._hear(text)
        except Exception as error:  # noqa: BLE001 - whatever it is, the reply goes on
            log.warning("What a model writes is not told any more, by a defect: %s", whereabouts(error))
            self._hear = None
