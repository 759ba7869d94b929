"""An answer of a model tells each thing once, what is asked, and no more than the plan allows."""

from dataclasses import replace

import pytest

from core.answer import Answer, Draft, DraftClaim, Pointer
from core.bounded import bounded, within_bounds
from core.context import AnswerContext
from core.plan import Style
from core.verify import verify
from tests.core.scenes import facts_of
from tests.core.test_headed import weighed

COLOURS = "amber bronze coral denim ebony fawn gold hazel indigo jade khaki lilac maroon navy".split()
LAMPS = [f"The {one} lamp in the harbour is checked by the {one} guard." for one in COLOURS]
KRASKI = "красный синий белый чёрный серый жёлтый лиловый бурый рыжий алый медный серебряный".split()
FONARI = [f"Фонарь в порту под номером {n} проверяет {one} сторож." for n, one in enumerate(KRASKI, 1)]


def asked(question: str, lines: list[str], title: str, **known: object) -> AnswerContext:
    page = f"# {title}\n\n" + "\n\n".join(lines) + "\n"
    return replace(weighed(question, *facts_of("page.md", page)), **known)


def saying(context: AnswerContext, *claims: tuple[str, str]) -> Answer:
    """Return the proven answer that says these of the quotes behind them."""
    said = []
    for text, quote in claims:
        number = next(n for n, fact in enumerate(context.facts, 1) if quote in fact.text)
        said.append(DraftClaim(text, (Pointer(number, quote),)))
    answer = verify(Draft(tuple(said), model="scripted"), context)
    assert all(one.verdict == "supported" for one in answer.claims)
    return answer


def test_of_the_same_said_of_others_only_what_is_asked_is_told() -> None:
    """Of one lamp that is asked about, what the page says of that; the others are left out as beside the point."""
    context = asked("Who checks the coral lamp in the harbour?", LAMPS, "Lamps")

    answer = bounded(saying(context, *((one, one) for one in LAMPS)), context)

    assert [LAMPS[2]] == [claim.text for claim in answer.claims]
    assert (len(LAMPS) - 1, 0, ()) == (len(answer.beside), answer.over, answer.rejected)


@pytest.mark.parametrize(
    ("question", "lines", "title"),
    [
        ("Which lamps in the harbour are checked, and by whom?", LAMPS, "Lamps"),
        ("Какие фонари в порту проверяет сторож?", FONARI, "Фонари"),
    ],
)
def test_a_list_is_cut_to_what_the_plan_allows_with_an_exact_rest(question: str, lines: list[str], title: str) -> None:
    """The first ten are shown, and how many more there are is told."""
    context = asked(question, lines, title, lists=True)

    answer = bounded(saying(context, *((one, one) for one in lines)), context)

    assert lines[:10] == [claim.text for claim in answer.claims]
    assert len(lines) - 10 == answer.over


def test_an_answer_that_is_no_list_keeps_to_its_words() -> None:
    """“Under about 150 words”: what was told while it was written stays."""
    context = asked("How are the lamps in the harbour checked?", LAMPS, "Lamps", max_words=40)
    whole = saying(context, *((one, one) for one in LAMPS))

    answer = bounded(whole, context)

    assert LAMPS[:4] == [claim.text for claim in answer.claims]
    assert LAMPS[:6] == [one.text for one in within_bounds(whole.claims, context, told=whole.claims[:6])[0]]


@pytest.mark.parametrize(
    ("question", "quote", "again"),
    [
        ("Who checks the amber lamp?", LAMPS[0], "The amber guard checks the amber lamp in the harbour."),
        ("Кто проверяет фонарь?", FONARI[0], "Красный сторож проверяет фонарь в порту под номером 1."),
    ],
)
def test_what_says_the_same_of_the_same_words_is_one_statement(question: str, quote: str, again: str) -> None:
    """In another order it is no second one, and is not counted as one that was left out."""
    context = asked(question, [quote], "Harbour")

    answer = bounded(saying(context, (quote, quote), (again, quote)), context)

    assert ([quote], (), 0) == ([claim.text for claim in answer.claims], answer.beside, answer.over)


def test_what_fits_stays_as_it_is() -> None:
    """Nothing is changed where nothing is too much."""
    context = asked("Who checks the amber lamp?", LAMPS[:1], "Harbour")
    answer = saying(context, (LAMPS[0], LAMPS[0]))

    assert answer is bounded(answer, context)
    assert Style.BULLETS is context.style
    refusal = Answer((), "en", is_refusal=True)
    assert refusal is bounded(refusal, context)
