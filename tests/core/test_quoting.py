"""The quoting mode: the document's own words, picked by evidence, as much of them as belongs together."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answer import Abstain, Draft
from core.context import AnswerContext
from core.facts import Fact, Part, Source, Span
from core.quoting import draft_quotes, nearest_quote
from core.text import Untrusted, terms
from core.verify import verify
from tests.core.scenes import PAGES, context, facts_of

ALL = tuple(fact for name in PAGES for fact in facts_of(name))


def asked(question: str, *facts: Fact, near: str | None = None, similarity: float = 0.6, **known: Any) -> AnswerContext:
    """Return the context of a question whose meaning is near to the parts that hold some words."""
    weighed = [
        replace(
            fact,
            score=fact.score or 0.5,
            parts=tuple(
                replace(part, similarity=similarity if near and near in fact.words(part.span) else 0.1)
                for part in fact.parts
            ),
        )
        for fact in facts
    ]
    weights = tuple((term, 1.0) for term in dict.fromkeys(terms(question)))
    return context(*weighed, question=question, weights=weights, **known)


def quoted(*given: Any, **known: Any) -> list[str]:
    """Return the words that are quoted for a question."""
    return [claim.text for claim in draft_quotes(asked(*given, **known)).claims]


@pytest.mark.parametrize(
    ("question", "near", "start"),
    [
        ("How many working days of vacation?", "27 working days", "A full-time employee gets 27 working days"),
        ("Сколько дней отпуска получает сотрудник?", "28 календарных", "Сотрудник получает 28 календарных дней"),
        ("Сколько разработчиков в команде?", "восемь", "Дмитрий Соколов работал"),
    ],
)
def test_the_sentence_that_answers_is_quoted_with_its_neighbours(question: str, near: str, start: str) -> None:
    """A sentence is shown with as much of its paragraph as is read at a glance."""
    [words, *_] = quoted(question, *ALL, near=near)

    assert words.startswith(start)
    assert near in words


@pytest.mark.parametrize(
    ("question", "own", "older"),
    [
        ("When will the ovens be delivered?", "The ovens will be delivered on 27 March.", "Ovens delivered 20 March?"),
        ("Когда привезут мебель?", "Мебель привезут 28 марта.", "Мебель привезут 21 марта?"),
    ],
)
def test_older_letters_speak_only_where_the_letter_does_not(question: str, own: str, older: str) -> None:
    """What a letter repeats is no answer beside its own words; where these say nothing of it, it is."""
    letter = facts_of("letter.md", f"# Re\n\n{own}\n\n> {older}\n")
    other = facts_of("other.md", f"# Re\n\nOK.\n\n> {older}\n")

    assert quoted(question, *map(_repeating, letter), near=own[:9]) == [own]
    assert quoted(question, *map(_repeating, other), near=older[:9]) == [older]


def _repeating(fact: Fact) -> Fact:
    """Return the fact with its quotations as what a letter repeats."""
    parts = (replace(part, kind="earlier") if part.kind == "quote" else part for part in fact.parts)
    return replace(fact, parts=tuple(parts))


def test_a_long_paragraph_is_cut_to_what_is_near() -> None:
    """The better neighbour comes first; what does not fit stays away."""
    text = " ".join(f"Sentence {n} says {'very ' * 20}little." for n in range(6)).replace("4 says", "4 of Oslo says")
    [fact] = facts_of("a.md", f"# Oslo\n\n{text}\n")

    after = quoted("What of Oslo?", fact, near="Sentence 4")
    parts = tuple(replace(part, similarity=0.1 * n) for n, part in enumerate(fact.parts))
    other = draft_quotes(replace(asked("What of Oslo?", fact), facts=(replace(fact, parts=parts, score=0.5),)))

    assert all(len(words) <= 360 and "Sentence 4" in words for words in after)
    assert "Sentence 5" in other.claims[0].text


@pytest.mark.parametrize(
    ("question", "near", "expected"),
    [
        ("What do we reimburse?", "We reimburse, among", "team meals up to €40 per person per quarter;"),
        ("Каковы результаты Дмитрия на проекте АЛОР?", "Результаты", "Снизил задержку раздачи котировок с 480 до 95"),
    ],
)
def test_a_list_is_quoted_whole(question: str, near: str, expected: str) -> None:
    """What a list's introduction answers, all of its items answer, in their order."""
    words = quoted(question, *ALL, near=near)

    assert len(words) in (3, 5)
    assert words[0].startswith(expected)


