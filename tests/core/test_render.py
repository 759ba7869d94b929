"""From a verified answer to the tree: every claim is said, every mark has its entry, every place is one entry."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answer import Answer, Citation, Claim, Rejection
from core.facts import Place, Source, Span
from core.phrases import phrase
from core.plan import Style
from core.render import place_of, render, say, text_of
from core.reply import Bullets, Note, Paragraph, RenderedReply, Table, Text
from core.text import Language, Untrusted
from tests.core.scenes import answered, cited, stated

UNDER = Place((Untrusted("Entitlement"),))


def test_claims_are_bullets_with_their_marks() -> None:
    """The usual style: a bullet for each claim, its footnote behind it."""
    reply = render(answered(stated("27 days"), stated("Five may be carried")), Style.BULLETS)

    assert "• 27 days¹\n• Five may be carried²" == text_of(reply)


def test_groups_stand_together_and_notes_count_up() -> None:
    """Claims of one group are gathered where it first appears, and numbered in the order in which they are read."""
    claims = [stated("Один", group="АЛОР"), stated("Два", group="Полынь"), stated("Три", group="АЛОР"), stated("Без")]

    reply = render(answered(*claims, language="ru"), Style.GROUPED_BULLETS)

    assert "АЛОР:\n• Один¹\n• Три²\nПолынь:\n• Два³\n• Без⁴" == text_of(reply)


def test_a_short_answer_is_paragraphs() -> None:
    """In the short style each claim is a paragraph of its own."""
    reply = render(answered(stated("27 days."), stated("Five carried.")), Style.SHORT)

    assert [Paragraph, Paragraph] == [type(node) for node in reply.nodes]
    assert "27 days.¹\nFive carried.²" == text_of(reply)


ROWS = ("up to €500 | line manager", "above €500 | department head")


def row(text: str, *columns: str) -> Claim:
    """Return a row of a table, quoted."""
    return stated(text, verdict="quoted", columns=columns)


def test_rows_of_one_table_are_a_table() -> None:
    """Rows under the same column names are shown under them, the mark in the first cell."""
    reply = render(answered(*(row(text, "Amount", "Approver") for text in ROWS), lead="So:"), Style.BULLETS)

    assert (
        Table(
            ("Amount", "Approver"),
            (
                ((Text("up to €500"), Note(1)), (Text("line manager"),)),
                ((Text("above €500"), Note(2)), (Text("department head"),)),
            ),
        )
        == reply.nodes[1]
    )
    assert "So:\nAmount | Approver\nup to €500¹ | line manager\nabove €500² | department head" == text_of(reply)


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ([row(ROWS[0], "Amount", "Approver")], "• up to €500 — Approver: line manager¹"),
        ([row("Анна | Лейден | ", "Имя", "Офис", "Телефон")], "• Анна — Офис: Лейден¹"),
        ([row("Анна | склад", "Имя", "")], "• Анна — склад¹"),
        ([row("Анна", "Имя")], "• Анна¹"),
        ([row("а | б", "А", "Б"), row("в | г", "А", "Г")], "• а — Б: б¹\n• в — Г: г²"),
        ([row("а | б", "А", "Б"), stated("Ещё")], "• а — Б: б¹\n• Ещё²"),
        (
            [row("1 | 2 | 3 | 4 | 5 | 6 | 7", *"abcdefg"), row("8 | 9 | 10 | 11 | 12 | 13 | 14", *"abcdefg")],
            "• 1 — b: 2, c: 3, d: 4, e: 5, f: 6, g: 7¹\n• 8 — b: 9, c: 10, d: 11, e: 12, f: 13, g: 14²",
        ),
    ],
)
def test_a_row_that_makes_no_table_is_told_with_its_column_names(claims: list[Claim], expected: str) -> None:
    """One row, rows of several tables and rows too wide for a table lose neither cells nor their names."""
    assert expected == text_of(render(answered(*claims, lead="x"), Style.TABLE)).removeprefix("x\n")


def test_a_quoted_item_loses_its_last_comma() -> None:
    """What separated it from the next item of its list is not part of it."""
    reply = render(answered(stated("штрафы и парковка;", verdict="quoted", group="Правила")), Style.BULLETS)

    assert "Правила:\n• штрафы и парковка¹" == text_of(reply)


@pytest.mark.parametrize(("language", "expected"), [("en", "From “Leave”:"), ("ru", "Из документа «Leave»:")])
def test_quotes_of_one_document_are_introduced_by_it(language: Language, expected: str) -> None:
    """When nothing but one document's words are shown, its title says so."""
    quoted = [stated(text, cited(text, title="Leave"), verdict="quoted") for text in ("27 days", "Five days")]

    reply = render(answered(*quoted, language=language), Style.BULLETS)

    assert expected == text_of(reply).splitlines()[0]


