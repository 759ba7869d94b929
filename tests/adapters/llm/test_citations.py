"""Models that cite documents by themselves are asked to, through LiteLLM, and what they cite is judged as ever."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import pytest
import pytest_asyncio

from adapters.llm.litellm_router import ModelSettings, RoutedModel
from core.answer import Answer, Draft
from core.answering import draft_with_model
from core.masking import MaskedModel
from core.ports import LanguageModel, ModelRequest
from core.verify import verify
from tests.core.scenes import ENGLISH, RUSSIAN, context
from tests.doubles.citing import CitingServer, Piece, Refused, documents_of, parts_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

ANTHROPIC, COHERE = "anthropic/claude-sonnet-4-5", "cohere_chat/command-a-03-2025"
QUESTION = {"en": "How many days of leave do I get?", "ru": "Сколько сервисов Дмитрий перевёл на PostgreSQL?"}
TRUE = {"en": "You get 27 working days of paid vacation.", "ru": "Дмитрий перевёл 14 сервисов на PostgreSQL 13."}
FALSE = {"en": "You get 29 working days of paid vacation.", "ru": "Дмитрий перевёл 19 сервисов на PostgreSQL 13."}
PROOF = {"en": "27 working days", "ru": "14 сервисов"}
FORM = '{"claims": [{"evidence": [{"fact": 1, "quote": "27"}], "text": "27", "group": null}], "abstain": false}'


@pytest_asyncio.fixture(loop_scope="module")
async def server() -> AsyncIterator[CitingServer]:
    """A provider that cites as the test says."""
    async with CitingServer() as made:
        yield made


class Opened:
    """A model at the provider, closed after the test."""

    def __init__(self, server: CitingServer) -> None:
        self.server, self.models = server, list[RoutedModel]()

    def at(self, model: str, **changes: Any) -> RoutedModel:
        """Return the model with citations of its own."""
        base = self.server.base + ("" if model == ANTHROPIC else "/v2/chat")
        known = {"answer": (model,), "timeout_seconds": 10.0, "api_base": base, "api_key": "sk-loopback"}
        self.models.append(RoutedModel(ModelSettings(**{**known, "native_citations": True, **changes})))
        return self.models[-1]


@pytest_asyncio.fixture(loop_scope="module")
async def opened(server: CitingServer) -> AsyncIterator[Opened]:
    """A way to open models at the provider."""
    made = Opened(server)
    yield made
    for model in made.models:
        await model.aclose()


def places_of(body: Mapping[str, Any], words: str) -> list[tuple[int, int]]:
    """Return the place of the part of a request's documents that holds the words, as either provider has them."""
    parts = [
        ((place, part), text)
        for place, document in enumerate(documents_of(body))
        for part, text in enumerate(parts_of(document))
    ]
    for one in body.get("documents", ()):
        place, part = one["id"].split(".")
        parts.append(((int(place), int(part)), one["data"]["snippet"]))
    return [place for place, text in parts if words in text][:1]


def saying(*pieces: tuple[str, str]) -> Any:
    """Return a script that says these words, each citing the part that holds the others; none where they are empty."""

    def script(body: Mapping[str, Any]) -> Sequence[Piece]:
        return [(said, places_of(body, words) if words else ()) for said, words in pieces]

    return script


async def drafted(model: LanguageModel, language: str) -> tuple[Draft, Answer]:
    """Return the model's draft on both corpora, and what holds of it."""
    asked = context(*ENGLISH, *RUSSIAN, question=QUESTION[language])
    draft = await draft_with_model(asked, model, lambda: "MARK", 500)
    return draft, verify(draft, asked, last=False)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("model", [ANTHROPIC, COHERE])
async def test_what_a_provider_cites_proves_a_claim(
    opened: Opened, server: CitingServer, model: str, language: str
) -> None:
    """A sentence with the provider's citation is a claim with the quote, and is shown with it."""
    server.script = saying((TRUE[language], PROOF[language]))

    draft, answer = await drafted(opened.at(model), language)

    assert [TRUE[language]] == [claim.text for claim in answer.claims]
    assert PROOF[language] in str(answer.claims[0].citations[0].quote)
    assert (model, None) == (draft.model, draft.abstain)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("model", [ANTHROPIC, COHERE])
async def test_a_citation_of_the_provider_proves_nothing_by_itself(
    opened: Opened, server: CitingServer, model: str, language: str
) -> None:
    """A sentence that says otherwise than what the provider cites for it is refused, like any other."""
    server.script = saying((FALSE[language], PROOF[language]))

    _, answer = await drafted(opened.at(model), language)

    assert () == answer.claims
    assert [FALSE[language]] == [one.claim for one in answer.rejected]


