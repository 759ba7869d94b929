"""Flags say what a reader or an admin should know of an answer, and nothing that is not so."""

import time
from dataclasses import replace

import pytest

from core.answer import Answer, Rejection
from core.facts import Link, Span
from core.policy import apply_policy
from tests.core.scenes import answered, cited, stated


def flags_of(quote: str, **known: object) -> list[str]:
    """Return the flags of a sure answer that cites these words."""
    return sorted(apply_policy(answered(stated("Так.", cited(quote, **known))), found=True).flags)  # type: ignore[arg-type]


def test_a_sure_answer_has_no_flags() -> None:
    """Ordinary words, all confirmed, need no remark."""
    assert [] == flags_of("Сотрудник получает 28 дней.")


@pytest.mark.parametrize(
    "quote",
    [
        "Write to people@quillfern.example.",
        "E-mail: dmitry.s+job@sokolov.example",
        "Marit: +31 6 5550 1101",
        "Aoife: +44 7700 900118.",
        "Телефон: +7 (900) 000-00-00",
        "8 (800) 555-35-35",
        "88005553535",
        "Call 020 7946 0958",
        "(555) 123-4567 or 555-123-4567",
    ],
)
def test_contact_details_are_personal(quote: str) -> None:
    """An address or a telephone number in a quote is flagged."""
    assert ["pii_referenced"] == flags_of(quote)


@pytest.mark.parametrize(
    "quote",
    [
        "updated: 2025-01-06",
        "с 01.02.2025 - 31.12.2025",
        "Работал в 2021-2023",
        "Between 10:00 and 15:00, from 2021 - 2023",
        "10 000 000 рублей",
        "1,700,000,000 rows",
        "INC-2041, firmware 3.1.2",
        "1 2 3 4 5 6 7 8 9 10 11 12",
        "a@b, me@home",
        "0.43% и 80 000 000",
    ],
)
def test_dates_and_numbers_are_not_personal(quote: str) -> None:
    """A date, a range of years and an amount are nobody's telephone number."""
    assert [] == flags_of(quote)


def test_a_page_of_personal_data_is_flagged_by_its_label() -> None:
    """The label speaks for the whole page."""
    assert ["pii_referenced"] == flags_of("Анна отвечает за склад", labels=frozenset({"personal-data"}))


def test_a_confidential_page_is_flagged_by_its_label() -> None:
    """Whoever sees the answer is told that its page is confidential."""
    assert ["confidential"] == flags_of("Band 3", labels=frozenset({"confidential"}))


def test_what_is_offered_instead_counts_too() -> None:
    """A refusal shows the nearest passage, so its labels count."""
    near = cited("Band 3 from €50,000", labels=frozenset({"confidential"}))

    assert {"confidential"} == apply_policy(Answer((), "en", is_refusal=True, nearest=(near,)), found=True).flags


@pytest.mark.parametrize(
    ("answer", "found", "expected"),
    [
        (answered(stated("A"), rejected=(Rejection("B", "no"),)), True, {"uncertain"}),
        (answered(stated("А"), level="low"), True, {"uncertain"}),
        (answered(stated("А"), level="medium"), True, set()),
        (Answer((), "ru", is_refusal=True), True, set()),
        (Answer((), "ru", is_refusal=True), False, {"no_context"}),
        (Answer((), "en", is_refusal=True, rejected=(Rejection("B", "no"),)), True, {"uncertain"}),
    ],
)
def test_doubt_and_emptiness_are_flagged(answer: Answer, expected: set[str], *, found: bool) -> None:
    """Uncertain: something was left out, or confidence is low. No context: nothing was found at all."""
    assert expected == apply_policy(answer, found=found).flags


@pytest.mark.parametrize(
    "unit", ["a", "1", "1 ", "0", "8 ", "+", "+1", "(", "(1", ".", "a@", "a.", "@", "1.", "1-", "555-", "я"]
)
def test_no_quote_takes_long_to_flag(unit: str) -> None:
    """Fifty thousand hostile characters take less than a second of work."""
    answer = answered(stated("Так.", cited(f"x{unit * (50_000 // len(unit))}x")))
    start = time.process_time()
    apply_policy(answer, found=True)

    assert time.process_time() - start < 1


def test_an_address_behind_a_quoted_link_counts_too() -> None:
    """It is shown under the quote, though the words of the page do not say it."""
    behind = replace(cited("Ask Anna."), links=(Link("mailto:anna@example.com", Span(4, 8)),))

    assert {"pii_referenced"} == apply_policy(answered(stated("Так.", behind)), found=True).flags
