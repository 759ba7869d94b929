"""Documents become chunks and passages."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ingest.chunk import LONG, LONGEST, SHORT, TARGET, Chunk, chunks_of, passages_in
from core.ingest.document import Document
from core.ingest.markdown import parse

SENTENCE = "This sentence is here to fill the page with something. "


def document(markdown: str, name: str = "a.md") -> Document:
    """Return the Markdown as a document."""
    text, blocks = parse(markdown, title="")
    return Document(id=name, title="A", text=text, blocks=blocks)


def texts(markdown: str) -> list[str]:
    """Return the text of each chunk."""
    known = document(markdown)
    return [known.text[chunk.start : chunk.end] for chunk in chunks_of(known)]


def passages(markdown: str) -> list[str]:
    """Return the text of each passage."""
    known = document(markdown)
    return [span.within(known.text) for chunk in chunks_of(known) for span in passages_in(chunk, known)]


def test_small_paragraphs_share_a_chunk() -> None:
    """Blocks of one section are gathered up to the target."""
    assert texts("one\n\ntwo\n\nthree") == ["one\ntwo\nthree"]
    assert len(texts("\n\n".join([SENTENCE * 9] * 4))) == 4


def test_a_heading_begins_a_chunk() -> None:
    """A chunk is of one section; the heading is its path, not its text; a heading with nothing under it is dropped."""
    known = document("до\n\n## Дни\n\n28 дней\n\n## Пусто\n\n### Перенос\n\nдо марта")

    assert [(chunk.headings, known.text[chunk.start : chunk.end]) for chunk in chunks_of(known)] == [
        ((), "до"),
        (("Дни",), "28 дней"),
        (("Пусто", "Перенос"), "до марта"),
    ]


def test_sections_of_the_same_name_stay_apart() -> None:
    """Two sections with one title are two chunks."""
    assert texts("## Example\n\none\n\n## Example\n\ntwo") == ["one", "two"]


def test_a_list_stays_with_its_introduction() -> None:
    """A list and the paragraph before it are one chunk, though longer than the target."""
    items = "\n".join(f"- {SENTENCE}" for _ in range(20))
    long = SENTENCE * 14

    chunks = texts(f"{long}\n\nYou need:\n\n{items}\n\n{long}")

    assert len(chunks) == 3
    assert chunks[1].startswith("You need:\nThis sentence")
    assert TARGET < len(chunks[1]) <= LONG


def test_a_nested_list_stays_whole() -> None:
    """Lists, code and paragraphs inside an item go with it."""
    long = SENTENCE * 16
    chunks = texts(f"{long}\n\nSteps:\n\n1. one\n   - a\n   - b\n\n   ```\n   run\n   ```\n\n   then\n2. two\n\n{long}")

    assert chunks[1] == "Steps:\none\na\nb\nrun\nthen\ntwo"


def test_a_very_long_table_is_split_between_rows() -> None:
    """Beyond the limit a table is split at the borders of its rows; the introduction stays with the first."""
    rows = "\n".join(f"| {place} {SENTENCE}| x |" for place in range(100))
    chunks = texts(f"These are the numbers:\n\n| a | b |\n|-|-|\n{rows}")

    assert all(len(chunk) <= TARGET for chunk in chunks)
    assert chunks[0].startswith("These are the numbers:\n0 This")
    assert [line.split()[0] for chunk in chunks for line in chunk.split("\n")][1:] == [str(n) for n in range(100)]


def test_code_stays_whole() -> None:
    """Code is never split."""
    code = "\n".join(f"line {place}" for place in range(1_000))

    assert texts(f"before\n\n```\n{code}\n```\n\nafter") == ["before", code, "after"]


@pytest.mark.parametrize("unit", ["ภาษีเงินได้ ", "税金", "word "], ids=ascii)
def test_a_sentence_without_an_end_is_parted(unit: str) -> None:
    """An encoder reads no more of a passage; nothing of the sentence is left out, and no word is cut in two."""
    said = unit * (2 * LONGEST // len(unit))
    found = passages(said)

    assert all(len(one) <= LONGEST for one in found)
    assert "".join(said.split()) == "".join("".join(found).split())
    assert " " not in unit or all(one.endswith(unit.strip()) for one in found)


def test_sentences_are_passages() -> None:
    """Every sentence of a paragraph is found by itself; a very short one goes with its neighbour."""
    assert passages("The first sentence is long enough. Yes. The third sentence is long enough too. Ok!") == [
        "The first sentence is long enough. Yes.",
        "The third sentence is long enough too. Ok!",
    ]
    assert passages("Нет. Отпуск переносится только до 31 марта.") == ["Нет. Отпуск переносится только до 31 марта."]


def test_other_blocks_are_passages_as_they_are() -> None:
    """Items, rows, code and quotes are one passage each, whatever their length."""
    assert passages("- a. B. C.\n- d\n\n|h|\n|-|\n|r|\n\n```\nx. Y.\n```\n\n> Q. R.") == [
        "a. B. C.",
        "d",
        "r",
        "x. Y.",
        "Q. R.",
    ]


def test_ids_tell_content() -> None:
    """The id follows document, path and text; the same text twice in one section gets a number."""
    (one,) = chunks_of(document("## H\n\ntext"))

    assert chunks_of(document("## H\n\ntext"))[0].id == one.id
    assert len(one.id) == 16
    assert chunks_of(document("## H\n\ntext", name="b.md"))[0].id != one.id
    assert chunks_of(document("## I\n\ntext"))[0].id != one.id
    assert chunks_of(document("## H\n\nother"))[0].id != one.id
    assert [chunk.id for chunk in chunks_of(document("## H\n\ntext\n\n## H\n\ntext"))] == [one.id, f"{one.id}-2"]


def test_an_edit_leaves_other_chunks_alone() -> None:
    """A change in one section changes the ids of that section only."""
    before = chunks_of(document("## A\n\none\n\n## B\n\ntwo"))
    after = chunks_of(document("## A\n\none, but longer\n\n## B\n\ntwo"))

    assert before[0].id != after[0].id
    assert before[1].id == after[1].id


def test_headings_with_nothing_under_them() -> None:
    """No words are lost: headings alone, such as the names on a team's page, are found as text; others are above it."""
    known = document("## Команда\n\n### Anna\n\n### Пётр\n\n## Office\n\nRome.\n\n## Конец")
    chunks = chunks_of(known)

    assert [(chunk.headings, known.text[chunk.start : chunk.end]) for chunk in chunks] == [
        (("Команда",), "Anna\nПётр"),
        (("Office",), "Rome."),
        ((), "Конец"),
    ]


