"""A third language in a file of its own: German, of which every sentence is the English one behind a mark."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import core.phrases
from core.text import language_of

MARK = "⟦de⟧"
FILE = f"""
from core.phrases import en
from core.tongue import Tongue

TONGUE = Tongue(
    "German",
    words={{"wer", "wie", "was", "wo", "der", "die", "das", "und", "ist", "nicht", "ein", "viele", "für"}},
    thousands=".",
    decimal=",",
    dollars="{{number}} US-$",
)
PHRASES = {{name: "{MARK} " + text for name, text in en.PHRASES.items() if name != "list_all"}}
"""


@contextmanager
def speaking_german(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put the file where the other languages are found, and read them as the start does."""
    (folder / "de.py").write_text(FILE, "utf-8")
    monkeypatch.setattr(core.phrases, "__path__", [*core.phrases.__path__, str(folder)])
    monkeypatch.setitem(core.phrases.TONGUES, "de", core.phrases.read_files()["de"])
    language_of.cache_clear()
    try:
        yield
    finally:
        del sys.modules["core.phrases.de"], core.phrases.de  # type: ignore[attr-defined]
        language_of.cache_clear()
