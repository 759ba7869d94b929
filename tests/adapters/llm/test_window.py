"""What is found is cut to what the answer model reads at once, and what it was not shown is counted."""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
import pytest_asyncio

from adapters.llm.litellm_router import ModelSettings, RoutedModel
from core.answer import Draft
from core.answering import draft_with_model
from core.context import MOST_GIVEN, AnswerContext
from core.errors import ModelRefused
from core.masking import MaskedModel
from core.ports import LanguageModel
from tests.core.corpus import fact
from tests.core.scenes import context
from tests.doubles.models import LoopbackModelServer, Served, json_values

pytestmark = pytest.mark.asyncio(loop_scope="module")

ABSTAINS = '{"claims": [], "abstain": true, "nearest": [1]}'
SENTENCES = {
    "en": "Everyone gets twenty-seven working days of paid vacation a year, of which two weeks are taken in one go.",
    "ru": "Каждому сотруднику положено двадцать восемь календарных дней отпуска, из них четырнадцать дней подряд.",
}
# Characters of a token: fewer than those of any model in use that reads Russian (Llama 2: 2.4 and 3.9).
HARSH = {"en": 3.9, "ru": 1.7}
WRITES = 500


@pytest_asyncio.fixture(loop_scope="module")
async def server() -> AsyncIterator[LoopbackModelServer]:
    """A provider that abstains."""
    async with LoopbackModelServer([ABSTAINS]) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="module")
async def opened() -> AsyncIterator[list[RoutedModel]]:
    """The models of a test, closed after it."""
    models: list[RoutedModel] = []
    yield models
    for model in models:
        await model.aclose()


def asked(language: str, facts: int = MOST_GIVEN, times: int = 6) -> AnswerContext:
    """Return a question with so many facts of a few sentences, each told apart by its number."""
    texts = [
        f"{number}. {SENTENCES[language]} " + " ".join([SENTENCES[language]] * (times - 1)) for number in range(facts)
    ]
    question = {"en": "How many days of leave do I get?", "ru": "Сколько дней отпуска мне положено?"}[language]
    return context(*(fact(text, doc=f"{n}.md") for n, text in enumerate(texts)), question=question)


def facts_in(body: Mapping[str, Any]) -> list[int]:
    """Return the numbers of the facts that a request holds, in order."""
    found = json_values(body["messages"][-1]["content"])
    return [one["fact"] for one in found if isinstance(one, dict) and "fact" in one]


def size_of(body: Mapping[str, Any]) -> int:
    """Return how many characters the model has to read."""
    return sum(len(one["content"]) for one in body["messages"])


async def drafted(model: LanguageModel, given: AnswerContext) -> Draft:
    """Return the model's draft."""
    return await draft_with_model(given, model, lambda: "MARK", WRITES)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("window", [4_096, 8_192])
async def test_facts_are_cut_to_the_window(
    server: LoopbackModelServer, opened: list[RoutedModel], window: int, language: str
) -> None:
    """The first facts are given, as many as fit with room to write; those left out are counted, one by one."""
    settings = ModelSettings(answer=("openai/own",), api_base=server.base, api_key="-", answer_window=window)
    opened.append(RoutedModel(settings))

    draft = await drafted(opened[-1], asked(language))

    [received] = server.received
    given = facts_in(received.body)
    assert list(range(1, len(given) + 1)) == given
    assert MOST_GIVEN == len(given) + draft.unread
    assert 0 < draft.unread < MOST_GIVEN
    schema = len(json.dumps(received.body["response_format"])) / 3.9
    harsh = size_of(received.body) / HARSH[language] + schema + WRITES
    assert 0.5 * window < harsh <= window


async def test_all_is_given_where_it_fits(server: LoopbackModelServer, opened: list[RoutedModel]) -> None:
    """A window that holds all leaves nothing out; nor is anything left out where nobody knows the window."""
    for window in (64_000, None):
        settings = ModelSettings(answer=("openai/own",), api_base=server.base, api_key="-", answer_window=window)
        opened.append(RoutedModel(settings))
        draft = await drafted(opened[-1], asked("ru"))

        assert 0 == draft.unread

    assert [MOST_GIVEN] * 2 == [len(facts_in(one.body)) for one in server.received]


