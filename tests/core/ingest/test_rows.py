"""What is stored of a passage and of a chunk: what it is found by."""

import pytest

from core.entities import Entity, make_registry
from core.ingest.chunk import CHUNKER_VERSION, LONGEST, chunks_of, passages_in
from core.ingest.document import Document
from core.ingest.rows import ANALYZER, chunk_row, to_embed
from core.text import terms
from tests.core.corpus import page

TRIPS = page(
    "trips.md",
    "# Trips\n\n| City | Daily allowance | Receipt deadline |\n|---|---|---|\n| Berlin | 40 EUR | 14 days |\n"
    "| Lyon | 35 EUR | 10 days |\n",
    "Trips",
)
OUTINGS = page(
    "поездки.md",
    "# Поездки\n\n| Город | Суточные | Срок отчёта |\n|---|---|---|\n| Берлин | 40 евро | 14 дней |\n",
    "Поездки",
)


def embedded(document: Document) -> list[str]:
    """Return what is embedded of each passage."""
    return [to_embed(document, chunk, span) for chunk in chunks_of(document) for span in passages_in(chunk, document)]


@pytest.mark.parametrize(
    ("document", "asked"), [(TRIPS, "daily allowance, receipt deadline"), (OUTINGS, "суточные, срок отчёта")]
)
def test_the_names_of_columns_are_words_of_the_chunk(document: Document, asked: str) -> None:
    """Each once, however many rows are under it."""
    [row] = [chunk_row(document, chunk, make_registry([])) for chunk in chunks_of(document)]

    assert [1] * len(terms(asked)) == [row["tokens"].split().count(term) for term in terms(asked)]


def test_a_column_may_be_an_entity() -> None:
    """Then it is found under each of its names."""
    registry = make_registry([Entity("deadline", "Receipt deadline", "term")])
    [row] = [chunk_row(TRIPS, chunk, registry) for chunk in chunks_of(TRIPS)]

    assert "§deadline" in row["tokens"].split()


def test_a_row_is_embedded_with_the_names_of_its_columns() -> None:
    """A number by itself does not say of what it is."""
    assert embedded(TRIPS) == [
        "Trips: City: Berlin | Daily allowance: 40 EUR | Receipt deadline: 14 days",
        "Trips: City: Lyon | Daily allowance: 35 EUR | Receipt deadline: 10 days",
    ]


def test_a_column_without_a_name_and_a_row_without_columns_are_embedded_as_they_are() -> None:
    """Nothing is put before a cell that no name stands over."""
    unnamed = page("a.md", "# A\n\n| | Days |\n|---|---|\n| Lyon | 10 |\n\nJust words | here.\n", "A")

    assert embedded(unnamed) == ["A: Lyon | Days: 10", "A: Just words | here."]


def test_a_row_that_an_encoder_would_not_read_to_its_end_has_its_cells_alone() -> None:
    """The names would push the last cells out."""
    columns = [f"a rather long name of column {n}" for n in range(40)]
    lines = (columns, ["---"] * 40, [f"cell {n}" for n in range(40)])
    wide = page("a.md", "# A\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines), "A")
    [text] = embedded(wide)

    assert len(" ".join(columns)) > LONGEST > len(text)
    assert "cell 39" in text


def test_an_index_of_other_chunks_is_stale() -> None:
    """A search would find ids of which the documents, cut anew, have none."""
    assert CHUNKER_VERSION == ANALYZER.rpartition("chunks/")[2]
