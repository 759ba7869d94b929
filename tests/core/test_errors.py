"""Errors say what failed and what to do."""

import inspect

import pytest

from core import errors
from core.errors import BotError, DeliveryError, IngestError, ModelError, ModelTimeout, PortError, SearchError


def test_a_bad_document_is_named_with_its_reason() -> None:
    """An ingest error reads as path and reason."""
    error = IngestError("отпуск.md", "is empty: write something into it")

    assert "отпуск.md: is empty: write something into it" == str(error)
    assert ("отпуск.md", "is empty: write something into it") == (error.path, error.reason)


@pytest.mark.parametrize(
    ("error", "text", "retry"),
    [
        (ModelError("over quota"), "model: over quota", False),
        (ModelTimeout("no reply", retry=True), "model: no reply", True),
        (SearchError("not built"), "search: not built", False),
        (errors.StorageError("locked"), "storage: locked", False),
        (DeliveryError("Slack is away", retry=True), "delivery: Slack is away", True),
    ],
)
def test_a_port_says_what_failed_and_whether_to_try_again(error: PortError, text: str, *, retry: bool) -> None:
    """A port error begins with its port; only a passing failure is tried again."""
    assert (text, retry) == (str(error), error.retry)


def test_every_error_is_in_the_tree_of_the_docstring() -> None:
    """The tree that a reader sees is the tree there is."""
    raised = {name for name, one in inspect.getmembers(errors, inspect.isclass) if issubclass(one, BotError)}

    assert raised == {word for word in (errors.__doc__ or "").split() if word in raised}
