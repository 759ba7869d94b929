"""The audit of the locked packages: a known fault fails it, and what could not be asked about is told."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

_SPEC = importlib.util.spec_from_file_location("audit", Path(__file__).parent.parent / ".ci" / "audit.py")
assert _SPEC
assert _SPEC.loader
audit = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(audit)

SOUND = {"name": "idna", "version": "3.11", "vulns": []}
FAULTY = {"name": "idna", "version": "3.6", "vulns": [{"id": "CVE-2024-3651", "fix_versions": ["3.7"], "aliases": []}]}
UNMENDED = {"name": "left", "version": "1", "vulns": [{"id": "CVE-2025-0001", "fix_versions": []}]}
UNASKED = {"name": "zipp", "skip_reason": "Dependency not found on PyPI and could not be audited: zipp (4.1.2)"}


NOT_ASKED = "packages could not be asked about: the public database did not answer, or does not know them."


@pytest.mark.parametrize(
    ("packages", "words", "faults"),
    [
        ([SOUND], "No known fault in 1 locked packages.", 0),
        ([SOUND, FAULTY], "idna 3.6: CVE-2024-3651, mended in 3.7", 1),
        ([UNMENDED], "left 1: CVE-2025-0001, mended in no version", 1),
        ([UNASKED], f"1 of 1 locked {NOT_ASKED}", 0),
        ([SOUND, UNASKED], f"No known fault in 1 locked packages.\n1 of 2 locked {NOT_ASKED}", 0),
    ],
)
def test_a_known_fault_fails_and_what_was_not_asked_is_told(
    packages: list[dict[str, Any]], words: str, faults: int
) -> None:
    """Nothing that could not be asked about is called sound."""
    assert (words, bool(faults)) == audit.told({"dependencies": packages})
