"""What a library calls trouble of the server, and is a setting that was forgotten."""

import pytest

from adapters.llm.failures import Link, explain
from core.errors import ModelRefused


class InternalServerError(Exception):
    status_code = 500


@pytest.mark.parametrize(
    "said",
    [
        "OpenAIException - Missing credentials. Please pass an `api_key`, or set the `OPENAI_API_KEY` variable.",
        "OpenAIException - The api_key client option must be set either by passing api_key to the client",
    ],
)
def test_a_key_that_is_not_there_is_asked_for(said: str) -> None:
    """By its variable; to ask once more would not help."""
    error = explain(InternalServerError(said), Link("answer", "a", "openai/gpt-4o-mini", "openai"), 30.0)

    assert isinstance(error, ModelRefused)
    assert error.retry is False
    assert "openai/gpt-4o-mini: there is no key for its provider: set OPENAI_API_KEY" in str(error)
