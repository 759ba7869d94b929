"""What a source gives, gathered."""

from core.errors import IngestError
from core.ingest.source import Item, Source


async def gathered(source: Source) -> list[Item | IngestError]:
    """Return all that the source gives."""
    return [found async for found in source.items()]


async def items_of(source: Source) -> dict[str, Item]:
    """Return the items by name; there must be no error among what the source gives."""
    found = await gathered(source)
    assert [] == [str(error) for error in found if isinstance(error, IngestError)]
    return {item.name: item for item in found if isinstance(item, Item)}


async def errors_of(source: Source) -> dict[str, str]:
    """Return the reasons of all errors by their places."""
    return {error.path: error.reason for error in await gathered(source) if isinstance(error, IngestError)}
