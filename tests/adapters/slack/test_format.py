"""Replies as blocks: everything is shown, nothing is alive, and Slack takes every message."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.slack.format import answer_messages, evidence_messages
from adapters.slack.packing import MESSAGE_CHARS, TEXT_BYTES, SlackMessage
from adapters.slack.parts import in_usual_blocks, parts_of
from core.reply import Bullets, Evidence, Inline, Node, Note, Paragraph, RenderedReply, Table, Tasks, Text
from tests.platforms.slack import Message, live_mentions, visible_text
from tests.platforms.slack.content import posted_content, updated_content
from tests.platforms.slack.models import Json

WORDS = st.sampled_from(
    [
        "отпуск",
        "leave",
        "27",
        "<!channel>",
        "<@U1>",
        "<https://x.example|here>",
        "&<>",
        "&amp;",
        "@here",
        "👩\u200d💻",
        "🇳🇱",
        "e\u0301",
        "*b*",
        "`c`",
        "```",
        "\n",
        "длинноеслово" * 40,
    ]
)
SAID = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
LONG = st.one_of(SAID, st.builds(lambda text, times: text * times, SAID, st.integers(1, 50)))
TEXTS = st.builds(Text, SAID, st.sampled_from(["plain", "strong", "code", "quiet"]))
LONG_TEXTS = st.builds(Text, LONG)
LINES = st.builds(
    lambda text, notes: (text, *map(Note, notes)), st.one_of(TEXTS, LONG_TEXTS), st.lists(st.integers(1, 99))
)
BULLETS = st.builds(
    Bullets,
    st.lists(LINES, max_size=60).map(tuple),
    st.one_of(st.none(), SAID.map(lambda said: (Text(said, "strong"),))),
)
TABLES = st.integers(1, 22).flatmap(
    lambda columns: st.builds(
        Table,
        st.lists(SAID, min_size=columns, max_size=columns).map(tuple),
        st.lists(
            st.lists(st.one_of(st.just(()), TEXTS.map(lambda t: (t,))), max_size=columns).map(tuple), max_size=120
        ).map(tuple),
    )
)
NODES = st.one_of(st.builds(Paragraph, LINES), BULLETS, TABLES)
LINKS = st.sampled_from(
    [None, "https://x.example/a?b=(1)&c=<2>|3", "javascript:alert(1)", "file:///etc", "https://a b", "http://"]
)
EVIDENCE = st.builds(Evidence, st.integers(1, 99), SAID, SAID, LONG, LINKS, st.none() | SAID, st.none() | SAID)


def reply(*nodes: Node, evidence: tuple[Evidence, ...] = ()) -> RenderedReply:
    """Return an English reply."""
    return RenderedReply(nodes, evidence, "en")


def accepted(message: SlackMessage) -> Message:
    """Return the message as Slack shows it; it must take it as a new message and as an update."""
    arguments: Json = {"text": message.notification, "blocks": list(message.blocks)}
    posted_content(arguments)
    content = updated_content(arguments)
    for text in message.texts():
        updated_content({"text": text})
    return Message("C1", "1.1", "U0BOT", content.text or "", content.blocks or ())


def seen(messages: tuple[SlackMessage, ...]) -> str:
    """Return all that is seen, without white space; nobody may be mentioned."""
    shown = [accepted(message) for message in messages]
    assert [mention for message in shown for mention in live_mentions(message)] == []
    return bare(" ".join(visible_text(message) for message in shown)).replace("•", "")


def bare(text: str) -> str:
    return "".join(text.split())


def texts(parts: tuple[Inline, ...]) -> list[str]:
    return [part.text for part in parts if isinstance(part, Text)]


def claims(node: Node) -> list[str]:
    """Return every piece of text of a node, in order."""
    match node:
        case Paragraph(line):
            return texts(line)
        case Bullets(items, heading):
            return [*texts(heading or ()), *(text for item in items for text in texts(item))]
        case Table(header, rows):
            return [*header, *(text for row in rows for cell in row for text in texts(cell))]
        case Tasks(title, tasks, note=note):
            return [title, *(said for task in tasks for said in (task.title, task.detail)), note]


@settings(max_examples=15, deadline=None)
@given(st.lists(NODES, min_size=1, max_size=4))
def test_an_answer_is_shown_whole(nodes: list[Node]) -> None:
    """Slack takes every message, all words are there in order, and none of them calls anybody."""
    shown = seen(answer_messages(reply(*nodes)))

    position = 0
    for claim in (claim for node in nodes for claim in claims(node)):
        position = shown.find(bare(claim), position)
        assert position >= 0, claim


@settings(max_examples=15, deadline=None)
@given(st.lists(EVIDENCE, min_size=1, max_size=60))
def test_evidence_is_shown_whole(evidence: list[Evidence]) -> None:
    """Every title, place, date, remark and quote is there in order, however many and long they are."""
    shown = seen(evidence_messages(reply(evidence=tuple(evidence))))

    position = 0
    for entry in evidence:
        for part in (entry.title, entry.place, entry.updated or "", entry.remark or "", entry.quote):
            position = shown.find(bare(part), position)
            assert position >= 0, part


@settings(max_examples=15, deadline=None)
@given(st.lists(NODES, min_size=1, max_size=3))
def test_plain_text_is_whole_too(nodes: list[Node]) -> None:
    """The plain text that stands in for refused blocks has all words, calls nobody, and in pieces fits an update."""
    for message in answer_messages(reply(*nodes)):
        whole = Message("C1", "1.1", "U0BOT", message.plain)
        assert bare(visible_text(whole)) == bare(message.told)
        assert not live_mentions(whole)
        posts = [Message("C1", "1.1", "U0BOT", text) for text in message.texts()]

        assert bare("".join(visible_text(post) for post in posts)) == bare(message.told)
        assert all(len(post.text.encode()) <= TEXT_BYTES and not live_mentions(post) for post in posts)


def test_styles_and_footnotes() -> None:
    """Headings are bold, code is code, quiet words in a line are italic, footnotes are superscript digits."""
    (message,) = answer_messages(
        reply(
            Bullets(((Text("use "), Text("vpn", "code"), Text(" soon", "quiet"), Note(12)),), (Text("IT", "strong"),))
        )
    )

    heading, items = message.blocks[0]["elements"]
    assert heading["elements"] == [{"type": "text", "text": "IT", "style": {"bold": True}}]
    assert items["elements"][0]["elements"] == [
        {"type": "text", "text": "use "},
        {"type": "text", "text": "vpn", "style": {"code": True}},
        {"type": "text", "text": " soon", "style": {"italic": True}},
        {"type": "text", "text": "¹²"},
    ]


def test_a_quiet_line_is_a_context_block() -> None:
    """What is said aside is small, and literal."""
    (message,) = answer_messages(reply(Paragraph((Text("*Part* was left out.", "quiet"),))))

    (text,) = message.blocks[0]["elements"]
    assert (message.blocks[0]["type"], text["type"], text["text"]) == ("context", "plain_text", "*Part* was left out.")


def test_a_table_is_a_table_while_slack_takes_it() -> None:
    """Up to 100 rows and 20 columns; a larger one is lines of text; two tables are two messages."""
    rows = tuple(((Text(f"{number}"),), (Text("x"),)) for number in range(150))
    small = Table(("Number", "Letter"), rows[:99])
    kinds = [
        [block["type"] for message in answer_messages(reply(*nodes)) for block in message.blocks]
        for nodes in ([small], [Table(small.header, rows)], [small, small])
    ]

    assert kinds == [["table"], ["rich_text"], ["table", "table"]]
    assert len(answer_messages(reply(small, small))) == 2
    assert accepted(answer_messages(reply(small))[0]).blocks[0]["rows"][1][0] == {"type": "raw_text", "text": "0"}


def test_a_table_that_slack_refuses_is_lines_of_text() -> None:
    """The rest of the message keeps its form; a message without one has nothing in between."""
    table = Table(("Офис", "Дни"), (((Text("Leeds"),), (Text("27"), Note(1))), ((Text("Aston"),), ())))
    [part] = parts_of(reply(Paragraph((Text("Days", "strong"),)), table))
    usual = in_usual_blocks(part.body)

    assert usual
    [said, lines] = usual["blocks"]
    assert said == part.body["blocks"][0]
    assert "Офис | Дни\nLeeds | 27¹\nAston | —" == lines["elements"][0]["elements"][0]["text"]
    posted_content(usual)
    assert in_usual_blocks(parts_of(reply(Paragraph((Text("Days"),))))[0].body) is None


@pytest.mark.parametrize("cell", ["word " * 5_000, "слово" * 5_000, "👩\u200d💻" * 5_000])
def test_what_is_no_table_any_more_is_cut_into_messages(cell: str) -> None:
    """A row that is longer than a message goes on in the next one, and 21 columns are lines of text."""
    rows = (((Text(cell),), (Text("x"),)),)
    wide = Table(tuple(f"{n}" for n in range(21)), ())
    messages = answer_messages(reply(Table(("Text", "Letter"), rows)))

    assert bare(cell) in bare("".join(visible_text(accepted(message)) for message in messages))
    assert ["rich_text"] == [block["type"] for block in accepted(answer_messages(reply(wide))[0]).blocks]


def test_halves_of_characters_are_shown_as_what_they_are() -> None:
    """No message can carry them, and nothing else of the reply suffers by them."""
    [part, evidence] = parts_of(
        reply(Paragraph((Text("27\ud83d days"),)), evidence=(Evidence(1, "a\udc00", "b", "c"),))
    )

    assert "27? days" == part.body["text"] == part.body["plain"]
    assert "27? days" == part.body["blocks"][0]["elements"][0]["elements"][0]["text"]
    assert "a?" in evidence.body["plain"]


def test_a_heading_stays_with_its_list() -> None:
    """No message ends with a heading."""
    item = (Text("word " * 1000),)
    messages = answer_messages(
        reply(Bullets((item,)), Bullets((item,)), Bullets((item,), (Text("Heading", "strong"),)))
    )

    assert len(messages) == 2
    assert visible_text(accepted(messages[1])).startswith("Heading\n• word")


def test_an_item_is_not_torn_unless_it_must_be() -> None:
    """A list too long for a message goes on in the next with a whole item; only a huge item is cut."""
    items = tuple((Text(f"{number} " + "word " * 300),) for number in range(20))
    messages = answer_messages(reply(Bullets(items)))
    shown = [visible_text(accepted(message)) for message in messages]

    assert all(line.startswith("• ") for text in shown for line in text.splitlines())
    huge = answer_messages(reply(Bullets(((Text("word " * 5000),),))))
    assert len(huge) == 3
    assert all(len(visible_text(accepted(message))) <= MESSAGE_CHARS + 2 for message in huge)


@pytest.mark.parametrize(
    ("link", "is_link"),
    [
        ("https://wiki.example/a|b>c(d)&e", True),
        ("http://wiki.example", True),
        ("HTTPS://wiki.example", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("wiki.example", False),
        ("https://", False),
        ("https://a b", False),
        ("https://a\nb", False),
        ("https://[", False),
        ("https://wiki.example/" + "a" * 3000, False),
        (None, False),
    ],
)
def test_only_web_addresses_are_links(link: str | None, is_link: bool) -> None:  # noqa: FBT001 - a table of cases
    """A title is a link when its stored address opens in a browser; every other title is bold text."""
    (message,) = evidence_messages(reply(evidence=(Evidence(1, "Leave", "page 1", "27 days", link),)))
    accepted(message)
    [title] = [each for each in message.blocks[1]["elements"][0]["elements"] if each["text"] == "Leave"]

    assert ("link" if is_link else "text", {"bold": True}) == (title["type"], title["style"])


def test_notifications_are_short_and_say_the_answer() -> None:
    """The text beside the blocks begins the answer, fits chat.update in bytes, and ends with an ellipsis if cut."""
    (short,) = answer_messages(reply(Paragraph((Text("27 <days>"), Note(1)))))
    (long,) = answer_messages(reply(Paragraph((Text("отпуск & " * 900),))))

    assert short.notification == "27 &lt;days&gt;¹"
    assert long.notification.endswith("…")
    assert TEXT_BYTES - 100 < len(long.notification.encode()) <= TEXT_BYTES


def test_nothing_to_say_is_no_message() -> None:
    """Blank lines and absent evidence make no messages."""
    assert answer_messages(reply(Paragraph((Text(" "),)), Bullets(()), Paragraph(()))) == ()
    assert evidence_messages(reply()) == ()