def test_the_item_that_alone_holds_what_was_asked_is_quoted_alone() -> None:
    """A question about one item of a list is not answered with the others."""
    assert ["professional books up to €60 each without prior approval;"] == quoted(
        "How much for professional books?", *ALL, near="professional books"
    )


def test_rows_keep_their_column_names() -> None:
    """A row says what its cells are; another table's cells are not mistaken for them."""
    table = "# Approval\n\n| Amount | Approver |\n|---|---|\n| up to 5 | manager |\n| more | head |\n"

    draft = draft_quotes(asked("Who is the approver?", *facts_of("a.md", table), near="|", similarity=0.9))

    assert [("Amount", "Approver")] * 2 == [claim.columns for claim in draft.claims]


def test_what_a_colon_introduces_is_quoted() -> None:
    """“Run this:” is answered by the code under it."""
    page = "# Rotation\n\nTo rotate the secret, run this:\n\n```\nfernctl rotate --all\n```\n"

    assert ["fernctl rotate --all"] == quoted("How to rotate the secret?", *facts_of("a.md", page), near="To rotate")


def test_code_that_answers_by_itself_is_quoted() -> None:
    """A block that is neither sentence nor item is quoted as it is."""
    page = "# Rotation\n\n```\nfernctl rotate secret\n```\n\nNothing else.\n"

    assert ["fernctl rotate secret"] == quoted("rotate secret fernctl", *facts_of("a.md", page), near="fernctl")


def test_a_colon_at_the_end_introduces_nothing() -> None:
    """A sentence that announces what never comes is all there is."""
    assert ["The rota of Oslo is:"] == quoted(
        "What is the rota of Oslo?", *facts_of("a.md", "# R\n\nThe rota of Oslo is:\n")
    )


def test_passages_about_as_good_are_quoted_too() -> None:
    """Two pages that say it equally well both speak, under their titles."""
    pages = [
        *facts_of("a.md", "# Leeds\n\nThe office opens at 8.\n"),
        *facts_of("b.md", "# Porto\n\nThe office opens at 9.\n"),
    ]

    draft = draft_quotes(asked("When does the office open?", *pages, near="office"))

    assert [("The office opens at 8.", "Leeds"), ("The office opens at 9.", "Porto")] == [
        (claim.text, claim.group) for claim in draft.claims
    ]


def test_no_more_passages_than_asked_for() -> None:
    """The plan's limit of paragraphs holds."""
    pages = [fact for n in range(4) for fact in facts_of(f"{n}.md", f"# Office {n}\n\nThe office opens at {n}.\n")]

    assert [1, 3] == [
        len(quoted("When does the office open?", *pages, near="office", max_paragraphs=limit)) for limit in (1, 4)
    ]


def test_what_is_far_from_the_question_is_not_quoted() -> None:
    """Nothing near is nothing to say."""
    assert Draft(abstain=Abstain()) == draft_quotes(asked("What is the weather on Mars?", *ALL))


@pytest.mark.parametrize(
    ("question", "near"),
    [("What is the weather on Mars?", "27 working days"), ("Какая погода на Марсе?", "28 календарных")],
)
def test_what_is_not_near_enough_is_offered(question: str, near: str) -> None:
    """A passage a little off the question is named as the nearest, not quoted as the answer."""
    facts = [fact for name in ("leave.md", "rules.md") for fact in facts_of(name)]
    made = asked(question, *(fact for fact in facts if near in fact.text), near=near, similarity=0.58)

    assert Draft(abstain=Abstain((1,))) == draft_quotes(made)


def test_a_list_does_not_join_a_sentence_that_answers() -> None:
    """Beside a passage, only other single passages are quoted: a whole list would drown it."""
    pages = [
        *facts_of("a.md", "# Leeds\n\nThe office opens at 8.\n"),
        *facts_of("b.md", "# Porto\n\n- The office opens at 9.\n- The office opens late.\n"),
    ]
    pages = [replace(page, score=0.6 - place / 10) for place, page in enumerate(pages)]

    assert ["The office opens at 8."] == quoted("When does the office open?", *pages, near="office")


def test_without_facts_it_abstains() -> None:
    """Nothing found is nothing to quote."""
    assert Draft(abstain=Abstain()) == draft_quotes(context(question="Что?"))


@pytest.mark.parametrize("name", ["Ines", "Полынь"])
def test_a_name_that_stands_nowhere_is_not_answered_with_another(name: str) -> None:
    """What a page says of Hanneke is no answer about Ines."""
    assert [] == quoted(f"Does {name} sign the gateway off?", *ALL, near="Hanneke", names=(name,))


