"""What the words of a question show of whether it leans on what was said before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.leaning import asks_by_itself, signs_of, without_turn


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("And in Berlin?", "and"), ("What about Porto?", "what about"), ("OK, let's do it. What is the process?", "ok"),
        ("No, the other one", "no"), ("I meant the Leeds office", "i meant"), ("А в Порту?", "а"),
        ("Ну а Лидс?", "ну а"), ("Нет, другой", "нет"), ("Понятно. Кто утверждает?", "понятно"), ("Ещё?", "еще"),
    ],
)  # fmt: skip
def test_an_opening_goes_on(question: str, word: str) -> None:
    """Connectives, reactions and corrections at the start go on from what was said."""
    assert word == signs_of(question).opens


@pytest.mark.parametrize(
    ("question", "known"),
    [
        ("So where is the Porto office?", ["Porto"]), ("Then how does on-call work?", []),
        ("Also, who runs Lantern?", ["Lantern"]),
        ("Ok, thanks. What is our policy on side jobs?", []), ("Понятно. Какие статьи писал?", []),
        ("Так где офис в Порту?", ["Порту"]),
        ("Тогда кто ведёт Маяк?", ["Маяк"]), ("Спасибо! Как заказать новые ботинки?", []),
    ],
)  # fmt: skip
def test_a_reaction_before_a_whole_question_is_no_sign(question: str, known: list[str]) -> None:
    """Whoever says "so" or "thanks" first may ask about anything."""
    signs = signs_of(question, known)

    assert (None, None, None) == (signs.opens, signs.stands, signs.stands_after)


@pytest.mark.parametrize(
    ("question", "opens"),
    [
        ("Then who approves?", "then"), ("Ok, for twins?", "ok"), ("So in Porto?", "so"),
        ("Thanks! And on Sundays?", "and"),
        ("Interesting. What about for a food truck?", "what about"), ("Хорошо, для стажёров?", "хорошо"),
        ("Тогда почему?", "тогда"), ("Спасибо! А по воскресеньям?", "а"), ("And where is the Porto office?", "and"),
    ],
)  # fmt: skip
def test_a_reaction_before_a_piece_goes_on(question: str, opens: str) -> None:
    """What stands behind it is no whole question, or opens by itself as what goes on."""
    assert opens == signs_of(question, ["Porto"] if "Porto" in question else []).opens


@pytest.mark.parametrize("question", ["Android phones?", "Notes on travel", "Органы управления", "Адреса офисов"])
def test_a_word_that_begins_like_an_opening_is_none(question: str) -> None:
    """Only the whole word counts."""
    assert signs_of(question).opens is None


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Who approves it?", "it"), ("How do they work?", "they"), ("Which one is cheaper?", "one"),
        ("How does it compare to Rootbook?", "it"), ("Кто ею руководит?", "ею"), ("А где она сейчас?", "она"),
        ("Почему так поздно?", "так"), ("Расскажи про второй", "второй"), ("Каков его бюджет?", "его"),
    ],
)  # fmt: skip
def test_a_word_stands_for_something_said_before(question: str, word: str) -> None:
    """Nothing in the question is there that it could stand for."""
    signs = signs_of(question)

    assert word == (signs.stands or signs.stands_after)


@pytest.mark.parametrize(
    "question",
    [
        "What is the travel portal and how does it work?", "Tell me about Rootbook and its owner.",
        "How do employees get their laptops?", "Is there a dress code?", "Is it possible to work from Spain?",
        "Which meetings are held this year?", "Что такое портал и как он работает?", "Сотрудники и их ноутбуки",
        "Что получает тот, кто приведёт друга?", "Сколько отпусков в этом году?", "Кто такой Соколов?",
    ],
)  # fmt: skip
def test_a_word_that_stands_for_something_in_the_same_sentence_is_no_sign(question: str) -> None:
    """Nor does what stands for nothing at all, or for the day on which it is said."""
    signs = signs_of(question)

    assert (None, None) == (signs.stands, signs.stands_after)


@pytest.mark.parametrize(
    ("question", "word"),
    [("What are the main advantages?", "advantages"), ("How long are the next steps?", "steps"),
     ("Какие основные преимущества?", "преимущества"), ("А по бюджету?", "бюджету"), ("За какой период?", "период")],
)  # fmt: skip
def test_a_general_word_names_no_subject(question: str, word: str) -> None:
    """Advantages, steps and budgets are of something that the question does not say."""
    signs = signs_of(question)

    assert 0 == signs.specific
    assert word == signs.lacks


@pytest.mark.parametrize("question", ["What is a greenhouse?", "Что такое теплица?", "What's arnica?"])
def test_a_question_for_a_definition_names_what_it_is_about(question: str) -> None:
    """It needs nothing else."""
    assert signs_of(question).defines


@pytest.mark.parametrize(
    "question", ["Who leads IT?", "When is Q3 over?", "What is «Sproutline»?", "Кто ведёт «Альфу»?", "А кто в НДС?"]
)
def test_a_name_is_seen(question: str) -> None:
    """Capitals inside, digits and quotation marks make one."""
    assert signs_of(question).names


@pytest.mark.parametrize("question", ["Who leads the team?", "WHO LEADS THE TEAM?", "Yes. Who leads it?", "Кто ведёт?"])
def test_a_capital_at_the_start_is_no_name(question: str) -> None:
    """Nor is a question in capitals throughout."""
    assert not signs_of(question).names


@pytest.mark.parametrize(
    "question",
    [
        "Another question: who approves travel?",
        "By the way, and the hotel?",
        "Кстати, а где он?",
        "О другом: где офис?",
    ],
)
def test_the_asker_may_turn_away(question: str) -> None:
    """Whoever says that it is about something else is believed, whatever else there is."""
    signs = signs_of(question)

    assert signs.turns_away
    assert (None, None, None) == (signs.opens, signs.stands, signs.stands_after)


@pytest.mark.parametrize(
    ("question", "sign"),
    [
        ("For twins?", "hangs"), ("Если пробил колесо?", "hangs"), ("What is the interval?", "definite"),
        ("Where is the manual", "definite"), ("And ALOR?", "bare"), ("А «Вега»?", "bare"), ("Deadline?", "brief"),
        ("Ещё что?", "brief"), ("Is it open?", "asks"), ("Сравни оба проекта", "asks"), ("Кому писать?", "asks"),
        ("And when does it close?", "stands"),
    ],
)  # fmt: skip
def test_a_piece_of_a_question_shows_what_it_is(question: str, sign: str) -> None:
    """How it begins, ends, how short it is, and whether anything in it asks."""
    assert getattr(signs_of(question), sign)


@pytest.mark.parametrize(
    ("question", "sign"),
    [
        ("In which drawer are the fuses?", "hangs"), ("В какие дни приходит бухгалтер?", "hangs"),
        ("What is the interval of the calendar sync?", "definite"), ("Who leads the IT", "definite"),
        ("Where is ALOR used?", "bare"), ("Отчёт по «Веге» за май", "bare"), ("Who leads the team?", "brief"),
        ("На планшете?", "asks"), ("My chair as well", "asks"),
    ],
)  # fmt: skip
def test_a_whole_question_does_not(question: str, sign: str) -> None:
    """What names its subject is no piece."""
    assert not getattr(signs_of(question), sign)


@given(st.text(max_size=300))
def test_every_text_has_signs(question: str) -> None:
    """Whatever is typed, the counts are consistent."""
    signs = signs_of(question)

    assert 0 <= signs.specific <= signs.topics


def test_a_pasted_page_is_looked_through_quickly() -> None:
    """A question as long as any may be takes no time that grows with the square of its length."""
    signs = signs_of("and the scheme " * 260 + "it")

    assert "it" == (signs.stands or signs.stands_after)


@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("Thanks! Another question: how do I set up VPN?", "how do I set up VPN?"),
        ("By the way, who leads Heron?", "who leads Heron?"),
        ("Спасибо, ещё один вопрос: где Нора?", "где Нора?"),
        ("Новая тема. Сколько дней отпуска?", "Сколько дней отпуска?"),
        ("Who leads Heron, by the way?", "Who leads Heron, by the way?"),
        ("Who is X? Another question: who is Y?", "Who is X? Another question: who is Y?"),
        ("Another question", "Another question"),
    ],
)
def test_what_is_asked_stands_behind_the_turn(message: str, question: str) -> None:
    """The words that turn to something else are not looked for; without a question behind them they stay."""
    assert question == without_turn(message)


@pytest.mark.parametrize("question", ["And who is the architect?", "А кто заказчик?"])
def test_one_word_is_asked_of_the_thing_that_was_spoken_of(question: str) -> None:
    """Of nothing with a name it is a whole question behind its opening, and with a second word of its own, too."""
    assert asks_by_itself(signs_of(question))
    assert not asks_by_itself(signs_of(question), of_a_thing=True)
    assert asks_by_itself(signs_of(f"{question[:-1]} маяк lamp?"), of_a_thing=True)
