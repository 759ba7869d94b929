"""Questions for what is without something: nothing that has it is told, and all else that is asked for is."""

import pytest

from core.render import text_of
from tests.corpora import Company, sources

pytestmark = pytest.mark.asyncio(loop_scope="session")

_NOT_ASTON = ["ai-portfolio", "alor", "marshrutnik", "polyn-rec", "pravopoisk"]


@pytest.mark.parametrize(
    ("question", "projects"),
    [
        ("Где применял Redis, но не Kafka?", ["ai-portfolio", "polyn-rec"]),
        ("Где использовал Redis без Kafka?", ["ai-portfolio", "polyn-rec"]),
        ("Where was Redis used without Kafka?", ["ai-portfolio", "polyn-rec"]),
        ("Проекты с Redis без Kafka", ["ai-portfolio", "polyn-rec"]),
        ("Какие проекты использовали и Redis, и PostgreSQL, но не Kafka?", ["ai-portfolio", "polyn-rec"]),
        (
            "Какие проекты использовали PostgreSQL, но не Redis?",
            ["lotsman", "marshrutnik", "pravopoisk", "scanlist", "tender-analyst"],
        ),
        ("Какие проекты без PostgreSQL?", ["echolot"]),
        ("Какие проекты не в Aston?", _NOT_ASTON),
        ("Какие проекты делал не для Aston?", _NOT_ASTON),
        ("Какие проекты Дмитрий делал не для Aston?", _NOT_ASTON),
        ("Which projects are not in Aston?", _NOT_ASTON),
        ("Сколько проектов не в Aston?", _NOT_ASTON),
        ("В каких проектах RAG применялся не в Aston?", ["ai-portfolio", "pravopoisk"]),
    ],
)
async def test_projects_without_something(portfolio: Company, question: str, projects: list[str]) -> None:
    """Exactly those are told, and that the documents do not tie them to it."""
    record = await portfolio.ask(question)

    assert [f"projects/{one}.md" for one in projects] == sources(record)
    assert str(len(projects)) in text_of(record.reply).splitlines()[0]


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        ("Which projects use Rust or Go but not Kubernetes?", ["projects/dewpoint.md", "projects/lantern.md"]),
        (
            "Which releases are not about Sproutline?",
            ["releases/canopy-5.3.md", "releases/canopy-6.0.md", "releases/firmware-3.2.md"],
        ),
        (
            "Which projects are not in Porto?",
            ["projects/almanac.md", "projects/beekeeper.md", "projects/trellis.md"],
        ),
        ("Какие проекты не в Porto?", ["projects/almanac.md", "projects/beekeeper.md", "projects/trellis.md"]),
    ],
)
async def test_pages_without_something(handbook: Company, question: str, pages: list[str]) -> None:
    """Of the kind asked for alone, and none whose own name holds what is left out."""
    assert pages == sources(await handbook.ask(question))


@pytest.mark.parametrize(
    ("question", "projects"),
    [
        ("Все проекты, кроме Aston", _NOT_ASTON),
        ("All projects except Aston", _NOT_ASTON),
        ("Где применялся RAG, кроме Aston?", ["ai-portfolio", "pravopoisk"]),
        ("Где применял RAG, не считая Лоцмана и Суфлёра?", ["ai-portfolio", "pravopoisk", "tender-analyst"]),
    ],
)
async def test_all_but(portfolio: Company, question: str, projects: list[str]) -> None:
    """What is left out goes, and all that is its own where it is no project itself."""
    assert [f"projects/{one}.md" for one in projects] == sources(await portfolio.ask(question))


async def test_who_did_not_work_on_it(handbook: Company) -> None:
    """Whoever the project's page names did, though their own page does not say so."""
    told = sources(await handbook.ask("Which employees did not work on Project Lantern?"))

    assert told
    assert "people/ines-carvalhal.md" not in told


@pytest.mark.parametrize("question", ["Что не вошло в Лоцман?", "Кто не работает в Aston?"])
async def test_what_no_document_denies_is_refused(portfolio: Company, question: str) -> None:
    """What a page says of the thing is the opposite of what it lacks."""
    assert (await portfolio.ask(question)).answer.is_refusal


async def test_what_a_policy_covers_is_not_what_it_does_not_cover(handbook: Company) -> None:
    """No sentence of the page says what is left out."""
    assert (await handbook.ask("What is not covered by the travel policy?")).answer.is_refusal


async def test_a_condition_is_not_left_out(handbook: Company) -> None:
    """If something does not work: what to do then is asked for, and is written."""
    assert "how-to/vpn-setup.md" in sources(await handbook.ask("What happens if the VPN does not work?"))
