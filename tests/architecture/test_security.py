"""The threat model says nothing that no test shows; and the lock holds what it says it holds."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECURITY = (ROOT / "docs" / "security.md").read_text("utf-8")
_NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
_ROW = re.compile(r"^\| (?!Attack|---)(.+) \|$", re.MULTILINE)


def names_in(path: Path) -> set[str]:
    """Return the names of the tests in a file."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, functions)}


def test_each_test_that_is_named_exists() -> None:
    """A guard whose test was renamed or removed is a guard that nobody looks after."""
    named = _NAMED.findall(SECURITY)
    missing = [f"{path}::{name}" for path, name in named if name not in names_in(ROOT / path)]

    assert [] == missing


def test_each_attack_names_a_test() -> None:
    """What no test shows belongs under "Not guarded"."""
    rows = _ROW.findall(SECURITY)

    assert len(rows) > 30
    assert [] == [row for row in rows if not _NAMED.search(row)]


def test_every_locked_package_is_pinned_with_hashes() -> None:
    """What is installed is what was looked at, to the byte; nothing comes from an address or a branch."""
    lock = (ROOT / "requirements.lock").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in lock.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    loose = [line.split(";")[0].strip() for line in lines if "==" not in line or "--hash=sha256:" not in line]

    assert lines
    assert [] == loose
