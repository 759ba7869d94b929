"""What the tests of this folder share."""

from collections.abc import Iterator
from functools import cache

import httpx
import pytest


@pytest.fixture(autouse=True, scope="session")
def _one_list_of_authorities() -> Iterator[None]:
    """Read the list of certificate authorities once: it takes a tenth of a second, and nothing here speaks TLS."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("httpx._transports.default.create_ssl_context", cache(httpx.create_ssl_context))
        yield
