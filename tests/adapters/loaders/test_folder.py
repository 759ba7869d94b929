"""A folder is a source like any other."""

from pathlib import Path

import pytest

from adapters.loaders import FolderSource
from adapters.loaders.folder import DEPTH_LIMIT
from core.errors import ConfigError, IngestError
from core.ingest.source import Item, Source
from tests.adapters.loaders.made import write


async def items(source: Source) -> list[Item | IngestError]:
    """Return all that the source gives."""
    return [item async for item in source.items()]


async def test_files_as_items(tmp_path: Path) -> None:
    """Every file comes with its bytes, in the order of the paths, and what cannot be read says why."""
    folder = write(
        tmp_path,
        {"б.md": "текст", "a/c.md": "text", "a/logo.png": "x", "domain.yaml": "", ".git/x.md": "x", "a\nb.md": "x"},
    )
    (folder / "loop").symlink_to(folder)
    (folder / "z.md").symlink_to(folder / "z.md")
    found = await items(FolderSource(folder))

    assert [(item.name, item.data) for item in found if isinstance(item, Item)] == [
        ("a/c.md", b"text"),
        ("б.md", "текст".encode()),
    ]
    assert [item.path for item in found if isinstance(item, IngestError)] == ["a\\nb.md", "z.md"]


async def test_a_folder_that_looks_like_a_picture(tmp_path: Path) -> None:
    """Only files are told by their suffix."""
    found = await items(FolderSource(write(tmp_path, {"site.js/a.md": "text"})))

    assert [item.name for item in found if isinstance(item, Item)] == ["site.js/a.md"]


async def test_a_missing_folder(tmp_path: Path) -> None:
    """A source that cannot be used at all says so before anything else."""
    source = FolderSource(tmp_path / "нет")

    assert source.name.endswith("нет")
    with pytest.raises(ConfigError, match="does not exist: create it"):
        await items(source)


async def test_folders_in_folders_without_end(tmp_path: Path) -> None:
    """However deep somebody nests them, that costs what lies down there alone, and is named."""
    deep, deeper = ("/".join("d" * depth) for depth in (DEPTH_LIMIT, DEPTH_LIMIT + 1))
    folder = write(tmp_path, {"a.md": "text", f"{deep}/c.md": "text", f"{deeper}/e.md": "text", "б.md": "текст"})
    found = await items(FolderSource(folder))

    assert ["a.md", f"{deep}/c.md", "б.md"] == [item.name for item in found if isinstance(item, Item)]
    assert [f"{deeper}: lies more than {DEPTH_LIMIT} folders deep: move what it holds further up"] == [
        str(item) for item in found if isinstance(item, IngestError)
    ]
