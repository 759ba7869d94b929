"""What is said in a thread that we have answered in, by its words alone: whether it may go on with us."""

import pytest

from core.joining import joins

# Said by people to each other beside an answer.
TALK = """
see you at the meeting
he is on leave anyway
that's what I told him yesterday
ok, let me ask HR
wow that's a lot
interesting, I had no idea
sorry, wrong thread
haha classic
so I was right
my bad
good to know
we should tell the team
Ada, did you get it?
Grace, can you check this?
let's discuss it tomorrow
I'm booking the flights now
thanks, will pass it on
я думал, что 30
он сейчас в отпуске
Лена, глянь, пожалуйста
ну и отлично, так и передам
скинь мне файл
я ему вчера то же самое сказал
давай созвонимся
спрошу у кадров
ого, много
ладно, потом обсудим
мы же так и договаривались
Паша, ты в курсе?
спасибо, передам ему
lol same here
he never reads the handbook
I'll take half a day off then
that answers it, closing the ticket
а я говорил!
у меня то же самое
перешли потом Оле
мне кажется, раньше было больше
""".strip().splitlines()
# The same, though it asks: from nobody but who asked us before is it worth a look.
ASKED_OF_PEOPLE = """
lunch?
are you coming at 5?
did you see that Ada?
will you join the call?
can you send me the file?
who wants coffee?
пойдём обедать?
ты это видел?
а ты завтра будешь?
кто идёт на кофе?
можешь переслать?
shall I call them?
do you want me to book it?
созвонимся в три?
ты уже подал заявление?
кто сегодня дежурит?
""".strip().splitlines()
GOES_ON = """
And for Leeds?
and how much is the bonus?
how many days can be carried over?
What about part-timers?
in Leeds?
Does it include sick days?
who approves it?
what if I leave in May?
tell me about the bonus
А для Казани?
а сколько дней можно перенести?
Кто это согласует?
а в Лидсе?
а если я уволюсь?
а премия?
входят ли туда больничные?
Сколько составляют суточные?
расскажи про премию
and for contractors?
how long does approval take?
and on public holidays?
can it be cashed out?
what about interns?
а для подрядчиков?
сколько ждать согласования?
можно ли взять деньгами?
а стажёрам?
кому подавать заявление?
""".strip().splitlines()
# Named, and nothing is said of it: from who asked before it is a question, if the documents know it.
NAMED = """
достижения на проекте АЛОР
размер суточных
суточные в командировке
Срок согласования отпуска
график работы офиса в Казани
телефон поддержки
технологии в AI-Portfolio
отпуск по уходу за ребёнком
главный бухгалтер
bonus amount
contact details of the Leeds office
sick leave policy
release steps for Heron
""".strip().splitlines()
LEANS = ["why is that?", "how many of them?", "more", "show more", "ещё", "а ещё?"]


@pytest.mark.parametrize("text", TALK)
def test_talk_between_people_is_theirs(text: str) -> None:
    """Whoever of them says it."""
    assert [None, None] == [joins(text, asked_before=True), joins(text, asked_before=False)]


@pytest.mark.parametrize("text", ASKED_OF_PEOPLE)
def test_what_people_ask_each_other_is_theirs(text: str) -> None:
    """Whoever asked us before is looked at once more, and told nothing for certain."""
    assert joins(text, asked_before=False) is None
    assert joins(text, asked_before=True) in (None, "perhaps")


@pytest.mark.parametrize("text", GOES_ON)
def test_a_follow_up_is_worth_a_look_whoever_asks_it(text: str) -> None:
    """Who asked before is told whatever comes of it; others, if the documents know it."""
    assert ["surely", "perhaps"] == [joins(text, asked_before=True), joins(text, asked_before=False)]


@pytest.mark.parametrize("text", NAMED)
def test_what_only_names_a_thing_is_looked_for_without_a_question_mark(text: str) -> None:
    """People write so as they search; it is seen by nobody where the documents do not know it, or from others."""
    assert ["perhaps", None] == [joins(text, asked_before=True), joins(text, asked_before=False)]


@pytest.mark.parametrize(
    "text",
    [
        *("закрываю тикет", "отчёт отправляется в пятницу", "начальник обедает", "скину отчёт"),
        *("ticket closed, thanks", "works for me", "great policy", "the meeting is moved", "отпуск!", "вот это отпуск"),
    ],
)
def test_what_says_something_of_a_thing_is_talk(text: str) -> None:
    """What somebody does, thinks of it, or lays stress on."""
    assert joins(text, asked_before=True) is None


@pytest.mark.parametrize("text", LEANS)
def test_what_names_nothing_is_taken_from_who_asked_before(text: str) -> None:
    """From anybody else it may ask anybody."""
    assert joins(text, asked_before=True) == "surely"
    assert joins(text, asked_before=False) in (None, "perhaps")


def test_reports_and_pasted_text_are_no_questions() -> None:
    """However they end."""
    assert joins("This is what happened. " * 30 + "How many days?", asked_before=False) is None