def test_only_pages_that_hold_the_name_answer() -> None:
    """Of several pages the one that names what was asked about speaks."""
    words = quoted("What does Hanneke sign off?", *ALL, near="signs the gateway", names=("Hanneke",))

    assert all("Hanneke" in one for one in words)
    assert 1 == len(words)


def test_in_another_language_the_meaning_alone_speaks() -> None:
    """An English question is answered by a Russian page when the meaning is near, whatever the names."""
    rules = facts_of("rules.md")

    [words, *_] = quoted("How much vacation at Quillfern?", *rules, near="28 календарных", names=("Quillfern",))

    assert "28 календарных дней" in words


def test_a_page_that_was_replaced_comes_last() -> None:
    """Of two pages that say it, the current one answers."""
    new = facts_of("a.md", "# Leave\n\nVacation is 27 days.\n")
    old = [
        replace(one, source=Source("old.md", "Leave", superseded=True))
        for one in facts_of("b.md", "# Leave\n\nVacation is 25 days.\n")
    ]

    assert ["Vacation is 27 days."] == quoted("How long is vacation?", *old, *new, near="Vacation")


def test_a_field_needs_words_of_the_question() -> None:
    """A bare field is near to its page's title whatever is asked, so it counts for less than a sentence."""
    page = facts_of("a.md", "# Lantern\n\nLantern lights the greenhouse.\n")
    [sentence] = page
    field = replace(sentence, parts=tuple(replace(part, kind="field") for part in sentence.parts))

    assert ["Lantern lights the greenhouse."] == quoted("Чем занят Фонарь?", sentence, near="Lantern", similarity=0.45)
    assert [] == quoted("Чем занят Фонарь?", field, near="Lantern", similarity=0.45)


def test_what_the_structure_answers_is_listed_whole() -> None:
    """Facts from the graph are the answer: every part, under the fact's own heading, up to the limit."""
    facts = [replace(one, structural=True, group="АЛОР") for one in facts_of("alor.md")[:1]]

    draft = draft_quotes(context(*facts, question="Достижения на АЛОР?", max_items=4))

    assert (4, 2, {"АЛОР"}) == (len(draft.claims), draft.remaining, {claim.group for claim in draft.claims})


def test_the_nearest_words_are_the_best_part() -> None:
    """What is offered with a refusal is the part whose meaning is nearest, or all of a fact without parts."""
    [fact, *_] = asked("Сколько?", *facts_of("rules.md"), near="14 дней").facts

    assert "Заявление подают не позднее чем за 14 дней до начала отпуска." == nearest_quote(fact)
    assert "весь текст" == nearest_quote(Fact(Untrusted("весь текст"), Source("a", "A"), Span(0, 10), "a-0"))


def test_the_nearest_words_are_not_those_that_only_lead_to_others() -> None:
    """A line that ends in a colon says nothing without what it leads to, unless it is all there is."""
    text = Untrusted("We pay for these:\nA taxi at night.")
    lead, item = (Part(Span(*at), "paragraph", similarity=near) for at, near in (((0, 17), 0.9), ((18, 34), 0.4)))
    fact = Fact(text, Source("a", "A"), Span(0, 34), "a-0", parts=(lead, item))

    assert "A taxi at night." == nearest_quote(fact)
    assert "We pay for these:" == nearest_quote(replace(fact, parts=(lead,)))


QUESTIONS = st.lists(
    st.sampled_from(
        "vacation days receipt claim gateway Hanneke отпуск дни заявление АЛОР котировки штрафы what где".split()
    ),
    min_size=1,
    max_size=5,
).map(" ".join)


@given(QUESTIONS, st.sets(st.sampled_from(ALL), max_size=6), st.floats(0, 1), st.sampled_from(["", "дн", "day", ":"]))
def test_every_quote_stands_in_its_document(question: str, facts: set[Fact], similarity: float, near: str) -> None:
    """Whatever is asked, what is quoted is verified word for word, and at most as much as was asked for."""
    made = asked(
        question, *sorted(facts, key=lambda fact: fact.chunk_id), near=near, similarity=similarity, max_items=3
    )

    answer = verify(draft_quotes(made), made)

    assert () == answer.rejected
    assert len(answer.claims) <= 3
    assert all(claim.text == claim.citations[0].quote for claim in answer.claims)


