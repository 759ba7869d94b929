"""Where a database in a file lives."""

from pathlib import Path

import pytest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a database that nobody has made yet."""
    return tmp_path / "data" / "footnote.db"
