"""Two rules that keep an answer honest: who makes citations, and who may swallow a failure."""

import ast
from collections.abc import Iterator
from pathlib import Path

import core.errors
from core.errors import PortError

CORE = Path(core.errors.__file__).parent
PORT_ERRORS = {
    name for name, value in vars(core.errors).items() if isinstance(value, type) and issubclass(value, PortError)
}
# Whatever catches these catches PortError too.
WIDER = {"BotError", "Exception", "BaseException"}


def modules() -> dict[str, ast.Module]:
    """Return every module of the core by its path."""
    return {path.relative_to(CORE).as_posix(): ast.parse(path.read_text("utf-8")) for path in CORE.rglob("*.py")}


def makers_of(name: str) -> list[str]:
    """Return the modules that call the name, or make a changed copy of it under the name."""
    return sorted(
        path
        for path, tree in modules().items()
        if any(isinstance(node, ast.Call) and name == last_name(node.func) for node in ast.walk(tree))
    )


def handlers(tree: ast.Module) -> Iterator[str]:
    """Yield the name of each exception that the module handles and does not pass on; a bare handler handles all."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and not _passes_on(node):
            caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            yield from (last_name(one) if one else "BaseException" for one in caught)


def _passes_on(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def last_name(node: ast.AST) -> str:
    """Return the name that is called or caught, without the module before it."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def test_citations_are_made_by_verification_alone() -> None:
    """A citation is proof that its words stand in the document, so only who has looked may make one."""
    assert ["verify.py"] == makers_of("Citation")


def test_citations_are_not_subclassed_or_renamed() -> None:
    """There is no second way to a citation."""
    for path, tree in modules().items():
        for node in ast.walk(tree):
            bases = node.bases if isinstance(node, ast.ClassDef) else []
            aliases = [one for one in node.names if one.asname] if isinstance(node, ast.ImportFrom) else []
            assert "Citation" not in [last_name(base) for base in bases], path
            assert "Citation" not in [one.name for one in aliases], path


def test_failures_of_the_outside_are_met_in_the_pipeline_alone() -> None:
    """One place turns a failed port into a reply; the planner alone asks again when a plan is unreadable."""
    met = {(path, name) for path, tree in modules().items() for name in handlers(tree) if name in PORT_ERRORS | WIDER}

    assert {("pipeline.py", "PortError"), ("planner.py", "BadModelOutput")} == met