ABROAD = (
    "# Remote work\n\n## Abroad\n\n"
    "You may work abroad for up to 20 days a year, provided that:\n\n- the VPN is on;\n- you ask.\n"
)
ABROAD_RU = (
    "# Удалёнка\n\n## За границей\n\n"
    "Из-за границы можно работать до 20 дней в году, если:\n\n- включён VPN;\n- вы спросили.\n"
)


@pytest.mark.parametrize(
    ("question", "page", "near", "first"),
    [
        (
            "How long may I work abroad?",
            ABROAD,
            "You may",
            "You may work abroad for up to 20 days a year, provided that:",
        ),
        ("Как долго можно работать из-за границы?", ABROAD_RU, "Из-за", "Из-за границы можно работать до 20 дней"),
    ],
)
def test_what_introduces_a_list_is_quoted_where_it_answers(question: str, page: str, near: str, first: str) -> None:
    """A condition without what it is a condition of answers nothing; "These are the conditions:" need not be shown."""
    words = quoted(question, *facts_of("a.md", page), near=near)

    assert words[0].startswith(first)
    assert 3 == len(words)
    assert 2 == len(quoted("What are the conditions for abroad?", *facts_of("a.md", page), near=near))


@pytest.mark.parametrize(
    ("question", "page", "near"),
    [("May I work abroad?", ABROAD, "You may"), ("Можно ли работать из-за границы?", ABROAD_RU, "Из-за")],
)
def test_a_yes_or_a_no_is_quoted_with_its_conditions(question: str, page: str, near: str) -> None:
    """Conditions alone do not say whether."""
    words = quoted(question, *facts_of("a.md", page), near=near)

    assert near in words[0]
    assert 3 == len(words)


@pytest.mark.parametrize("question", ["Who leads Firmware?", "Кто руководит Firmware?"])
def test_a_field_says_who_only_by_a_name(question: str) -> None:
    """Its label does not count: “Team: Firmware” names nobody, although a team is people."""
    given = facts_of("a.md", "# Firmware\n\nThe code of our gateways.\n")[0]
    text = "Team: Firmware\nLead: Ines Carvalhal"
    spans = [Span(0, 14), Span(15, len(text))]
    parts = tuple(
        replace(given.parts[0], span=span, kind="field", block=n, similarity=0.9 - n / 10)
        for n, span in enumerate(spans)
    )
    fields = replace(given, text=Untrusted(text), span=Span(0, len(text)), parts=parts, score=1.0)
    context_ = replace(asked(question, given), facts=(fields,))

    assert ["Lead: Ines Carvalhal"] == [claim.text for claim in draft_quotes(context_).claims]


OUTAGE = (
    "# Outage\n\nOn 21 July the disks of the database filled up.\n\n"
    "## Root cause\n\nThe compression of old readings had failed.\n\n## Impact\n\nSix growers noticed.\n"
)
OUTAGE_RU = (
    "# Сбой\n\n21 июля диски базы данных заполнились.\n\n"
    "## Причина\n\nСжатие старых показаний перестало работать.\n\n## Последствия\n\nЗаметили шесть клиентов.\n"
)


@pytest.mark.parametrize(
    ("question", "page", "near", "expected"),
    [
        ("Why did the disks fill up in July?", OUTAGE, "On 21 July", "The compression of old readings had failed."),
        ("Почему диски заполнились 21 июля?", OUTAGE_RU, "21 июля", "Сжатие старых показаний перестало работать."),
    ],
)
def test_why_is_answered_under_the_heading_of_the_cause(question: str, page: str, near: str, expected: str) -> None:
    """The sentence that says again what happened is nearest to the question and does not answer it."""
    assert [expected] == quoted(question, *facts_of("a.md", page), near=near)


def test_a_reason_that_shows_no_sign_of_one_is_still_quoted() -> None:
    """An answer need not say “because”."""
    page = "# Rota\n\nThe rota moved to Tuesday when Oslo joined.\n"

    assert ["The rota moved to Tuesday when Oslo joined."] == quoted(
        "Why did the rota move to Tuesday?", *facts_of("a.md", page), near="The rota"
    )


