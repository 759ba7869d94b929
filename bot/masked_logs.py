"""Logs without personal data: whatever a line says, by us or a library, its addresses and numbers are blotted out."""

import logging

from core.masking import blotted


class Blotting(logging.Formatter):
    """Formats as another one does, and blots personal data out of the whole line, a traceback's too."""

    def __init__(self, formatter: logging.Formatter) -> None:
        super().__init__()
        self._formatter = formatter

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        return blotted(self._formatter.format(record))


def mask_logs() -> None:
    """Let nothing that is logged from now on hold personal data."""
    for handler in logging.getLogger().handlers:
        handler.setFormatter(Blotting(handler.formatter or logging.Formatter()))