def test_much_under_one_item_is_parted() -> None:
    """What stands under an item stays with it up to the limit, and is parted between its paragraphs beyond it."""
    chunks = texts("- Шаг\n\n  > q\n\n" + "".join(f"  {place} {SENTENCE}\n\n" for place in range(200)))

    assert all(len(chunk) <= LONG for chunk in chunks)
    assert chunks[0].startswith("Шаг")


PARTS = st.sampled_from(
    [
        "## Раздел",
        "### Sub",
        SENTENCE,
        SENTENCE * 30,
        "Да. Нет.",
        "- a\n- б\n  - c",
        "1. x\n\n   y",
        "> q",
        "```\ncode\n```",
        "|a|b|\n|-|-|\n|1|2|\n|3|4|",
        "\n".join(f"- {SENTENCE}" for _ in range(60)),
    ],
)


@settings(deadline=None, derandomize=True)
@given(st.lists(PARTS, max_size=12))
def test_every_block_is_in_one_chunk(parts: list[str]) -> None:
    """Chunks are in order, apart, numbered, with their own ids; they hold every block, or stand under it."""
    known = document("\n\n".join(parts))
    chunks = chunks_of(known)

    told = {place for chunk in chunks for place in chunk.blocks}
    assert [place for chunk in chunks for place in chunk.blocks] == sorted(told)
    assert {place for place, block in enumerate(known.blocks) if block.kind != "heading"} <= told
    shown = {heading for chunk in chunks for heading in chunk.headings}
    assert all(place in told or block.span.within(known.text) in shown for place, block in enumerate(known.blocks))
    assert [chunk.n for chunk in chunks] == list(range(len(chunks)))
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert all(before.end < after.start for before, after in pairwise(chunks))
    for chunk in chunks:
        assert_passages_cover(known, chunk)


def assert_passages_cover(known: Document, chunk: Chunk) -> None:
    """Assert that the passages are in order and hold all of the chunk but white space."""
    held = "".join(span.within(known.text) for span in passages_in(chunk, known))

    assert "".join(held.split()) == "".join(known.text[chunk.start : chunk.end].split())
    assert all(chunk.start <= span.start < span.end <= chunk.end for span in passages_in(chunk, known))


def test_short_is_shorter_than_a_sentence() -> None:
    """The sizes are in order, or chunks would make no sense."""
    assert SHORT < TARGET < LONG