@pytest.mark.parametrize("model", [ANTHROPIC, COHERE])
async def test_sentences_in_pieces(opened: Opened, server: CitingServer, model: str) -> None:
    """A claim is a whole sentence with all that is cited in it; marks of lists go; what cites nothing has no proof."""
    server.script = saying(
        ("Here is what holds:\n", ""),
        ("- You get 27 working days", "27 working days"),
        (", and ", ""),
        ("at most 5 may be carried over", "At most 5 days"),
        (".\n- ", ""),
        ("Claims are submitted within 60 days.", "within 60 days"),
        (" Ask me for more.", ""),
    )

    draft, _ = await drafted(opened.at(model), "en")

    said = [(claim.text, len(claim.evidence)) for claim in draft.claims]
    assert [
        ("You get 27 working days, and at most 5 may be carried over.", 2),
        ("Claims are submitted within 60 days.", 1),
        ("Ask me for more.", 0),
    ] == said
    assert "Here is what holds:" == draft.lead


@pytest.mark.parametrize("model", [ANTHROPIC, COHERE])
async def test_abstaining(opened: Opened, server: CitingServer, model: str) -> None:
    """A reply that is the agreed word abstains."""
    server.script = saying(("ABSTAIN", ""))

    draft, _ = await drafted(opened.at(model), "en")

    assert draft.abstain
    assert () == draft.claims


async def test_no_schema_beside_documents(opened: Opened, server: CitingServer) -> None:
    """Anthropic refuses a schema together with citations, and gets none; nor a request to stream."""
    server.script = saying((TRUE["en"], PROOF["en"]))

    await drafted(opened.at(ANTHROPIC), "en")

    [body] = server.bodies
    assert {"output_format", "output_config", "tools"}.isdisjoint(body)
    assert not body.get("stream")
    assert all(one["citations"] == {"enabled": True} for one in documents_of(body))


@pytest.mark.parametrize("reply", [Refused("documents: extra inputs are not permitted"), [("They say 27 days.", ())]])
async def test_a_model_that_does_not_cite_is_asked_in_the_usual_form(
    opened: Opened, server: CitingServer, reply: Any
) -> None:
    """It refuses documents, or cites nothing: its words prove nothing, so it is asked for quotes."""
    server.script = lambda body: reply if documents_of(body) else [(FORM, ())]
    model = opened.at(ANTHROPIC, structured="prompt")

    first, _ = await drafted(model, "en")
    await drafted(model, "en")

    assert ["27"] == [claim.text for claim in first.claims]
    # Who refuses documents is not asked with them again.
    assert ([True, False, False] if isinstance(reply, Refused) else [True, False, True, False]) == [
        bool(documents_of(body)) for body in server.bodies
    ]


async def test_only_where_the_setting_says_so(opened: Opened, server: CitingServer) -> None:
    """Without `NATIVE_CITATIONS` the model is asked for quotes."""
    server.script = lambda _: [(FORM, ())]

    await drafted(opened.at(ANTHROPIC, structured="prompt", native_citations=False), "en")

    assert [[]] == [documents_of(body) for body in server.bodies]


async def test_documents_are_masked_too(opened: Opened, server: CitingServer) -> None:
    """Where providers are to see no personal data, it is in no document either, and is quoted all the same."""
    server.script = saying(("Write to ⟨EMAIL_1⟩.", "⟨EMAIL_1⟩"))

    draft, _ = await drafted(MaskedModel(opened.at(ANTHROPIC)), "en")

    assert "claims@quillfern.example" not in str(server.bodies)
    assert ["Write to claims@quillfern.example."] == [claim.text for claim in draft.claims]
    assert "claims@quillfern.example" in draft.claims[0].evidence[0].quote


async def test_what_is_paid_for_is_counted(opened: Opened, server: CitingServer) -> None:
    """A reply that cites nothing costs its tokens beside those of the usual form."""
    server.script = lambda body: [("They say so.", ())] if documents_of(body) else [(FORM, ())]
    request: list[ModelRequest] = []

    class Kept:
        def offers(self, role: str) -> bool:
            return bool(role)

        async def complete(self, asked: ModelRequest) -> Any:
            request.append(asked)
            raise AssertionError

    with pytest.raises(AssertionError):
        await drafted(Kept(), "en")  # type: ignore[arg-type]

    assert 82 == (await opened.at(ANTHROPIC, structured="prompt").complete(request[0])).tokens