def test_quotes_of_several_documents_have_no_lead() -> None:
    """Two titles do not make one."""
    quoted = [stated(text, cited(text, text), verdict="quoted") for text in ("27 days", "28 дней")]

    assert "• 27 days¹\n• 28 дней²" == text_of(render(answered(*quoted), Style.BULLETS))


def test_a_lead_of_a_model_loses_what_cannot_be_seen() -> None:
    """The lead stands first, without invisible characters."""
    assert "Вот:\n• Да¹" == text_of(render(answered(stated("Да"), lead="В\u202eот:"), Style.BULLETS))


@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_is_missing_is_said(language: Language) -> None:
    """Items beyond the limit, claims left out and a notice each get their sentence."""
    answer = answered(
        stated("Да"), language=language, remaining=4, rejected=(Rejection("Нет", "so"),), notice="Quotes only."
    )

    lines = text_of(render(answer, Style.BULLETS)).splitlines()

    assert [phrase("more", language, count=4), phrase("unconfirmed", language), "Quotes only."] == lines[1:]


def test_what_ends_an_item_of_a_list_does_not_end_a_statement() -> None:
    """Whether a model copied it or it is quoted."""
    copied = replace(stated("Python 3.12 — сервер;"), verdict="supported")

    assert "• Python 3.12 — сервер¹" == text_of(render(answered(copied, language="ru"), Style.BULLETS))


@pytest.mark.parametrize(
    ("row", "columns", "expected"),
    [
        ("Leeds | €140 | €54", ("City", "Hotel", "Meals"), "• Leeds — Hotel: €140, Meals: €54¹"),
        ("Лидс | 140 €", ("Город", "Гостиница"), "• Лидс — Гостиница: 140 €¹"),
    ],
)
def test_a_row_that_comes_nearest_is_told_with_its_columns(row: str, columns: tuple[str, ...], expected: str) -> None:
    """Nobody reads bars between cells; the evidence quotes it as it stands."""
    nearest = replace(cited(row), columns=tuple(map(Untrusted, columns)))
    reply = render(Answer((), "en", is_refusal=True, nearest=(nearest,)), Style.BULLETS)

    assert expected == text_of(reply).splitlines()[-1]
    assert [row] == [entry.quote for entry in reply.evidence]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "I could not find the answer to this in the documents.\nThe nearest thing I found:\n• Hire in March¹"),
        ("ru", "Не удалось найти ответ на этот вопрос в документах.\nБлижайшее, что нашлось:\n• Hire in March¹"),
    ],
)
def test_a_refusal_says_so_and_offers_the_nearest(language: Language, expected: str) -> None:
    """Plain words in the language of the question, and the nearest passage with its evidence."""
    reply = render(Answer((), language, is_refusal=True, nearest=(cited("Hire in March"),)), Style.BULLETS)

    assert expected == text_of(reply)
    assert ["Hire in March"] == [entry.quote for entry in reply.evidence]


def test_a_refusal_without_anything_near_is_one_sentence() -> None:
    """Nothing is offered when nothing is near."""
    reply = render(Answer((), "ru", is_refusal=True), Style.SHORT)

    assert RenderedReply((Paragraph((Text(phrase("refusal", "ru")),)),), (), "ru", is_refusal=True) == reply


def test_one_place_is_one_entry_with_each_quote_once() -> None:
    """Quotes of one place stand in reading order, without those that a longer one holds (R-17)."""
    late, early = cited("on 31 March", start=50, place=UNDER), cited("27 working days", start=5, place=UNDER)
    inside = cited("working days", start=8, place=UNDER)

    reply = render(answered(stated("A", late, inside), stated("B", early)), Style.BULLETS)

    assert "• A¹\n• B¹" == text_of(reply)
    assert ["27 working days\non 31 March"] == [entry.quote for entry in reply.evidence]


def test_another_place_is_another_entry() -> None:
    """The same words under another heading, on another page or in another document are other evidence."""
    places = [UNDER, Place(page=2), Place()]
    citations = [cited("Пять", place=place) for place in places] + [cited("Пять", "b.md")]

    reply = render(answered(stated("Пять дней", *citations)), Style.BULLETS)

    assert "• Пять дней¹,²,³,⁴" == text_of(reply)


def test_an_entry_tells_where_its_words_stand() -> None:
    """Title, headings, link, date and warnings of a page stand with the quote."""
    place, labels = Place((Untrusted("A"), Untrusted("B")), 3), frozenset({"confidential"})
    known = {"link": "https://d.example", "updated": "2025-01-06", "superseded": True, "labels": labels}
    citation = cited("27 days", title="Le\u200bave", place=place, **known)

    [entry] = render(answered(stated("27", citation)), Style.BULLETS).evidence

    assert ("Leave", "A › B › page 3", "https://d.example") == (entry.title, entry.place, entry.link)
    assert ("updated 2025-01-06", "outdated: a newer page replaces it, confidential") == (entry.updated, entry.remark)


