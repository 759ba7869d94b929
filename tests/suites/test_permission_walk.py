"""Outsider, guest, member and the admin of another workspace try to read the confidential page; one may."""

from pathlib import Path

import pytest

from tests.corpora import Company, shown, sources
from tests.suites.permission_walk import WALKERS, table, walked
from tests.suites.test_permissions import PAGE, SECRETS

pytestmark = pytest.mark.asyncio(loop_scope="session")
DOCS = Path(__file__).parents[2] / "docs" / "permissions.md"


async def test_the_page_is_shown_to_who_may_read_it_and_to_nobody_else(handbook: Company, tmp_path: Path) -> None:
    """Anna alone gets the figure and the reason, in both languages; the documentation shows this very walk."""
    seen = await walked(handbook, tmp_path)
    mine = [one for one in seen if one.walker is WALKERS[0]]
    others = [one for one in seen if one.walker is not WALKERS[0]]

    assert 2 == len(mine)
    assert all("0.74" in shown(one.record) and PAGE in sources(one.record) and one.may_know_why for one in mine)
    for one in others:
        read = {fact.source.doc_id for fact in one.record.payload.facts}
        assert PAGE not in {*sources(one.record), *read}, one.walker.who
        assert not [secret for secret in SECRETS if secret in shown(one.record)], one.walker.who
        assert one.may_know_why == (one.walker.person == WALKERS[0].person), one.walker.who
    assert table(seen[: len(WALKERS)]) in DOCS.read_text("utf-8")
