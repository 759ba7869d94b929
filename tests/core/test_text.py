"""The one analyzer: words, stems, sentences and language."""

import sys
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import (
    all_terms,
    clean,
    hidden_in,
    language_of,
    lone_signs,
    normalise,
    sentences,
    stem,
    tells_language,
    terms,
    words,
)

LETTERS = st.text(st.sampled_from("abzABZабяёАБЯЁ.!?…\"'»)( \n\t«0123-_/@+#京。！」।हि"), max_size=200)


def cut(text: str) -> list[str]:
    """Return the sentences as text."""
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where was RAG used?", "en"),
        ("Где применял RAG?", "ru"),
        ("Как настроить VPN на MacBook?", "ru"),
        ("What does «Лоцман» do for its users?", "en"),
        ("да ok", "ru"),
        ("Почта: petrova.anna@company.example", "ru"),
        ("Что на https://wiki.example.com/a/long/page?", "ru"),
        ("12 345 🙂", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_that_of_most_letters(text: str, expected: str) -> None:
    """Half Cyrillic letters or more make a text Russian; without letters it is English."""
    assert expected == language_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "Where is it?",
        "kafka and redis",
        "reset vpn access please",
        "Visas cost nothing",
        "Где?",
        "RAG у нас",
        "I",
        "Is IT closed",
        "über Kafka nachts im Büro",
    ],
)
def test_words_tell_their_language(text: str) -> None:
    """Letters of another script do, small words do, and so many that they cannot all be names."""
    assert tells_language(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2024?",
        "RAG",
        "IT?",
        "docker compose",
        "AI-Portfolio",
        "Kafka 3.7 Redis Postgres ClickHouse",
        "OKR Q3 2026",
        "https://a.com/what/is/it",
        "GATEWAY_RETRY_LIMIT",
        "👍",
    ],
)
def test_names_tell_none(text: str) -> None:
    """Anybody writes them so, whatever else they speak."""
    assert not tells_language(text)


@pytest.mark.parametrize(
    "hidden",
    ["\u200b", "\u00ad", "\u202e", "\u2066", "\u2069", "\ufeff", "\x00", "\x1b", "\x7f", "\x9b", "\U000e0041"],
)
def test_what_cannot_be_seen_is_removed(hidden: str) -> None:
    """No control character, mark of direction, joiner or tag is left in a cleaned text."""
    assert "Лоцман at Aston" == clean(f"Лоц{hidden}ман at As{hidden}ton")


@pytest.mark.parametrize(
    "seen",
    [
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family
        "\u2764\ufe0f\u200d\U0001f525",  # a heart on fire
        "می\u200cخواهم",
        "क्\u200dष",
    ],
)
def test_what_joins_letters_and_emoji_stays(seen: str) -> None:
    """It is part of what is seen; in comparison it makes no difference, and elsewhere it goes."""
    joined = f"Да {seen}, yes"

    assert joined == clean(joined)
    assert normalise(joined) == normalise(joined.replace("\u200d", "").replace("\u200c", ""))
    assert "password" == clean("pass\u200dword\u200c")
    assert (frozenset({2}), frozenset()) == (hidden_in("pa\u200dss"), hidden_in(seen))


def test_lines_and_tabs_stay() -> None:
    """Line ends and tabs are layout, not noise."""
    assert "one\n\ttwo\nтри" == clean("one\n\ttwo\nтри")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Ещё Ёлка", "еще елка"),
        (unicodedata.normalize("NFD", "Йогурт café"), "йогурт café"),
        ("Лоцма\u0301н", "лоцман"),
        ("Ло\u200bцман", "лоцман"),
        ("\ufb01rmware ２０２５", "firmware 2025"),
        ("е\u200b\u0308", "е"),
        ("İstanbul", "istanbul"),
    ],
)
def test_what_reads_the_same_is_folded_to_the_same(left: str, right: str) -> None:
    """Case, ё, compatible forms, stress and invisible characters make no difference in comparison."""
    assert right == normalise(left)


@given(LETTERS)
def test_folding_twice_changes_nothing(text: str) -> None:
    """A folded text is its own folding."""
    assert normalise(text) == normalise(normalise(text))


def test_words_keep_identifiers_whole() -> None:
    """Words come as written; codes, versions, numbers and addresses are one word each."""
    text = "INC-2041 in v2.3.1: set GATEWAY_RETRY_LIMIT to 1,500, don't mail ops@x.io; C++ и AI-Portfolio"

    assert [
        "INC-2041", "in", "v2.3.1", "set", "GATEWAY_RETRY_LIMIT", "to", "1,500",
        "don't", "mail", "ops@x.io", "C++", "и", "AI-Portfolio",
    ] == words(text)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where was it used?", ["use"]),
        ("Какие проекты в Астоне?", ["проект", "астон"]),
        ("INC-2041", ["inc-2041", "inc", "2041"]),
        ("gateway_retry", ["gateway_retry", "gateway", "retri"]),
        ("don't", ["don"]),
        ("it's", []),
        ("_", []),
        ("東京都", ["東京", "京都"]),
        ("京", ["京"]),
        ("使用VPN连接", ["使用", "vpn", "连接"]),
        ("VPN을 설정", ["vpn", "설정"]),
        ("INC-2041号", ["inc-2041", "inc", "2041", "号"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("தமிழ்நாடு", ["தமிழ்நாடு"]),
        ("ภาษี", ["ภา", "าษี"]),
        ("كِتَابٌ", ["كتاب"]),
        ("כָּתַב", ["כתב"]),
    ],
)
def test_terms_are_stems_without_stop_words(text: str, expected: list[str]) -> None:
    """Search sees stems, identifiers whole and in parts, and characters of unspaced scripts in pairs.

    Words of another script among these are words of their own; vowel signs are part of theirs, and points are not.
    """
    assert expected == terms(text)


