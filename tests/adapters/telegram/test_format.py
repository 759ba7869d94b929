"""What a reply becomes in Telegram, judged by Telegram's own text rules."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.telegram.format import answer_parts, evidence_parts, is_public
from adapters.telegram.richtext import Mark, Part, Rich
from adapters.telegram.split import MAX_ENTITIES, MAX_TEXT, pages
from benchmarks.telegram_rendering import judged
from benchmarks.telegram_rendering import replies as random_replies
from core.reply import Bullets, Evidence, Line, Node, Note, Paragraph, RenderedReply, Table, Text
from tests.platforms.telegram.model import RichText, utf16_length, utf16_slice
from tests.platforms.telegram.params import Params
from tests.platforms.telegram.richtext import read_text

FAMILY = "👨‍👩‍👧‍👦"


def shown(part: Part) -> RichText:
    """Return the message as Telegram shows it; fail if it refuses, drops or guesses anything."""
    warnings: list[str] = []
    sent = Params({"text": part.text, "entities": [entity.to_dict() for entity in part.entities]})
    seen = read_text(sent, warnings.append)
    assert warnings == []
    return seen


def formatted(part: Part) -> list[tuple[str, str]]:
    """Return what Telegram shows as what."""
    seen = shown(part)
    return [(each.type, utf16_slice(seen.text, each.offset, each.length)) for each in seen.entities]


def reply(*nodes: Node, evidence: tuple[Evidence, ...] = (), language: str = "en") -> RenderedReply:
    return RenderedReply(nodes, evidence, language)  # type: ignore[arg-type]


def line(text: str, *notes: int) -> Line:
    return (Text(text), *map(Note, notes))


def test_bullets_stand_under_a_bold_heading_with_their_footnotes() -> None:
    """A group has a bold heading; neighbouring marks are parted, because ¹² reads as twelve."""
    english = Bullets((line("Searches the contracts", 1, 2), line("Sorts mail", 12)), (Text("Aston", "strong"),))
    russian = Bullets((line("Ищет в договорах 😀", 3),), (Text("Астон", "strong"),))
    (part,) = answer_parts(reply(english, russian))

    assert part.text == ("Aston\n• Searches the contracts¹,²\n• Sorts mail¹²\n\nАстон\n• Ищет в договорах 😀³")
    assert formatted(part) == [("bold", "Aston"), ("bold", "Астон")]


def test_quiet_words_are_italic_and_code_is_code() -> None:
    """Styles become entities, never markup."""
    (part,) = answer_parts(
        reply(Paragraph((Text("Run "), Text("make *all*", "code"))), Paragraph((Text("не подтвердилось", "quiet"),)))
    )

    assert part.text == "Run make *all*\n\nне подтвердилось"
    assert formatted(part) == [("code", "make *all*"), ("italic", "не подтвердилось")]


def test_a_narrow_table_is_aligned() -> None:
    """Columns line up in monospaced text when a phone can show them, also in Russian."""
    table = Table(("Офис", "Дней"), ((line("Лейден", 1), line("28")), (line("Рига", 2), line("20"))))
    (part,) = answer_parts(reply(table))

    assert part.text == "Офис     Дней\n───────  ────\nЛейден¹  28\nРига²    20"
    assert formatted(part) == [("pre", part.text)]


def test_a_wide_table_becomes_one_bullet_for_each_row() -> None:
    """What a phone would wrap is told as "first — name: cell"; empty cells are left out."""
    header = ("Project", "Role in the project", "Technologies")
    rows = ((line("ALOR", 1), line("Lead"), line("RAG, LanceDB")), (line("Aston"), line(""), line("PostgreSQL")))
    (part,) = answer_parts(reply(Table(header, rows)))

    assert part.text == (
        "• ALOR¹ — Role in the project: Lead, Technologies: RAG, LanceDB\n• Aston — Technologies: PostgreSQL"
    )


ENTRY = Evidence(
    1,
    "Leave policy",
    "Vacation",
    "28 days 😀 of paid leave.",
    "https://wiki.acme.org/a_(b)?c=1",
    "updated 2026-05-01",
    "outdated",
)


def test_evidence_names_its_document_and_quotes_it() -> None:
    """An entry has a bold number and title with a link, the place, the date, a remark and the folded quote."""
    (part,) = evidence_parts(reply(evidence=(ENTRY,)))

    assert part.text == (
        "Sources\n\n1. Leave policy\nVacation · updated 2026-05-01 · outdated\n28 days 😀 of paid leave."
    )
    assert sorted(formatted(part)) == [
        ("bold", "1."),
        ("bold", "Leave policy"),
        ("bold", "Sources"),
        ("expandable_blockquote", "28 days 😀 of paid leave."),
        ("text_link", "Leave policy"),
    ]


@pytest.mark.parametrize(
    "link",
    [
        "http://wiki/page",
        "mailto:a@b.org",
        "#top",
        "/docs/a.md",
        "file:///etc/passwd",
        "tg://user?id=1",
        "javascript:1",
        "https://localhost:8080/",
        "https://a b.org/",
        "https://me:secret@a.org/",
        "https://[::1",
        "https://a.org:x/",
        "",
        "https://a.org/" + "x" * 3000,
    ],
)
def test_an_address_that_telegram_refuses_costs_only_the_link(link: str) -> None:
    """The title stays as words, because one bad address would have the whole message refused."""
    (part,) = evidence_parts(reply(evidence=(Evidence(1, "Title", "Place", "Quote.", link),)))

    assert not is_public(link)
    assert "text_link" not in [kind for kind, _ in formatted(part)]


@pytest.mark.parametrize(
    "link", ["http://a.org", "https://пример.рф/док", "https://a-b.c.org:8443/x#y", "HTTPS://A.ORG/"]
)
def test_a_public_address_is_a_link(link: str) -> None:
    """A dotted host works with http and https, in any script."""
    (part,) = evidence_parts(reply(evidence=(Evidence(1, "Title", "Place", "Quote.", link),)))

    assert ("text_link", "Title") in formatted(part)


def test_nobody_is_pinged() -> None:
    """A name with an @ in a document is shown, but never becomes a mention."""
    text = "Ask @boris_b, @everyone or hr@acme.org"
    (part,) = answer_parts(reply(Paragraph((Text(text, "strong"),))))

    assert part.text == text
    assert [found for kind, found in formatted(part) if kind == "code"] == ["@boris_b", "@everyone"]


@pytest.mark.parametrize(
    "said",
    ["Run /reindex now", "Введите /forget", "(/forget)", "/status@footnote_bot", "/reindex: how", "see /etc and /a/b"],
)
def test_no_command_is_one_tap_away(said: str) -> None:
    """A command in a document is shown, but a tap on it never gives it in the reader's name."""
    answer, proof = reply(Paragraph((Text(said),))), reply(evidence=(Evidence(1, said, said, said),))
    kinds = {kind for part in (*answer_parts(answer), *evidence_parts(proof)) for kind, _ in formatted(part)}

    assert "code" in kinds
    assert "bot_command" not in kinds


