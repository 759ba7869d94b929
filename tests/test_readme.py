"""The documents keep their word: README's commands run, and what they name exists."""

import html
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from annotated_types import Ge, Gt, Le
from dotenv import dotenv_values
from pydantic import AliasChoices, SecretStr
from pydantic.fields import FieldInfo
from typer.core import TyperGroup

from adapters.loaders import formats
from adapters.loaders.front_matter import split
from bot.cli import app
from bot.settings import Settings
from core.ingest.domain import read_domain
from tests.bot.terminal import awake_footnote

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
# README with the pages that go on where it ends: what is shown there is run and checked alike.
MANUAL = "\n".join(
    (README, *((ROOT / "docs" / name).read_text("utf-8") for name in ("documents.md", "operating.md", "commands.md")))
)
ENV_EXAMPLE = (ROOT / ".env.example").read_text("utf-8")
DOCUMENTS = sorted((ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")))
MANIFEST = ROOT / "docs" / "slack-manifest.yaml"
PICTURE = ROOT / "docs" / "reply.svg"

# Not run, each for its reason; that what they name exists is checked instead.
NOT_RUN = {
    "make": "prepares an environment or runs these very tests",
    ".": "enters the environment that make prepares; here it is the one that runs the tests",
    "python3 -m venv": "makes an environment on a server",
    ".venv/bin/pip install": "installs packages, from the network",
    "footnote run": "serves until stopped, and needs a token",
    "footnote evaluate answers": "measures for half a minute and more",
    "python -m benchmarks.faults": "plays for minutes",
    "python -m benchmarks.load": "measures for minutes",
    "python -m benchmarks.threads": "measures for half a minute and more",
}
# The part of the example handbook that the commands are about: to index all of it takes longer than everything else.
PART = ("domain.yaml", "policies/annual-leave.md", "policies/annual-leave-2023.md", "policies/salary-bands.md")

_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^()\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_MENTIONED = re.compile(r"`footnote ([^`]+)`")
_OPTION = re.compile(r"`(--?\w[-\w]*)(?: [A-Z]+)?`")


@dataclass(frozen=True)
class Ran:
    line: str
    status: int
    output: str
    errors: str


def blocks(language: str) -> Iterator[str]:
    for _, named, body in _BLOCK.findall(MANUAL):
        if named == language:
            yield body


def command_lines() -> list[str]:
    lines = (line.strip() for block in blocks("sh") for line in block.splitlines())
    return list(dict.fromkeys(filter(None, lines)))


def exception_of(line: str) -> str | None:
    return next((start for start in NOT_RUN if line == start or line.startswith(f"{start} ")), None)


def variable_of(name: str, field: FieldInfo) -> str:
    alias = field.validation_alias
    return str(alias.choices[0]) if isinstance(alias, AliasChoices) else name.upper()


def settings() -> dict[str, FieldInfo]:
    return {variable_of(name, field): field for name, field in Settings.model_fields.items()}


def subcommands() -> dict[str, set[str]]:
    """Return the subcommands, each with its options; a group has those of all its own."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    return {name: options_of(command) for name, command in group.commands.items()}


def options_of(command: Any) -> set[str]:
    """Return the options of a command and of those below it."""
    own = {"--help"}.union(*(parameter.opts for parameter in command.params))
    below = command.commands.values() if isinstance(command, TyperGroup) else ()
    return own.union(*map(options_of, below))


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> list[Ran]:
    """Give what each runnable command of README did, run one after the other as a reader would.

    The first two of ours are run as they are installed; the others need not load everything again.
    """
    place = tmp_path_factory.mktemp("checkout")
    for part in PART:
        target = place / "examples" / "handbook" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "examples" / "handbook" / part, target)
    shutil.copy(ROOT / ".env.example", place)
    lines = [line for line in command_lines() if exception_of(line) is None]
    as_installed = [line for line in lines if line.startswith("footnote ")][:2]
    return [run(line, place, as_installed=line in as_installed) for line in lines]


def run(line: str, place: Path, *, as_installed: bool) -> Ran:
    names = settings()
    environment = {name: value for name, value in os.environ.items() if name not in names} | {
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "FOOTNOTE_DATA_DIR": str(place / "data"),
        "COLUMNS": "400",
    }
    program, *arguments = shlex.split(line)
    found = shutil.which(program, path=environment["PATH"])
    assert found, f"{program} of {line!r} is not installed"
    is_ours = program == "footnote" and not as_installed
    done = subprocess.run(  # noqa: S603 - README's own commands
        [*(awake_footnote() if is_ours else (found,)), *arguments],
        cwd=place,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return Ran(line, done.returncode, done.stdout, done.stderr)


def test_commands_succeed(ran: list[Ran]) -> None:
    """A reader who types the commands of README in their order meets no error."""
    assert [] == [one for one in ran if one.status != 0]
    assert {"index", "ask", "chat", "doctor"} <= {one.line.split()[1] for one in ran}


def test_first_answer_is_the_one_in_the_picture(ran: list[Ran]) -> None:
    """The picture shows the question that README asks first, and words that it is really answered with."""
    first = next(one for one in ran if one.line.startswith("footnote ask "))
    drawn = " ".join(
        html.unescape(" ".join(re.findall(r"<text[^>]*>(.*?)</text>", PICTURE.read_text("utf-8")))).split()
    )

    assert shlex.split(first.line)[-1] in drawn
    for words in ("At most 5 days may be carried into the next year", "Annual leave policy", "updated 2025-01-06"):
        assert words in first.output
        assert words in drawn


def test_json_is_a_whole_result(ran: list[Ran]) -> None:
    """The command that README shows for JSON prints the result and nothing else."""
    result = json.loads(next(one.output for one in ran if "--json" in one.line))

    assert {"answer", "citations", "plan", "facts", "timings_ms"} <= result.keys()
    assert not result["is_refusal"]


def test_group_opens_what_is_closed_to_others(ran: list[Ran]) -> None:
    """README's example for groups is answered from a document that only the group may read."""
    answer = next(one.output for one in ran if "--group" in one.line)

    assert "Salary bands 2025" in answer


def test_exceptions_are_used_and_name_what_exists() -> None:
    """What is not run has a reason, and its target exists: a make target, a file, a subcommand, a module."""
    left_out = {line: start for line in command_lines() if (start := exception_of(line))}
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))

    assert set(NOT_RUN) == set(left_out.values())
    for line, start in left_out.items():
        words = shlex.split(line)
        match start:
            case "make":
                assert set(words[1:]) <= targets
            case "footnote run":
                assert "run" in subcommands()
            case "footnote evaluate answers":
                assert "evaluate" in subcommands()
                assert all((ROOT / path).exists() for path in (words[3], words[5]))
            case ".venv/bin/pip install":
                assert all((ROOT / word).exists() for word in words[2:] if not word.startswith("-"))
            case _:
                assert ".venv" in (ROOT / "Makefile").read_text("utf-8")