def test_an_entry_without_a_place_names_its_file() -> None:
    """A page without headings is found by its path; what is not known is left out."""
    [entry] = render(answered(stated("Да", cited("Да", "hr/a.md")), language="ru"), Style.BULLETS).evidence

    assert ("hr/a.md", None, None, None) == (entry.place, entry.link, entry.updated, entry.remark)


@pytest.mark.parametrize(
    ("place", "language", "expected"),
    [
        (Place(), "en", ""),
        (Place(page=0), "en", "page 0"),
        (Place((Untrusted("Сроки"),), 3), "ru", "Сроки › стр. 3"),
    ],
)
def test_a_place_is_headings_and_page(place: Place, language: Language, expected: str) -> None:
    """Headings from the outermost in, then the page in the reader's language."""
    assert expected == place_of(place, language)


def test_a_sentence_of_our_own_has_no_evidence() -> None:
    """What the bot says of itself needs none."""
    assert RenderedReply((Paragraph((Text("Привет"),)),), (), "ru") == say("Привет", "ru")


WORDS = st.text("абвXYZ 19é👍🏽—", min_size=3, max_size=20).filter(lambda text: len(text.strip()) > 2)
CITATIONS = st.builds(
    lambda doc, start, place, words: Citation(SOURCES[doc], Span(start, start + len(words)), "c", words, place),
    st.sampled_from(["a", "b", "c"]),
    st.integers(0, 30),
    st.sampled_from([Place(), UNDER, Place(page=1), Place(page=2)]),
    WORDS.map(Untrusted),
)
SOURCES = {name: Source(f"{name}.md", f"Документ {name}") for name in "abc"}
CLAIMS = st.builds(
    lambda text, citations, group, quoted: Claim(text, tuple(citations), "quoted" if quoted else "supported", group),
    WORDS,
    st.lists(CITATIONS, min_size=1, max_size=3),
    st.sampled_from([None, "АЛОР", "Aston"]),
    st.booleans(),
)
TABLES = st.integers(1, 8).flatmap(
    lambda width: st.lists(
        st.lists(WORDS, min_size=width, max_size=width).map(
            lambda cells: stated(
                " | ".join(cells), cited("words"), verdict="quoted", columns=tuple(f"К{n}" for n in range(len(cells)))
            )
        ),
        max_size=4,
    )
)
ANSWERS = st.builds(
    lambda claims, nearest, language, remaining: Answer(
        tuple(claims), language, is_refusal=not claims, nearest=() if claims else tuple(nearest), remaining=remaining
    ),
    st.lists(CLAIMS, max_size=6) | TABLES,
    st.lists(CITATIONS, max_size=2),
    st.sampled_from(["en", "ru"]),
    st.integers(0, 3),
)


def notes_of(reply: RenderedReply) -> list[int]:
    """Return the footnote numbers in the order in which they are read."""
    lines = []
    for node in reply.nodes:
        match node:
            case Paragraph(line):
                lines.append(line)
            case Bullets(items):
                lines += items
            case Table(_, rows):
                lines += [cell for cells in rows for cell in cells]
    return [part.number for line in lines for part in line if isinstance(part, Note)]


@given(ANSWERS, st.sampled_from(Style))
def test_every_claim_is_said(answer: Answer, style: Style) -> None:
    """Whatever the style, no words of a claim are lost."""
    said = text_of(render(answer, style))

    for claim in answer.claims:
        assert all(cell.rstrip(";, ") in said for cell in claim.text.split(" | "))


@given(ANSWERS, st.sampled_from(Style))
def test_every_mark_has_its_entry_and_every_entry_its_mark(answer: Answer, style: Style) -> None:
    """Evidence is numbered from 1 without gaps, and each number is met in order as the answer is read."""
    reply = render(answer, style)

    assert list(range(1, len(reply.evidence) + 1)) == [entry.number for entry in reply.evidence]
    assert [entry.number for entry in reply.evidence] == list(dict.fromkeys(notes_of(reply)))


@given(ANSWERS, st.sampled_from(Style))
def test_one_place_of_a_document_is_one_entry(answer: Answer, style: Style) -> None:
    """There are as many entries as places, and every cited word stands in one."""
    shown = [citation for claim in answer.claims for citation in claim.citations] + list(answer.nearest)

    reply = render(answer, style)

    assert len({(citation.source.doc_id, citation.place) for citation in shown}) == len(reply.evidence)
    assert len(shown) == 0 or all(entry.quote for entry in reply.evidence)