def test_a_title_that_is_a_name_stays_a_link() -> None:
    """On one range Telegram keeps code and drops the link, so that a linked title is never code."""
    (part,) = evidence_parts(reply(evidence=(Evidence(1, "@boris_b", "Place", "Quote.", "https://wiki.acme.org/b"),)))

    assert ("text_link", "@boris_b") in formatted(part)
    assert "mention" not in [kind for kind, _ in formatted(part)]


def test_addresses_in_a_message_stay_under_what_it_takes() -> None:
    """The server refuses more than some 9,500 bytes of entities; twenty long addresses need several messages."""
    entry = Evidence(1, "Title", "Place", "Quote.", "https://wiki.acme.org/" + "p" * 1_000)
    parts = evidence_parts(reply(evidence=(entry,) * 20))
    weights = [sum(12 + (len(one.url) + 8 if one.url else 0) for one in part.entities) for part in parts]

    assert max(weights) <= 9_000
    assert [found for part in parts for found in formatted(part)].count(("text_link", "Title")) == 20


def test_halves_of_characters_do_no_harm() -> None:
    """A surrogate without its other half, as broken JSON may bring it, is replaced instead of failing to be sent."""
    (part,) = answer_parts(reply(Paragraph((Text("28 \ud83d days \ud83d\ude00"),))))

    assert part.text == "28 \ufffd days 😀"


def test_a_long_list_is_cut_between_items() -> None:
    """Sixty items come in as few messages as they fit, no item in two."""
    items = tuple(line(f"Пункт {number}: {'слово ' * 30}".strip()) for number in range(60))
    parts = answer_parts(reply(Bullets(items)))

    assert len(parts) == 3
    assert all(part.text.startswith("• Пункт") and part.text.endswith("слово") for part in parts)


def test_a_heading_stays_with_its_first_item() -> None:
    """No message ends with a heading alone."""
    first = Bullets((line("x" * 4000),))
    second = Bullets((line("y" * 4000), line("z")), (Text("Group", "strong"),))
    parts = answer_parts(reply(first, second))

    assert [part.text[:5] for part in parts] == ["• xxx", "Group"]


