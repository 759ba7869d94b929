"""Who somebody is on the command line: the groups that were named, with those that these belong to."""

import sys
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from bot.permissions import KNOWN
from bot.rules import remembered_by, rules_now
from bot.wiring import Stores, groups_of
from core.audience import Groups, folded
from core.ingest.document import Document

_ALIKE = 0.75


async def current_groups(stores: Stores) -> Groups:
    """Return the groups of the file that the live index was made by, and those that were imported.

    Raises ConfigError for a file with a mistake, and StorageError.
    """
    live = await stores.catalog.live()
    permissions = rules_now(remembered_by(live.make if live else None), Path())
    return permissions.groups.with_others(await groups_of(stores.database).members())


async def asked_as(named: frozenset[str], stores: Stores) -> frozenset[str]:
    """Return the groups that were named with all that these belong to; a name that is nobody's is remarked on.

    Raises as `current_groups`.
    """
    if not named:
        return named
    named = frozenset(map(folded, named))
    groups, live = await current_groups(stores), await stores.catalog.live()
    unknown = [name for name in sorted(named) if not is_somebody(name, groups)]
    if unknown and live:
        documents = await stores.catalog.documents(live.number)
        for name in unknown:
            if remark := nobodys(name, groups, documents):
                print(f"footnote: {remark}", file=sys.stderr)
    return groups.names(named)


def is_somebody(name: str, groups: Groups) -> bool:
    """Return whether the name is a person's or a place's, or of a group that has members or belongs to one."""
    return bool(KNOWN.fullmatch(name)) or name in groups.members or len(groups.names([name])) > 1


def nobodys(name: str, groups: Groups, documents: Iterable[Document]) -> str | None:
    """Return in words that nobody goes by the name, and which one may be meant; None when it is known."""
    known = {*groups.members, *(one for document in documents for one in document.readers)}
    if is_somebody(name, groups) or name in known:
        return None
    near = get_close_matches(name, sorted(known), 1, _ALIKE)
    meant = f": did you mean {near[0]!r}?" if near else ", and no page is for one of that name"
    return f"there is no group {name!r}{meant}"
