"""Watching, stopping and undoing index runs, as their operator meets them."""

import shutil
from pathlib import Path

import pytest

from tests.bot.terminal import Outcome, footnote, refused


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return an empty data folder."""
    return tmp_path / "data"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Return a folder of two pages."""
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "vpn.md").write_text("# VPN\n\nThe gateway is in Berlin.\n", encoding="utf-8")
    (folder / "отпуск.md").write_text("# Отпуск\n\nПоложено 27 дней отпуска.\n", encoding="utf-8")
    return folder


def run(data: Path, *arguments: str) -> Outcome:
    """Return what a command said over the data folder."""
    return footnote(*arguments, FOOTNOTE_DATA_DIR=str(data))


def test_the_index_before_answers_again(data: Path, pages: Path) -> None:
    """A page that was spoilt is answered from as it was; once more, and the newer index is back."""
    run(data, "index", str(pages))
    (pages / "vpn.md").write_text("# VPN\n\nThe gateway is in Rome.\n", encoding="utf-8")
    planned = run(data, "index", str(pages), "--plan")
    run(data, "index", str(pages))
    status = run(data, "reindex")
    said = [run(data, "ask", "Where is the gateway?").out]
    for _ in range(2):
        assert "Answers come from" in run(data, "reindex", "--rollback").out
        said.append(run(data, "ask", "Where is the gateway?").out)

    assert "Changed (1):\n  vpn.md\nUnchanged: 1." in planned.out
    told = [line.partition(":")[0] for line in status.out.splitlines()]
    assert told == ["Live", "Before it", "No index run is under way."]
    assert [("Rome" in words, "Berlin" in words) for words in said] == [(True, False), (False, True), (True, False)]


def test_an_index_that_is_lost_is_not_offered(data: Path, pages: Path) -> None:
    """What `--rollback` would refuse, the status does not promise."""
    for town in ("Rome", "Омск"):
        (pages / "vpn.md").write_text(f"# VPN\n\nThe gateway is in {town}.\n", encoding="utf-8")
        run(data, "index", str(pages))
    assert "--rollback goes back to it" in run(data, "reindex").out
    shutil.rmtree(data / "index")

    assert "it is not whole any more" in run(data, "reindex").out
    assert "not whole any more" in refused(run(data, "reindex", "--rollback"))


def test_there_may_be_nothing_to_stop_or_to_go_back_to(data: Path, pages: Path) -> None:
    """Both are said in a sentence, and two orders at once are refused."""
    run(data, "index", str(pages))

    assert "nothing to stop" in refused(run(data, "reindex", "--cancel"))
    assert "no index to go back to" in refused(run(data, "reindex", "--rollback"))
    assert "give one of" in run(data, "reindex", "--cancel", "--rollback").err