def test_a_long_quote_is_cut_between_words_and_stays_a_quote() -> None:
    """Five thousand characters come whole, each part marked as a quotation, an entry's head with the first."""
    entry = Evidence(1, "Title", "Place", "слово " * 834)
    parts = evidence_parts(reply(evidence=(entry,)))

    assert [("expandable_blockquote" in [kind for kind, _ in formatted(part)]) for part in parts] == [True, True]
    assert parts[0].text.startswith("Sources\n\n1. Title\nPlace\nслово")
    assert " ".join(part.text for part in parts).count("слово") == 834


def test_what_a_reader_takes_for_one_character_is_not_cut() -> None:
    """A family of joined emoji and a flag stay whole even without a blank to cut at."""
    parts = answer_parts(reply(Paragraph(line("a" + FAMILY * 400 + "🇳🇱" * 1100))))

    assert len(parts) > 1
    assert all(part.text.strip("a").replace(FAMILY, "").replace("🇳🇱", "") == "" for part in parts)


@pytest.mark.parametrize("blank", [" ", "\n", "\u2028"])
def test_no_message_begins_with_a_mark_of_the_one_before(blank: str) -> None:
    """A word or a line that begins with a mark goes with what stands before it."""
    said = blank.join(["слово" * 40, "\u0301да"] * 400)
    parts = answer_parts(reply(Paragraph(line(said))))

    assert len(parts) > 1
    assert not [part.text[:5] for part in parts if part.text.startswith("\u0301")]


def test_more_entities_than_telegram_keeps_go_to_another_message() -> None:
    """Of more than a hundred the server would drop some in silence."""
    parts = evidence_parts(reply(evidence=(ENTRY,) * 60))

    assert len(parts) > 1
    assert [found for part in parts for found in formatted(part)].count(("text_link", "Leave policy")) == 60


def test_a_quote_full_of_names_keeps_its_marks() -> None:
    """Each name is an entity too, so two hundred of them go to several messages, nobody pinged."""
    parts = evidence_parts(reply(evidence=(Evidence(1, "Title", "Place", "@boris_b " * 200),)))
    found = [kind for part in parts for kind, _ in formatted(part)]

    assert (found.count("code"), found.count("mention")) == (200, 0)


def test_a_thousand_mentions_in_one_text_are_cut_in_time() -> None:
    """Whether a range fits is told by its ends, not by looking at every mark for every character."""
    rich = Rich("@u1 " * 3_000, tuple(Mark(4 * n, 4 * n + 3, "code") for n in range(3_000)))
    began = time.process_time()
    found = pages([[rich]])

    assert time.process_time() - began < 1
    assert all(len(page.marks) <= MAX_ENTITIES for page in found)
    assert 3_000 == sum(page.text.count("@u1") for page in found) == sum(len(page.marks) for page in found)


def test_an_empty_reply_has_no_messages() -> None:
    """Blank words are no message: Telegram would refuse it."""
    assert answer_parts(reply(Paragraph(line(" \n ")))) == []
    assert evidence_parts(reply()) == []


