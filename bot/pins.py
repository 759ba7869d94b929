"""`footnote pins`: the answers that an admin has checked, and which of them have fallen."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.text import Text

from bot.settings import read_settings
from bot.wiring import Stores, opened, pins_of
from core.errors import ConfigError
from core.pin import Pin, cited_in, fault_of
from core.text import clean

_NONE = (
    "No answer has been checked yet. An admin (ADMINS) who presses 👍 under an answer keeps it: whoever asks the same "
    "and may read its sources gets it, until one of them changes."
)


async def pins_command(*, as_json: bool) -> None:
    """Print the checked answers; whether each stands is looked up in the live index. Raises BotError."""
    async with opened(read_settings()) as stores:
        pins = await looked_up(stores)
    if as_json:
        print(json.dumps([_as_data(pin) for pin in pins], ensure_ascii=False, indent=2))
        return
    console = Console()
    if not pins:
        console.print(_NONE, highlight=False, soft_wrap=True)
    for pin in pins:
        console.print(_told(pin), highlight=False, soft_wrap=True)
    if pins:
        console.print("\nForget one with: footnote pins remove NUMBER", style="dim", highlight=False)


async def remove_command(number: int) -> None:
    """Forget a checked answer. Raises BotError."""
    async with opened(read_settings()) as stores:
        if not await pins_of(stores.database).remove(number):
            raise ConfigError(f"there is no checked answer {number}: footnote pins lists them")
    print(f"Forgotten. The question of {number} is answered anew from now on.")


async def looked_up(stores: Stores) -> Sequence[Pin]:
    """Return all checked answers; those that the live documents do not hold any more have fallen by now."""
    store, live = pins_of(stores.database), await stores.catalog.live()
    known = await store.all()
    ids = sorted({id_ for pin in known if pin.fallen_at is None for id_ in cited_in(pin)})
    held = await stores.catalog.documents(live.number, ids) if live else ()
    documents = {document.id: document for document in held}
    return [await _checked(pin, store, documents) if live else pin for pin in known]


async def _checked(pin: Pin, store: Any, documents: Any) -> Pin:
    because = fault_of(pin, documents) if pin.fallen_at is None else None
    if because is None:
        return pin
    now = datetime.now(UTC)
    await store.fall(pin.number, because, now)
    return replace(pin, fallen_at=now, because=because)


def _told(pin: Pin) -> Text:
    told = Text(f"{pin.number:>3}  {clean(pin.words)}", style="bold")
    told.append(f"\n     {clean(pin.tenant)} · checked by {clean(pin.by)} on {pin.at:%Y-%m-%d}", style="not bold")
    if pin.fallen_at:
        told.append(f"\n     fallen on {pin.fallen_at:%Y-%m-%d}: {clean(pin.because or '')}", style="not bold red")
    return told


def _as_data(pin: Pin) -> dict[str, Any]:
    return {
        "number": pin.number,
        "workspace": pin.tenant,
        "question": pin.words,
        "answer": pin.result.get("answer"),
        "documents": cited_in(pin),
        "checked_by": pin.by,
        "checked_at": pin.at.isoformat(),
        "fallen_at": pin.fallen_at.isoformat() if pin.fallen_at else None,
        "because": pin.because,
    }
