"""What a workspace gave the app, as it is stored."""

from datetime import UTC, datetime

import pytest

from adapters.slack.grants import Grant, grant_of
from core.errors import ConfigError
from core.installing import Installed

GRANT = Grant("T1", "U0BOT", "B0BOT", ("chat:write",), "xoxb-secret", "xoxe-secret", 1_900_000_000, "U1ANNA")


def stored(tenant: str, secrets: dict[str, object]) -> Installed:
    """Return it as it stands in the row of a workspace."""
    return Installed("slack", tenant, "Northwind", secrets, 1, datetime(2026, 3, 2, tzinfo=UTC))


def test_a_grant_comes_back_as_it_was() -> None:
    """Also one of before its workspace was sealed with it."""
    older = {name: value for name, value in GRANT.secrets().items() if name != "team"}

    assert GRANT == grant_of(stored("T1", GRANT.secrets()))
    assert GRANT == grant_of(stored("T1", older))


def test_a_grant_opens_no_other_workspace() -> None:
    """Whoever can write the database, and open nothing, lays the token of one workspace under another in vain."""
    with pytest.raises(ConfigError, match="T2 belongs to another one"):
        grant_of(stored("T2", GRANT.secrets()))