@pytest.mark.parametrize(
    ("question", "page", "near", "expected"),
    [
        (
            "How many probes are in the south house of Oosterpolder?",
            "# Oosterpolder\n\nThe south house has 38 hectares.\n\n## South\n\nThere are 1,350 probes in it.\n",
            "38 hectares",
            "There are 1,350 probes in it.",
        ),
        (
            "Сколько датчиков в южной теплице Остерполдера?",
            "# Остерполдер\n\nЮжная теплица: 38 гектаров.\n\n## Юг\n\nВ южной теплице 1350 датчиков.\n",
            "38 гектаров",
            "В южной теплице 1350 датчиков.",
        ),
    ],
)
def test_a_number_is_quoted_that_stands_beside_what_is_counted(
    question: str, page: str, near: str, expected: str
) -> None:
    """Hectares are no probes, though their sentence is nearer to the question."""
    facts = [replace(fact, around=fact.around | frozenset(terms(question))) for fact in facts_of("a.md", page)]

    assert expected in quoted(question, *facts, near=near)


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("Who directs Aston?", "# Aston\n\nCompany: Aston makes systems to order.\n"),
        ("Кто директор Астона?", "# Астон\n\nКомпания Астон делает системы на заказ.\n"),
    ],
)
def test_a_page_that_names_nobody_does_not_say_who(question: str, page: str) -> None:
    """However near its words are."""
    assert [] == quoted(question, *facts_of("a.md", page), near="Aston")


@pytest.mark.parametrize("name", ["Google", "Гугле"])
def test_what_the_structure_says_of_others_does_not_answer_for_an_unknown_name(name: str) -> None:
    """The jobs that are listed are no answer to whether somebody worked at Google."""
    page = "# Jobs\n\n- Aston;\n- Heron.\n" if name.isascii() else "# Места работы\n\n- Астон;\n- Герон.\n"
    question = "Did he work at Google?" if name.isascii() else "Работал ли он в Гугле?"
    facts = [replace(fact, structural=True) for fact in facts_of("a.md", page)]

    assert 2 == len(quoted(question, *facts))
    assert [] == quoted(question, *facts, names=(name,))


@pytest.mark.parametrize(
    ("question", "name", "page"),
    [
        ("Какая почта у Петрова?", "Петрова", "Иван Петров"),
        ("Как написать Петрову на почту?", "Петрову", "Иван Петров"),
        ("Какая почта у Петра?", "Петра", "Пётр Кузнецов"),
        ("Какая почта у Никитина?", "Никитина", None),
    ],
)
def test_a_russian_family_name_is_one_in_all_its_cases(question: str, name: str, page: str | None) -> None:
    """«Петрова» is «Петров», and neither is «Пётр», though a stemmer makes one word of them."""
    facts = [
        *facts_of("a.md", "# Иван Петров\n\nРабочая почта сотрудника: petrov@firma.example"),
        *facts_of("b.md", "# Пётр Кузнецов\n\nРабочая почта сотрудника: kuznetsov@firma.example"),
    ]

    claims = draft_quotes(asked(question, *facts, near="почта", names=(name,))).claims
    titles = {
        fact.source.title for claim in claims for one in claim.evidence for fact in facts[one.fact - 1 : one.fact]
    }

    assert ({page} if page else set()) == titles


def test_what_two_pages_say_in_the_same_fragment_is_told_of_each() -> None:
    """“Maria Lopez, lead” says something else on the page of another project; a whole sentence is said once."""
    told = _told_by_two_projects("## Team\n\n- Maria Lopez, lead\n- {}, tester", "Who is lead of the projects?", "lead")
    once = _told_by_two_projects("Every project has a lead.\n\n{} tests it.", "Which projects have a lead?", "Every")

    assert [("Maria Lopez, lead", "Project Heron", 1), ("Maria Lopez, lead", "Project Kestrel", 1)] == told
    assert [("Every project has a lead.", None, 2)] == once


def _told_by_two_projects(text: str, question: str, near: str) -> list[tuple[str, str | None, int]]:
    """Return the claims, with their group and how many places say so, from two pages that differ in a name."""
    pages = (("Heron", "Ann Fox"), ("Kestrel", "Bo Hill"))
    facts = [fact for name, who in pages for fact in facts_of(f"{name}.md", f"# Project {name}\n\n{text.format(who)}")]
    return [(one.text, one.group, len(one.evidence)) for one in draft_quotes(asked(question, *facts, near=near)).claims]


def test_what_is_offered_instead_comes_near_to_the_question() -> None:
    """A model that offers pages to gibberish is not followed: what it names must bear on what was asked."""
    [sick] = facts_of("a.md", "# Sick leave\n\nSick pay is full for six weeks.")

    gibberish = asked("asdkjh qwlekj zxmcn?", sick)
    near = asked("Is sick pay taxed?", sick, near="Sick pay")

    assert () == verify(Draft(abstain=Abstain((1,))), gibberish).nearest
    assert ["Sick pay is full for six weeks."] == [
        one.quote for one in verify(Draft(abstain=Abstain((1,))), near).nearest
    ]
