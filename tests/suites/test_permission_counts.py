"""Pages that are closed to somebody change nothing that they are shown, as if these were not there (R-25)."""

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from adapters.embedding.universal import UniversalEmbedder
from tests.corpora import EXAMPLES, company, index, shown

pytestmark = pytest.mark.asyncio(loop_scope="session")

# Of each example, the pages that are taken and the questions that are asked about them.
CORPORA = {"handbook": ("policies", 40), "portfolio": ("projects", 40)}
COPIES = 3


@pytest.mark.parametrize("name", CORPORA)
async def test_closed_pages_move_nothing(tmp_path: Path, embedder: UniversalEmbedder, name: str) -> None:
    """Pages like the open ones, with other numbers, and three times as many: each question gets the same reply."""
    folder, most = CORPORA[name]
    alone, mixed = tmp_path / "alone", tmp_path / "mixed"
    for target in (alone, mixed):
        shutil.copytree(EXAMPLES / name / folder, target / folder)
    close(sorted((alone / folder).glob("*.md")), mixed / "closed")
    asked = questions(name, folder)[:most]

    told = [await replies(path, tmp_path / f"{path.name}-data", embedder, asked) for path in (alone, mixed)]

    assert len(asked) == most
    assert dict(zip(asked, told[0], strict=True)) == dict(zip(asked, told[1], strict=True))


def close(pages: Sequence[Path], target: Path) -> None:
    """Write pages like these for a few, with other numbers."""
    target.mkdir()
    random = Random(5)  # noqa: S311 - pages, no secrets
    for page in pages[::2]:
        body = re.sub(r"\A---\n.*?\n---\n", "", page.read_text(), flags=re.DOTALL)
        for copy in range(COPIES):
            words = re.sub(r"\d+", lambda found: str(random.randint(1, 10 ** len(found[0]))), body)
            closed = words.replace("# ", f"# Closed {copy} ", 1)
            (target / f"{page.stem}-{copy}.md").write_text(f"---\nreaders: [board]\n---\n{closed}")


def questions(name: str, folder: str) -> list[str]:
    """Return the suite's questions, those about these pages first."""
    lines = (Path(__file__).parent / f"{name}.jsonl").read_text().splitlines()
    known = [json.loads(line) for line in lines]
    known.sort(key=lambda one: not any(page.startswith(folder) for page in one["documents"]))
    return [one["question"] for one in known]


async def replies(pages: Path, data: Path, embedder: UniversalEmbedder, asked: Sequence[str]) -> list[str]:
    """Return what somebody in no group is shown for each question."""
    await index(pages, data, embedder)
    async with company(data, embedder) as here:
        return [shown(await here.ask(question)) for question in asked]
