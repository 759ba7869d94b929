"""What stays of the live index though it could not be read this time, when the new one cannot build upon it."""

from collections.abc import AsyncGenerator

from adapters.storage.catalog import SqlCatalog
from bot.index_sweep import Sweep
from bot.index_understood import under_rules, understood
from core.ingest.document import Document
from core.ingest.generation import Generation, KnownItem, ReadItem
from core.ingest.identity import still_same

_AT_ONCE = 100


async def kept(
    catalog: SqlCatalog, live: Generation, identity: str, sweep: Sweep
) -> AsyncGenerator[list[ReadItem], None]:
    """Yield the items of the live index that were unread, of sources that are the same now, a few at a time."""
    unread = still_same(live.make.source, identity, sweep.unread)
    if not unread:
        return
    items = await catalog.items(live.number)
    names = [n for n in items if sweep.stays(n, unread) and not sweep.was_given(n) and n not in sweep.known.items]
    of: dict[str, list[str]] = {}
    for holding in await catalog.holdings(live.number):
        of.setdefault(holding.item, []).append(holding.doc_id)
    for start in range(0, len(names), _AT_ONCE):
        some = names[start : start + _AT_ONCE]
        found = await catalog.documents(live.number, [id_ for name in some for id_ in of.get(name, ())])
        # The rules on who may read what may be others by now; what nobody may read any more goes.
        ruled = [one for one in (under_rules(one, sweep.rules.access) for one in found) if isinstance(one, Document)]
        documents = {document.id: understood(document) for document in ruled}
        read = [
            # Without a sign, so that it is read again as soon as it can be.
            ReadItem(
                KnownItem(name, "", items[name].digest),
                tuple(documents[id_] for id_ in of.get(name, ()) if id_ in documents),
            )
            for name in some
        ]
        sweep.take_over(read)
        yield read
