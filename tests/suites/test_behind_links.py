"""Where a link in a document leads: told beside its words, to the letter, and live nowhere."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from adapters.embedding.universal import UniversalEmbedder
from adapters.slack.format import answer_messages, evidence_messages
from adapters.telegram.format import answer_parts, evidence_parts
from core.result import result_of
from tests.adapters.loaders import made
from tests.corpora import Company, cited, company, index
from tests.platforms.telegram.params import Params
from tests.platforms.telegram.richtext import read_text
from tests.suites.parity import in_slack, in_telegram, urls_in

pytestmark = pytest.mark.asyncio(loop_scope="session")

FORM, PORTAL = "https://forms.example.com/travel?id=0123456789abcdef", "https://portal.example.com/vpn"
TRAVEL = f"""# Travel

Before a trip fill in the [travel form]({FORM}) and send it to [Anna Berg](mailto:anna@example.com?subject=Trip).
The [rules](rules.md) are at [https://example.com/rules](https://example.com/rules).

## Contacts

- [GitHub](https://github.com/quillfern)
- [+44 7700 900118](tel:+447700900118)
- Letters: letters@example.com
"""
VPN = f"""<title>VPN</title><h1>VPN</h1>
<p>Инструкция по подключению VPN лежит <a href="{PORTAL}">на портале</a>.</p>
<p>Пропуск выдаёт <a href="javascript:alert(1)">охрана</a> на первом этаже.</p>"""
BADGE = "https://badges.example.com/new"
WORD = made.docx(
    made.paragraph("Badges", "Title"),
    '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    f'<w:r><w:instrText> HYPERLINK "{BADGE}" </w:instrText></w:r>'
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>Badge request</w:t></w:r>'
    '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    '<w:r><w:t xml:space="preserve"> opens the gate in Leeds.</w:t></w:r></w:p>',
)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def linked(tmp_path_factory: pytest.TempPathFactory, embedder: UniversalEmbedder) -> AsyncIterator[Company]:
    """Return the company whose documents have links."""
    folder = tmp_path_factory.mktemp("linked")
    (folder / "travel.md").write_text(TRAVEL)
    (folder / "vpn.html").write_text(VPN)
    (folder / "badges.docx").write_bytes(WORD)
    await index(folder, folder / ".data", embedder)
    async with company(folder / ".data", embedder) as of:
        yield of


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Where is the travel form?", ("travel form", FORM)),
        ("What is the link to the travel form?", ("travel form", FORM)),
        ("Whom is the travel form sent to?", ("Anna Berg", "anna@example.com")),
        ("Где инструкция по подключению VPN?", ("на портале", PORTAL)),
        ("Which request opens the gate in Leeds?", ("Badge request", BADGE)),
        ("Дай ссылку на инструкцию по VPN", ("на портале", PORTAL)),
    ],
)
async def test_a_quote_tells_where_its_links_lead(linked: Company, question: str, lead: tuple[str, str]) -> None:
    """The words of the quote stay those of the page; what stands behind them is told under it, on every platform."""
    record = await linked.ask(question)
    (entry,) = record.reply.evidence

    assert not record.answer.is_refusal
    assert lead in entry.leads
    assert all(one.quote == one.span.within(linked.documents[one.source.doc_id].text) for one in cited(record))
    assert {"text": lead[0], "address": lead[1]} in result_of(record)["citations"][0]["links"]
    assert f"→ {lead[0]}: {lead[1]}" in "\n".join(part.text for part in evidence_parts(record.reply))
    assert f"→ {lead[0]}: {lead[1]}" in "\n".join(one.told for one in evidence_messages(record.reply))
    assert in_slack(record.reply).evidence == in_telegram(record.reply).evidence


async def test_a_contact_that_is_nothing_but_a_link_is_told_with_its_address(linked: Company) -> None:
    """«GitHub» alone tells nobody anything; an address that is already said is said once."""
    reply = (await linked.ask("What are the contacts?")).reply

    (answer,) = answer_parts(reply)
    assert "• GitHub: https://github.com/quillfern¹\n• +44 7700 900118¹\n" in answer.text
    assert (("GitHub", "https://github.com/quillfern"),) == reply.evidence[0].leads


@pytest.mark.parametrize("question", ["Where is the travel form?", "What are the contacts?", "Где инструкция по VPN?"])
async def test_what_stands_behind_a_link_is_not_live(linked: Company, question: str) -> None:
    """Whoever writes a page could else lead its readers anywhere, in the bot's name."""
    reply = (await linked.ask(question)).reply
    parts = [*answer_parts(reply), *evidence_parts(reply)]
    texts = [
        read_text(Params({"text": part.text, "entities": [one.to_dict() for one in part.entities]}), pytest.fail)
        for part in parts
    ]

    assert {"url", "text_link", "mention"}.isdisjoint(one.type for text in texts for one in text.entities)
    assert [] == [url for one in (*answer_messages(reply), *evidence_messages(reply)) for url in urls_in(one.blocks)]


async def test_what_leads_nowhere_is_not_told(linked: Company) -> None:
    """A path means something only where the document lies, and a script is no address."""
    told = [
        *(await linked.ask("Where are the rules?")).reply.evidence,
        *(await linked.ask("Кто выдаёт пропуск?")).reply.evidence,
    ]

    assert [] == [address for one in told for _, address in one.leads if "rules" in address or "alert" in address]