async def test_the_list_of_models_is_known(server: LoopbackModelServer, opened: list[RoutedModel]) -> None:
    """Without the setting LiteLLM's list counts, for what is read and for what can be written."""
    settings = ModelSettings(answer=("openai/gpt-4",), api_base=server.base, api_key="-", structured="prompt")
    opened.append(RoutedModel(settings))

    draft = await draft_with_model(asked("ru"), opened[-1], lambda: "MARK", 6_000)

    [received] = server.received
    assert 4_096 == received.body["max_tokens"]
    assert draft.unread == MOST_GIVEN - len(facts_in(received.body)) > 0


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_a_server_that_says_it_is_too_long(
    server: LoopbackModelServer, opened: list[RoutedModel], language: str
) -> None:
    """Where nobody knows the window and the server refuses the prompt for its length, it gets half of the facts."""
    most = size_of({"messages": [{"content": "x" * 3_000}]}) + 12 * len(SENTENCES[language]) * 6

    def reply(body: Mapping[str, Any]) -> Served:
        message = "the request exceeds the available context size, try increasing it"
        return Served(ABSTAINS) if size_of(body) <= most else Served(status=400, message=message)

    server.script = reply
    opened.append(RoutedModel(ModelSettings(answer=("openai/own",), api_base=server.base, api_key="-")))

    draft = await drafted(opened[-1], asked(language))

    assert [40, 20, 10] == [len(facts_in(one.body)) for one in server.received]
    assert 30 == draft.unread


async def test_a_window_for_not_even_one_fact(server: LoopbackModelServer, opened: list[RoutedModel]) -> None:
    """A model that cannot read the first fact is not asked."""
    settings = ModelSettings(answer=("openai/own",), api_base=server.base, api_key="-", answer_window=2_000)
    opened.append(RoutedModel(settings))

    with pytest.raises(
        ModelRefused, match="cannot read so long a prompt: choose a model with more room in ANSWER_MODEL"
    ):
        await drafted(opened[-1], asked("ru", times=40))

    assert [] == server.received


async def test_each_model_of_a_chain_has_its_own(server: LoopbackModelServer, opened: list[RoutedModel]) -> None:
    """The next model reads as much as it can, not as much as the one before it."""
    server.script = lambda body: Served(status=500) if "0613" in body["model"] else Served(ABSTAINS)
    models = ("openai/gpt-4-0613", "openai/gpt-4o")
    settings = ModelSettings(answer=models, api_base=server.base, api_key="-", structured="prompt")
    opened.append(RoutedModel(settings))

    draft = await drafted(opened[-1], asked("ru"))

    assert MOST_GIVEN > len(facts_in(server.received[0].body))
    assert (MOST_GIVEN, 0) == (len(facts_in(server.received[-1].body)), draft.unread)


async def test_masks_are_the_same_in_what_is_left(server: LoopbackModelServer, opened: list[RoutedModel]) -> None:
    """Personal data in a cut request has the tokens of the whole one, so that a reply is read with the right words."""
    facts = [
        fact(f"Room {n}: write to desk{n}@quillfern.example. " + SENTENCES["en"] * 8, doc=f"{n}.md") for n in range(40)
    ]
    given = context(*facts, question="Is desk2@quillfern.example or boss@quillfern.example right?")
    server.script = lambda body: json.dumps(
        {"claims": [{"text": body["messages"][-1]["content"].split("Question: ")[1], "evidence": []}]},
        ensure_ascii=False,
    )
    settings = ModelSettings(answer=("openai/own",), api_base=server.base, api_key="-", answer_window=4_096)
    opened.append(RoutedModel(settings))

    draft = await drafted(MaskedModel(opened[-1]), given)

    assert draft.unread
    assert "quillfern.example" not in str(server.received[0].body)
    assert given.question == draft.claims[0].text
