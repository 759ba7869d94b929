"""With `MASK_PERSONAL=logs` no line of the log holds personal data, whoever writes it."""

import logging
from io import StringIO

import pytest

from bot.masked_logs import mask_logs
from tests.bot.engine import Bench


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> StringIO:
    """Return what is logged, masked."""
    written = StringIO()
    monkeypatch.setattr(logging.getLogger(), "handlers", [logging.StreamHandler(written)])
    mask_logs()
    return written


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("mail anna@northwind.example", "mail ⟨EMAIL⟩"),
        ("позвоните +7 495 123-45-67", "позвоните ⟨PHONE⟩"),
    ],
)
def test_no_line_holds_personal_data(lines: StringIO, said: str, shown: str) -> None:
    """Neither what is said nor what went wrong."""
    logging.getLogger("some.library").error("of %s", said, exc_info=ValueError(said))

    assert f"of {shown}" in lines.getvalue()
    assert f"ValueError: {shown}" in lines.getvalue()
    assert said not in lines.getvalue()


async def test_nor_does_what_the_engine_says(bench: Bench, lines: StringIO, capfd: pytest.CaptureFixture[str]) -> None:
    """It would write by itself, past the log."""
    async with bench.engine():
        logging.getLogger("dbos").error("lost: anna@northwind.example")

    assert "lost: ⟨EMAIL⟩" in lines.getvalue()
    assert "anna@" not in capfd.readouterr().err