AWKWARD = (
    "Дней отпуска: 28.",
    FAMILY + "🏳️‍🌈🇳🇱👍🏽",
    "@everyone and @boris_b, look",
    "t.me/x and https://evil.example/a_(b)",
    "مرحبا بالعالم, שלום",
    "**bold** __x__ `code` [a](http://b.c) ||s||",
    "<b>& <!channel>",
    "/reindex now",
    "line one\nline two\n\nline four",
    "e\u0301" * 40,
    "hr@company.com +7 999 123-45-67 #tag $USD",
    "слово" * 30,
    "  padded  ",
)
words = st.one_of(st.sampled_from(AWKWARD), st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf"]), max_size=40))
claims = st.lists(words, min_size=1, max_size=4).map(" ".join).filter(lambda text: bool(text.strip()))
styles = st.sampled_from(["plain", "strong", "code", "quiet"])
lines = st.builds(
    lambda text, style, notes: (Text(text, style), *map(Note, notes)),
    claims,
    styles,
    st.lists(st.integers(1, 60), max_size=3),
)
rows = st.lists(st.tuples(lines, lines, lines), min_size=1, max_size=5).map(tuple)
nodes = st.one_of(
    st.builds(Paragraph, lines),
    st.builds(Bullets, st.lists(lines, min_size=1, max_size=60).map(tuple), st.none() | lines),
    st.builds(Table, st.tuples(claims, claims, claims), rows),
)
entries = st.builds(
    Evidence,
    number=st.integers(1, 60),
    title=claims,
    place=words,
    quote=st.builds(lambda text, times: text * times, claims, st.integers(1, 50)),
    link=st.sampled_from(
        [None, "https://wiki.acme.org/a", "http://wiki/page", "https://docs.acme.org/x?y=(1)", "#top"]
    ),
    updated=st.none() | st.just("updated 2026-05-01"),
    remark=st.none() | claims,
)
replies = st.builds(
    RenderedReply,
    st.lists(nodes, min_size=1, max_size=3).map(tuple),
    st.lists(entries, max_size=8).map(tuple),
    st.sampled_from(["en", "ru"]),
)


def letters(text: str) -> str:
    return re.sub(r"\s", "", text)


def texts_of(node: Node) -> list[str]:
    match node:
        case Paragraph(said):
            told = [said]
        case Bullets(items, heading):
            told = [*([heading] if heading else []), *items]
        case Table(_, cells):
            told = [cell for row in cells for cell in row]
    return [inline.text for said in told for inline in said if isinstance(inline, Text)]


@pytest.mark.parametrize("link", ["http://wiki/page", "docs/leave.md", "../leave.md#days", "mailto:hr@company.com"])
def test_a_link_that_telegram_would_refuse_is_shown_as_words(link: str) -> None:
    """One bad link would cost the whole message; its words still say where to look, and are no link either."""
    entry = Evidence(1, "Отпуск", "Days", "28 дней", link)
    [part] = evidence_parts(RenderedReply((), (entry,), "ru"))
    seen = shown(part)

    assert f"1. Отпуск ({link})\nDays" in seen.text
    assert ("code", link) in formatted(part)
    assert {"text_link", "url", "email"}.isdisjoint(entity.type for entity in seen.entities)


def test_an_endless_path_is_cut() -> None:
    """Nobody reads it to its end."""
    [part] = evidence_parts(RenderedReply((), (Evidence(1, "A", "B", "C", "x" * 5_000),), "en"))

    assert f"({'x' * 200}…)" in part.text


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        ("Ha\u030aland", "Håland"),
        ("one\u2028two\u2029three", "one\ntwo\nthree"),
        ("если:\n\tvar x", "если:\n    var x"),
        ("й\u0306", "й\u0306"),
    ],
)
def test_what_telegram_strikes_out_is_written_otherwise(said: str, seen: str) -> None:
    """So that no letter loses its ring, and no lines run into each other."""
    [part] = answer_parts(RenderedReply((Paragraph((Text(said),)),), (), "en"))

    assert shown(part).text == part.text == seen


def test_random_replies_are_taken_whole() -> None:
    """As many more are judged by benchmarks/telegram_rendering.py: none refused, changed, cut or short of a word."""
    verdicts = judged(random_replies(200, large=False))

    assert verdicts.examples == []
    assert verdicts.defects == 0
    assert verdicts.messages > verdicts.replies == 200


@settings(max_examples=60, deadline=None)
@given(replies)
def test_any_reply_is_accepted_whole(any_reply: RenderedReply) -> None:
    """Whatever documents say, Telegram takes every message as it is, pings nobody, and every word is there."""
    answer, proof = answer_parts(any_reply), evidence_parts(any_reply)
    kinds = {kind for part in (*answer, *proof) for kind, _ in formatted(part)}
    told = letters("".join(part.text for part in answer))
    proven = letters("".join(part.text for part in proof))

    assert "mention" not in kinds
    assert all(utf16_length(part.text) <= MAX_TEXT for part in (*answer, *proof))
    assert all(letters(text) in told for node in any_reply.nodes for text in texts_of(node))
    assert all(letters(entry.quote) in proven for entry in any_reply.evidence)


@pytest.mark.parametrize(
    "text",
    [
        "See README.md and docs/setup.md.",
        "Войдите на https://evil.example/vhod?a=1 или злой.рф/х",
        "www.evil.example, evil.example:8080/x, tg://resolve?domain=evilbot, 10.0.0.1/a",
        "Пишите @durov на t.me/durov",
    ],
)
def test_words_of_documents_lead_nowhere(text: str) -> None:
    """An address in a document's words is no link: only what is stored about a source is one."""
    reply = RenderedReply((Paragraph((Text(text),)),), (Evidence(1, text, "guide.md", text),), "en")
    seen = [one for made in (*answer_parts(reply), *evidence_parts(reply)) for one in shown(made).entities]

    assert [] == [one for one in seen if one.type in ("url", "mention", "text_link")]


@pytest.mark.parametrize(
    "text", ["Write to hr@company.com", "т.е. 5 дней и т.д.", "v2.3 at 10.30, e.g. here", "Конец.Начало"]
)
def test_plain_words_stay_plain(text: str) -> None:
    """What only looks a little like an address is not marked."""
    assert () == answer_parts(RenderedReply((Paragraph((Text(text),)),), (), "en"))[0].entities
