"""`footnote index` with a domain.yaml that names pages which are no documents."""

import json
from pathlib import Path

import pytest

from tests.bot.terminal import footnote

DOMAIN = """\
entities:
  - {id: tea, name: Tea house, page: places/tea.md}
  - {id: baths, name: Бани, page: plaсes/Бани.md}
  - {id: inn, name: The Inn, page: inn.md}
  - {id: moon, name: The Moon}
  - {id: mill, name: The Mill, page: zz/qq-0001.txt}
"""


@pytest.fixture
def town(elsewhere: Path) -> Path:
    """Return a folder of three pages, whose domain.yaml has slips in the pages of three of its names."""
    town = elsewhere / "town"
    (town / "places").mkdir(parents=True)
    for name in ("tea", "Бани", "inn"):
        (town / "places" / f"{name}.md").write_text(f"# Page {name}\n\nIt opens at nine.\n", "utf-8")
    (town / "domain.yaml").write_text(DOMAIN, "utf-8")
    return town


def test_a_page_that_is_no_document_is_named_with_the_nearest_that_is(town: Path) -> None:
    """Each slip in the report and its data, a wrong folder too; what is right is not named, and all is indexed."""
    report, data = footnote("index", str(town)), json.loads(footnote("index", "--json", str(town)).out)

    assert (0, 3) == (report.status, data["documents"])
    assert "Names in domain.yaml without their page (3):" in report.out
    said = [one["reason"] for one in data["problems"]]
    assert [
        "'Бани' has the page 'plaсes/Бани.md', which is no document: did you mean 'places/Бани.md'?",
        "'The Inn' has the page 'inn.md', which is no document: did you mean 'places/inn.md'?",
        "'The Mill' has the page 'zz/qq-0001.txt', which is no document",
    ] == said
    assert {"domain.yaml"} == {one["path"] for one in data["problems"]}


def test_strict_fails_until_the_pages_are_right(town: Path) -> None:
    """So does a plan name them, and none once each is mended."""
    plan, strict = footnote("index", "--plan", str(town)), footnote("index", "--strict", str(town))

    assert (True, 1) == ("'inn.md', which is no document" in plan.out, strict.status)
    mended = "entities:\n  - {id: inn, name: The Inn, page: places/inn.md}\n"
    (town / "domain.yaml").write_text(mended, "utf-8")
    again = footnote("index", "--strict", str(town))
    assert (0, False) == (again.status, "without their page" in again.out)