@pytest.mark.parametrize(
    ("text", "expected"), [("税金のVPN", ["税", "金"]), ("税", []), ("Tax, налог", []), ("", [])], ids=ascii
)
def test_a_sign_of_a_word_may_be_asked_for_alone(text: str, expected: list[str]) -> None:
    """What stands in pairs is also given sign by sign, small words left out; what stands alone is a term already."""
    assert expected == lone_signs(text)


def test_word_forms_share_a_term() -> None:
    """All forms of a word are one term, in both languages."""
    assert {("проект",)} == {tuple(terms(form)) for form in ("проект", "проекты", "проектах", "Проектами")}
    assert {("polici",)} == {tuple(terms(form)) for form in ("policy", "Policies", "POLICY")}


def test_stop_words_count_with_either_e() -> None:
    """A stop word counts as one with ё or е."""
    assert [] == terms("её ещё всё")


def test_in_names_every_word_counts() -> None:
    """Stop words are words of a name."""
    assert ["the", "who"] == all_terms("The Who")
    assert ["о", "проект"] == all_terms("О проекте")


def test_a_word_with_digits_stays_whole() -> None:
    """Codes are never stemmed."""
    assert "3.1s" == stem("3.1s")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One here. Two there! Is it three? Yes…", ["One here.", "Two there!", "Is it three?", "Yes…"]),
        ("Первое. Второе! Третье? Да…", ["Первое.", "Второе!", "Третье?", "Да…"]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("Он сказал: «Хватит.» Потом ушёл.", ["Он сказал: «Хватит.»", "Потом ушёл."]),
        ("Use e.g. Kafka. Ask Dr. Brown.", ["Use e.g. Kafka.", "Ask Dr. Brown."]),
        ("С 2020 г. Дмитрий в Aston. Премия А. С. Пушкина.", ["С 2020 г. Дмитрий в Aston.", "Премия А. С. Пушкина."]),
        ("Release v2.3.1 is out. 5 days left.", ["Release v2.3.1 is out.", "5 days left."]),
        ("Title\n\nText", ["Title", "Text"]),
        (
            "第一句。第二句！真的？！他说「好。」然后走了。",
            ["第一句。", "第二句！", "真的？！", "他说「好。」", "然后走了。"],
        ),
        ("पहला वाक्य। दूसरा वाक्य॥", ["पहला वाक्य।", "दूसरा वाक्य॥"]),
        ("ما هذا؟ هذا كتاب. وهذا قلم.", ["ما هذا؟", "هذا كتاب.", "وهذا قلم."]),
        ("Das reicht. Übrigens nicht.", ["Das reicht.", "Übrigens nicht."]),
        ("  spaced out.  ", ["spaced out."]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: list[str]) -> None:
    """Full stops of abbreviations, initials and versions end nothing; closing quotes belong to their sentence."""
    assert expected == cut(text)


@given(LETTERS)
def test_sentences_hold_all_the_text(text: str) -> None:
    """Sentences stand in order, do not overlap, are trimmed, and leave out nothing but white space."""
    found = list(sentences(text))
    flat = [place for span in found for place in span]

    assert sorted(flat) == flat
    assert "".join(text.split()) == "".join("".join(cut(text)).split())
    assert all(one == one.strip() != "" for one in cut(text))


@given(st.text(max_size=300))
def test_no_text_is_too_strange(text: str) -> None:
    """The analyzer takes whatever anybody writes."""
    assert all(isinstance(term, str) and term for term in terms(text))
    assert language_of(text) in ("en", "ru")
    assert clean(text) == clean(clean(text))
    list(sentences(text))


@pytest.mark.parametrize(
    "unit", ["a", "a.", ". ", '!"', "а-", "\n", " ", "e.g. ", "_", "«", "́", "1,", "京", "京a", "。", "हि"], ids=ascii
)
def test_time_grows_with_the_length(unit: str) -> None:
    """Thirty thousand characters of anything are read within half a second."""
    text = unit * (30_000 // len(unit))
    begun = time.process_time()

    terms(text)
    list(sentences(text))

    assert time.process_time() - begun < 0.5


def test_threads_do_not_spoil_each_others_words() -> None:
    """An index run analyses pages in one thread while a question is analysed in another."""
    words = [f"{start}{end}" for start in ("провер", "шлюз", "gateway", "invoic") for end in ("ами", "ов", "ing", "es")]
    expected = [stem.__wrapped__(word) for word in words]

    def stems(_: int) -> list[str]:
        return [stem.__wrapped__(word) for word in words]

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert all(found == expected for found in pool.map(stems, range(40)))
    finally:
        sys.setswitchinterval(before)


def test_raised_digits_are_no_part_of_a_number() -> None:
    """Folded, a power or the mark of a note does not melt into the number before it; in a unit it is its digit."""
    assert terms("$49¹ а месяц") == ["49", "1", "месяц"]
    assert terms("10⁵ objects") == ["10", "5", "object"]
    assert terms("40 м²") == terms("40 м2")


@pytest.mark.parametrize(
    "forms", ["день дня дню днём дне дни дней дням днями днях", "сутки суток сутками", "копейка копеек"]
)
def test_the_forms_of_a_unit_are_one_term(forms: str) -> None:
    """28 дней and 44 дня are of the same."""
    assert 1 == len({term for form in forms.split() for term in terms(form)})