def test_only_known_subcommands_and_options_are_named() -> None:
    """The manual names no subcommand and no option that the command line does not have."""
    known = subcommands()
    every = set[str]().union(*known.values())
    named = [*_MENTIONED.findall(MANUAL), *(line[9:] for line in command_lines() if line.startswith("footnote "))]
    for words in map(shlex.split, named):
        assert words[0] in (*known, "--help"), f"footnote {words[0]} is unknown"
        assert {word for word in words if word.startswith("-")} <= known.get(words[0], every)

    assert set(known) <= {words.split()[0] for words in named}
    assert set(_OPTION.findall(MANUAL)) <= every


def test_env_example_has_every_setting_and_no_other() -> None:
    """Every variable that is read stands in `.env.example`, empty, and every one that stands there is read."""
    named = dotenv_values(ROOT / ".env.example")

    assert sorted(settings()) == sorted(re.findall(r"^([A-Z_]+)=", ENV_EXAMPLE, re.MULTILINE))
    assert set(settings()) == set(named)
    assert [] == [name for name, value in named.items() if value]


@pytest.mark.parametrize("name", sorted(settings()))
def test_env_example_tells_purpose_default_and_range(name: str) -> None:
    """The line above a setting says what it is for, and the default and the range that the code has."""
    field = settings()[name]
    said = re.search(rf"^# (.+)\n{name}=$", ENV_EXAMPLE, re.MULTILINE)
    assert said, f"{name} has no line above it"

    if isinstance(field.default, (bool, int, float, str)):
        is_number = isinstance(field.default, (int, float)) and not isinstance(field.default, bool)
        shown = f"{field.default:g}" if is_number else {False: "false"}.get(field.default, field.default)
        assert f"Default: {shown}." in said[1]
    if bounds := range_of(field):
        assert f"Range: {bounds}." in said[1]
    if field.annotation == SecretStr | None:
        assert said[1].endswith("Secret.")


def range_of(field: FieldInfo) -> str | None:
    """Return the field's range in the words of `.env.example`, or None when it has none."""
    match field.metadata:
        case [Ge(ge=timedelta()), Le(le=timedelta())]:
            return None
        case [Ge(ge=low), Le(le=high)]:
            return f"{_number(low)} to {_number(high)}"
        case [Gt(gt=low), Le(le=high)]:
            return f"above {_number(low)}, at most {_number(high)}"
    return None


def _number(bound: Any) -> str:
    return str(bound) if isinstance(bound, int) else f"{bound:g}"


