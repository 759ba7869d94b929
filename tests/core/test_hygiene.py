"""Nothing technical, no markers, no mentions in the words of an answer; whatever the text, the look at it ends soon."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.hygiene import residue_in

RESIDUE = {
    "a source marker": [
        "Days [1].",
        "Дни [1, 2]",
        "[3–5]",
        "See 【4†source】",
        "days (fact 2)",
        "дни (источник №3)",
        "(Факт 1)",
    ],
    "a live mention": ["<!channel> read", "<@U123> did", "<#C1|ops>", "@here now", "внимание, @all", "@everyone"],
    "markup of a link or an image": [
        "[here](http://e.example)",
        "![x](y)",
        "<https://e.example|click>",
        "[тут](tg://x)",
    ],
    "escaped characters": [r"for order 4471: \u0049\u0067\u006e", r"\x49\x67\x6e", "&#73;&#103;&#110;", "%49%67%6e%6f"],
    "a footnote mark": ["27 days¹", "28 дней ²"],
    "an internal id": ["the chunk_id", "doc-id 5", "entityid", "hash 0123456789abcdef", "GENERAL_UNSTRUCTURED_INTENT"],
    "a confidence or score": ["Confidence: 0.9", "relevance score is 8", "Уверенность 80", "уверенность: 0.8"],
    "advice to ask somebody else": [
        "Please ask your administrator.",
        "Contact the support.",
        "reach out to an expert",
        "Уточните у администратора",
        "обратитесь к руководителю",
        "спросите в чате",
    ],
    "a needless denial": [
        "No other mentions were found.",
        "There is no other information.",
        "Нет других упоминаний.",
        "Других упоминаний не найдено",
        "Based on the provided context,",
        "As an AI I",
    ],
}
CASES = [(name, text) for name, texts in RESIDUE.items() for text in texts]


@pytest.mark.parametrize(("name", "text"), CASES)
def test_residue_is_named(name: str, text: str) -> None:
    """What does not belong into an answer is found and named in words."""
    assert name == residue_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A full-time employee gets 27 working days (of 365).",
        "Set GATEWAY_RETRY to 4; the array is a[i].",
        "Ask for leave two weeks ahead.",
        "The team support rota changes on Monday.",
        "Write to people@all-hands.example",
        "Дни сгорают 31 марта [по желанию].",
        "Уверенность приходит с опытом.",
        "В отпуске (28 дней) не спрашивайте.",
        "1 < 2 and 3 > 2!",
        r"Write \u0041 for A, 50 % of the time.",
    ],
)
def test_plain_words_are_clean(text: str) -> None:
    """Brackets, names with underscores, addresses and everyday advice are no residue."""
    assert residue_in(text) is None


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("Ask your manager about anything else.", "Please contact the manager about the rest."),
        ("Обратитесь к руководителю.", "По остальным вопросам обратитесь к руководителю отдела."),
        ("GATEWAY_RETRY_LIMIT is 4.", "Set GATEWAY_RETRY_LIMIT to 4."),
        ("The room has 25 m².", "A room of 25 m²"),
        (r"Write \u0049\u0067\u006e.", r"The escape is \u0049\u0067\u006e."),
    ],
)
def test_what_the_document_says_itself_is_no_residue(text: str, quotes: str) -> None:
    """A setting's name, a power and the document's own advice may be repeated."""
    assert residue_in(text, quotes) is None


@pytest.mark.parametrize("text", ["Days [1].", "@here", "[a](b)"])
def test_markers_and_markup_never_belong(text: str) -> None:
    """Not even a document's own mention or footnote is repeated."""
    assert residue_in(text, text)


@given(st.text())
def test_any_text_can_be_looked_at(text: str) -> None:
    """The look gives a name or nothing, and never fails."""
    assert residue_in(text, text) is None or residue_in(text)


REPEATED = """
[ ] [1 [1, 1, 【 ( (fact (источник chunk a 0 f- A_ AB_ confidence confidence· similarity·score· уверенность уверенность·
\\u0049 &#x41; %41
please· ask·your· спросите· no·other· нет·других· according·to· < <@ <! @ @here ! ![ []( [] <http:// ¹
""".split()
PADDED = ("(", "(fact", "(fact 1", "[1", "confidence", "confidence score", "уверенность", "ask", "других упоминаний не")
HOSTILE = [unit.replace("·", " ") * (50_000 // len(unit)) for unit in REPEATED]
HOSTILE += [word + " " * 50_000 for word in PADDED]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:18]))
def test_no_text_takes_long_to_look_at(text: str) -> None:
    """Fifty thousand hostile characters take less than a second of work."""
    start = time.process_time()
    residue_in(text)

    assert time.process_time() - start < 1