def test_variables_in_documents_are_settings() -> None:
    """A variable that the documents name is a setting, or one of the named others."""
    others = {"OPENAI_API_KEY", "ANTHROPIC_API_KEY"}  # the providers' own, for the model library to find
    prefixes = "FOOTNOTE|PLANNER|ANSWER|MODEL|SLACK|TELEGRAM|OPENAI|ANTHROPIC|MAX|CONVERSATION|SUMMARY"
    variable = re.compile(rf"`((?:{prefixes})_[A-Z_]+)`|^((?:{prefixes})_[A-Z_]+)=", re.MULTILINE)
    text = "\n".join(document.read_text("utf-8") for document in DOCUMENTS)

    assert {one or two for one, two in variable.findall(text)} <= settings().keys() | others


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_local_links_lead_somewhere(document: Path) -> None:
    """A link inside the repository leads to a file, and one with an anchor to a heading in it."""
    for link in _LINK.findall(re.sub(r"`[^`\n]*`", "", document.read_text("utf-8"))):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        assert target.exists(), link
        if anchor:
            assert anchor in {slug(heading) for heading in _HEADING.findall(target.read_text("utf-8"))}, link


def slug(heading: str) -> str:
    """Return the anchor that a heading gets."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def test_files_named_in_tables_exist() -> None:
    """The places in the code that README sends a reader to are there."""
    named = re.findall(r"`((?:core|adapters|bot|docs|examples|tests|migrations)/[\w/.-]*)`", README)

    assert named
    assert [] == [path for path in named if not (ROOT / path).exists()]


def test_ten_steps_are_those_of_the_pipeline() -> None:
    """The table of steps names the functions of the pipeline in their order."""
    steps = re.findall(r"^\| \d+ \| `(\w+)`", README, re.MULTILINE)
    opening = (ROOT / "core" / "pipeline.py").read_text("utf-8").split('"""')[1]

    assert re.findall(r"\w+_\w+|verify|render", opening)[:10] == steps


def test_figures_are_those_of_their_source() -> None:
    """What README says of quoting mode, and a decision of the packages, is what was measured and what is locked."""
    measured = (ROOT / "docs" / "decisions" / "0003-quoting-mode.md").read_text("utf-8")
    rows = re.findall(r"\*\*all answerable\*\*((?: \| \*\*\d+\*\*){5})", measured)
    (of, right, part, wrong, none), other = (re.findall(r"\d+", row) for row in rows)

    assert f"Of {of} answerable test questions" in README
    assert f"{right} rightly and {part} in part, gives {wrong} an exact quote of something else and {none} no" in README
    assert f"of the {other[0]} to the Russian example {', '.join(other[1:4])} and {other[4]} (" in README
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    more = sum(map(len, project["optional-dependencies"].values()))
    locked = re.findall(r"^[\w.-]+(?:\[.*\])?==", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE)
    decided = (ROOT / "docs" / "decisions" / "0005-one-lock-file.md").read_text("utf-8")

    assert f"{len(project['dependencies'])} direct dependencies and {more} for" in decided
    assert f"become {len(locked)} locked packages" in decided


def test_readme_is_read_in_minutes() -> None:
    """What goes further stands in pages of its own."""
    assert len(README) < 18_000


def test_yaml_examples_are_valid() -> None:
    """The manual's front matter and `domain.yaml` are read without complaint, and every key in them has its effect."""
    front, domain = blocks("yaml")
    meta, text = split(front, "example.md")

    assert text.strip() == ""
    assert meta["readers"] == ("people-team",)
    assert read_domain(yaml.safe_load(domain)).entities[0].page == "projects/lantern.md"


def test_picture_is_small_and_loads_nothing() -> None:
    """The picture is one small file: no font, style or image from elsewhere."""
    drawn = PICTURE.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")

    assert len(drawn) < 60_000
    assert not re.search(r"https?:|@import|@font-face|<script|<image", drawn)


def test_extras_that_are_named_exist() -> None:
    """Whatever is to be installed with `.[name]` can be."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    texts = {path: path.read_text("utf-8") for path in (*DOCUMENTS, *(ROOT / "benchmarks").glob("*.py"))}
    named = {(path.name, name) for path, text in texts.items() for name in re.findall(r"['\"`]\.\[(\w+)\]", text)}

    assert set() == {(path, name) for path, name in named if name not in extras}


def test_the_sizes_of_files_are_as_told() -> None:
    """How large a file may be is said for each of its formats, in millions of bytes."""
    told = {}
    for megabytes, where in re.findall(r"^\| (\d+) MB \| (.*) \|$", MANUAL, re.MULTILINE):
        told |= dict.fromkeys(re.findall(r"`(\.\w+)`", where), int(megabytes))

    assert told == {suffix: formats.limit_of(f"a{suffix}") // 1_000_000 for suffix in formats.KNOWN}
