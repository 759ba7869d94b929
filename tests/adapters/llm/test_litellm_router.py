"""Models are asked through LiteLLM as the settings say, and every failure becomes a sentence."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from adapters.llm.litellm_router import ModelSettings, RoutedModel
from core.errors import BadModelOutput, ModelError, ModelRefused, ModelTimeout
from core.plan import QueryPlan
from core.ports import LanguageModel, ModelRequest
from tests.doubles.models import LoopbackModelServer, Served

# One loop for the file: LiteLLM's clients belong to the loop that made them.
pytestmark = pytest.mark.asyncio(loop_scope="module")

SECRET = "sk-loopback-0123456789abcdef"
GOOD = '{"intents": ["GENERAL_UNSTRUCTURED"]}'
REPOSITORY = Path(__file__).parents[3]


@pytest_asyncio.fixture(loop_scope="module")
async def server() -> AsyncIterator[LoopbackModelServer]:
    """A provider that says what the test writes."""
    async with LoopbackModelServer([GOOD]) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="module")
async def opened() -> AsyncIterator[list[RoutedModel]]:
    """The models of a test, closed after it."""
    models: list[RoutedModel] = []
    yield models
    for model in models:
        await model.aclose()


class Setting:
    """Opens models at the loopback server."""

    def __init__(self, server: LoopbackModelServer, opened: list[RoutedModel]) -> None:
        self.server, self.opened = server, opened

    def model(self, **changes: Any) -> RoutedModel:
        """Return a model with one planner and one answer model, changed as given."""
        usual = {"planner": ("openai/plan-a",), "answer": ("openai/answer-a",), "timeout_seconds": 5.0}
        settings = ModelSettings(**{**usual, "api_base": self.server.base, "api_key": SECRET, **changes})
        self.opened.append(RoutedModel(settings))
        return self.opened[-1]

    def asked(self) -> list[str]:
        """Return the models that were asked, in order."""
        return [received.model for received in self.server.received]


@pytest.fixture
def setting(server: LoopbackModelServer, opened: list[RoutedModel]) -> Setting:
    """A loopback server and a way to open models at it."""
    return Setting(server, opened)


def planning(**changes: Any) -> ModelRequest:
    """Return a planner's request."""
    usual: dict[str, Any] = {
        "role": "planner",
        "system": "You plan.",
        "user": "Where is RAG used?",
        "schema": QueryPlan.model_json_schema(),
        "max_tokens": 300,
        "name": "QueryPlan",
    }
    return ModelRequest(**{**usual, **changes})


def by_model(**replies: Served | str) -> Any:
    """Return a script that replies by the last letter of the model's name."""
    return lambda body: replies[str(body["model"])[-1]]


async def failure(model: LanguageModel, request: ModelRequest | None = None) -> ModelError:
    """Return the error of a call."""
    with pytest.raises(ModelError) as raised:
        await model.complete(request or planning())
    return raised.value


async def test_reply_with_its_model_and_cost(setting: Setting) -> None:
    """A completion is the JSON that was written, the model as it was configured, and the tokens it cost."""
    setting.server.script = [Served(GOOD, tokens=41)]

    completion = await setting.model().complete(planning())

    assert (GOOD, "openai/plan-a", 41) == (completion.text, completion.model, completion.tokens)


@pytest.mark.parametrize(
    "useless", [Served("no JSON", tokens=30), Served(GOOD, tokens=30, finish="length"), Served(" ", tokens=30)]
)
async def test_what_cannot_be_used_is_paid_for(setting: Setting, useless: Served) -> None:
    """By who is told that no model answered, or with the reply of the next model."""
    setting.server.script = [useless]
    failed = await failure(setting.model())
    setting.server.script = by_model(a=useless, b=Served(GOOD, tokens=41))
    completion = await setting.model(planner=("openai/plan-a", "openai/plan-b")).complete(planning())

    assert (30, 71) == (failed.tokens, completion.tokens)


async def test_schema_is_sent_strict(setting: Setting) -> None:
    """The provider is told to enforce the schema, in the form that strict modes accept."""
    await setting.model().complete(planning())

    sent = setting.server.received[0].body["response_format"]
    assert ("json_schema", "QueryPlan", True) == (
        sent["type"],
        sent["json_schema"]["name"],
        sent["json_schema"]["strict"],
    )
    assert sorted(QueryPlan.model_fields) == sorted(sent["json_schema"]["schema"]["required"])
    assert "$ref" not in str(sent)


async def test_each_role_has_its_own_model_and_manner(setting: Setting) -> None:
    """Model, temperature and room for the reply are those of the role and the request."""
    model = setting.model(planner_temperature=0.1, answer_temperature=0.4)

    await model.complete(planning(max_tokens=123))
    await model.complete(planning(role="answer", max_tokens=456))

    sent = [
        (body["model"], body["temperature"], body["max_tokens"]) for body in (r.body for r in setting.server.received)
    ]
    assert [("plan-a", 0.1, 123), ("answer-a", 0.4, 456)] == sent


async def test_prompts_arrive_as_given(setting: Setting) -> None:
    """System and user prompts reach the provider unchanged when it enforces the schema itself."""
    await setting.model().complete(planning())

    messages = setting.server.received[0].body["messages"]
    assert [("system", "You plan."), ("user", "Where is RAG used?")] == [(m["role"], m["content"]) for m in messages]


@pytest.mark.parametrize(
    "broken",
    [
        Served(status=500),
        Served(status=401),
        Served(status=429),
        Served(kind="stall"),
        Served(kind="drop"),
        Served("Sorry, I can't."),
        Served("", finish="length"),
    ],
    ids=["500", "401", "429", "time-out", "dropped", "no JSON", "cut off"],
)
async def test_next_model_of_the_chain_answers(setting: Setting, broken: Served) -> None:
    """When the first model gives no usable reply, the second one's is returned, and the first is asked once."""
    setting.server.script = by_model(a=broken, b=GOOD)
    model = setting.model(planner=("openai/plan-a", "openai/plan-b"), timeout_seconds=1.0)

    completion = await model.complete(planning())

    assert (GOOD, "openai/plan-b") == (completion.text, completion.model)
    assert ["plan-a", "plan-b"] == setting.asked()


async def test_failing_model_rests(setting: Setting) -> None:
    """A model that keeps failing is left alone for a while, so that each question does not wait for it anew."""
    setting.server.script = by_model(a=Served(status=503), b=GOOD)
    model = setting.model(planner=("openai/plan-a", "openai/plan-b"))

    for _ in range(6):
        await model.complete(planning())

    assert setting.asked().count("plan-a") < 6
    assert setting.asked().count("plan-b") == 6


async def test_resting_model_still_says_why(setting: Setting) -> None:
    """While the only model rests, the error names the reason that sent it to rest."""
    setting.server.script = [Served(status=401)]
    model = setting.model()

    errors = [await failure(model) for _ in range(5)]

    assert len(setting.server.received) < 5
    assert isinstance(errors[-1], ModelRefused)
    assert "did not accept the key" in str(errors[-1])


async def test_all_models_time_out(setting: Setting) -> None:
    """A chain of silent models ends in ModelTimeout, within each model's time."""
    setting.server.script = [Served(kind="stall")]
    model = setting.model(planner=("openai/plan-a", "openai/plan-b"), timeout_seconds=0.4)

    error = await failure(model)

    assert isinstance(error, ModelTimeout)
    assert error.retry
    assert "openai/plan-a gave no reply" in str(error)
    assert "openai/plan-b gave no reply" in str(error)


async def test_mixed_failures_make_one_error(setting: Setting) -> None:
    """A chain that fails in different ways raises ModelError with every reason; it may be tried again if one may."""
    setting.server.script = by_model(a=Served(status=404), b=Served(kind="stall"))
    model = setting.model(planner=("openai/plan-a", "openai/plan-b"), timeout_seconds=2.0)

    error = await failure(model)

    assert (ModelError, True) == (type(error), error.retry)
    assert "no such model (404)" in str(error)
    assert "no reply within 2 seconds" in str(error)


@pytest.mark.parametrize(
    ("served", "kind", "retry", "said"),
    [
        (Served(status=400), ModelRefused, False, "PLANNER_MODEL"),
        (Served(status=401), ModelRefused, False, "check MODEL_API_KEY (or OPENAI_API_KEY)"),
        (Served(status=402), ModelRefused, False, "no credit"),
        (Served(status=403), ModelRefused, False, "may not use this model"),
        (Served(status=404), ModelRefused, False, "MODEL_API_BASE"),
        (
            Served(status=400, message="This model's maximum context length is 9 tokens"),
            ModelRefused,
            False,
            "so long a prompt",
        ),
        (Served(status=429), ModelError, True, "rate limit or quota"),
        (Served(kind="html"), ModelError, True, "no completion"),
        (Served(kind="drop"), ModelError, True, "cannot be reached"),
    ],
    ids=["400", "401", "402", "403", "404", "context", "429", "html", "dropped"],
)
async def test_error_says_what_to_do(
    setting: Setting, served: Served, kind: type[ModelError], *, retry: bool, said: str
) -> None:
    """Each failure has its class, says whether trying again may help, and names the model and what to change."""
    setting.server.script = [served]

    error = await failure(setting.model())

    assert (kind, retry) == (type(error), error.retry)
    assert said in str(error)
    assert "openai/plan-a" in str(error)


async def test_server_error_is_tried_once_more(setting: Setting) -> None:
    """The last model of a chain gets a second try after a server error."""
    setting.server.script = [Served(status=500), GOOD]

    completion = await setting.model().complete(planning())

    assert GOOD == completion.text


async def test_refused_connection(setting: Setting) -> None:
    """A server that does not run is an error to retry, which names the address's setting."""
    error = await failure(setting.model(api_base="http://127.0.0.1:9/v1"))

    assert (ModelError, True) == (type(error), error.retry)
    assert "check MODEL_API_BASE" in str(error)


@pytest.mark.parametrize(
    "written",
    [
        f"```json\n{GOOD}\n```",
        f"Here is the plan:\n```\n{GOOD}\n```\nAnything else?",
        f'<think>Perhaps {{"a": 1}}?</think>{GOOD}',
        f'Perhaps {{"a": 1}}? Or rather not.\n</think>\n\n```json\n{GOOD}\n```',
        f'<Thinking>{{"a": 1}}</Thinking> <thinking>{{"b": 2}}</thinking>{GOOD}',
        f'<reasoning effort="low">Not {{"a": 1}}.</reasoning>\n{GOOD}',
        f'[THINK]{{"a": 1}}[/THINK]{GOOD}',
        f'<|channel|>analysis<|message|>{{"a": 1}}<|end|><|start|>assistant<|channel|>final<|message|>{GOOD}',
        f'<think>{{"a": nothing</think>{GOOD}',
        f"{{plan}}: {GOOD}",
    ],
    ids=[
        "fence",
        "prose and fence",
        "thinking",
        "thinking that the template opens",
        "thinking twice",
        "reasoning",
        "in brackets",
        "channels",
        "broken thought",
        "braces in prose",
    ],
)
@pytest.mark.parametrize("role", ["planner", "answer"])
async def test_json_is_taken_out_of_its_wrapping(setting: Setting, written: str, role: str) -> None:
    """Fences, prose and thinking around the JSON object are left out, whoever is asked for it."""
    setting.server.script = [written]

    completion = await setting.model().complete(planning(role=role))

    assert GOOD == completion.text


@pytest.mark.parametrize(
    "served",
    [
        Served("I'd rather not."),
        Served('["a list"]'),
        Served('{"claims": [{"text": "whole"}, {"te'),
        Served('{"claims": [{"text": "whole"}]', finish="length"),
        Served("   "),
        Served(None),
        Served("{" * 5000),
        Served('{"a":' * 5000),
    ],
    ids=["prose", "list", "broken", "cut off", "blank", "nothing", "braces", "deep"],
)
async def test_reply_without_a_whole_object(setting: Setting, served: Served) -> None:
    """A reply that holds no whole JSON object is BadModelOutput, even when an inner object is whole."""
    setting.server.script = [served]

    assert isinstance(await failure(setting.model()), BadModelOutput)


async def test_declined_reply(setting: Setting) -> None:
    """A reply that the provider's filter stopped is a refusal."""
    setting.server.script = [Served("", finish="content_filter")]

    assert isinstance(await failure(setting.model()), ModelRefused)


async def test_refused_response_format_is_left_out(setting: Setting) -> None:
    """A model that refuses the reply format is asked again with the schema in the prompt, and so from then on."""
    setting.server.script = lambda body: Served(status=400) if "response_format" in body else GOOD
    model = setting.model()

    await model.complete(planning())
    await model.complete(planning())

    bodies = [received.body for received in setting.server.received]
    assert [True, False, False] == ["response_format" in body for body in bodies]
    assert '"intents"' in bodies[1]["messages"][0]["content"]


async def test_refused_format_concerns_one_model(setting: Setting) -> None:
    """What one model refuses is still sent to the others."""
    setting.server.script = lambda body: (
        Served(status=400) if body["model"] == "plan-a" and "response_format" in body else GOOD
    )
    model = setting.model()

    await model.complete(planning())
    await model.complete(planning(role="answer"))

    assert "response_format" in setting.server.received[-1].body


@pytest.mark.parametrize(("structured", "expected"), [("json", {"type": "json_object"}), ("prompt", None)])
async def test_form_by_setting(setting: Setting, structured: str, expected: object) -> None:
    """By setting, only plain JSON is enforced, or nothing; the schema then stands in the system prompt."""
    await setting.model(structured=structured).complete(planning())

    body = setting.server.received[0].body
    assert expected == body.get("response_format")
    assert '"tool_calls"' in body["messages"][0]["content"]


async def test_unknown_provider(setting: Setting) -> None:
    """A model name that leads nowhere is refused by the variable that holds it, before any call."""
    error = await failure(setting.model(answer=("nosuch/model",)), planning(role="answer"))

    assert isinstance(error, ModelRefused)
    assert "'nosuch/model'" in str(error)
    assert "ANSWER_MODEL" in str(error)
    assert [] == setting.asked()


async def test_unknown_provider_does_not_stop_the_chain(setting: Setting) -> None:
    """A model name that leads nowhere is passed over when another model follows."""
    completion = await setting.model(planner=("nosuch/model", "openai/plan-b")).complete(planning())

    assert "openai/plan-b" == completion.model


async def test_role_without_model(setting: Setting) -> None:
    """A role without a model is not offered, and asking it says which variable to set."""
    model = setting.model(answer=())

    assert (True, False) == (model.offers("planner"), model.offers("answer"))
    assert "set ANSWER_MODEL" in str(await failure(model, planning(role="answer")))


async def test_key_goes_to_its_own_provider_only(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    """The configured key and address are for the first model's provider; another provider's model gets neither."""
    monkeypatch.setenv("HOSTED_VLLM_API_BASE", setting.server.base)
    monkeypatch.setenv("HOSTED_VLLM_API_KEY", "other")
    setting.server.script = by_model(a=Served(status=401), b=GOOD)

    await setting.model(planner=("openai/plan-a", "hosted_vllm/plan-b")).complete(planning())

    assert [f"Bearer {SECRET}", "Bearer other"] == [r.headers["Authorization"] for r in setting.server.received]


async def test_server_without_key(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of one's own can be asked without any key."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    completion = await setting.model(api_key=None).complete(planning())

    assert GOOD == completion.text


@pytest.mark.parametrize("status", [400, 401, 403, 500])
async def test_no_key_or_prompt_in_errors_and_logs(
    setting: Setting, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], status: int
) -> None:
    """Even when the provider repeats them, neither key nor prompt reaches an error, a log or the terminal."""
    caplog.set_level(logging.DEBUG)
    setting.server.script = [Served(status=status, message=f"Incorrect key {SECRET} for: Where is RAG used?")]

    error = await failure(setting.model())

    told = "".join((str(error), repr(error.__cause__), repr(error.__context__), caplog.text, *capfd.readouterr()))
    assert SECRET not in told
    assert "Where is RAG used?" not in told


async def test_settings_do_not_show_the_key(setting: Setting) -> None:
    """Printed settings hold neither key nor address."""
    shown = repr(ModelSettings(api_key=SECRET, api_base=setting.server.base))

    assert SECRET not in shown
    assert setting.server.base not in shown


async def test_parallel_calls_are_bounded(setting: Setting) -> None:
    """No more calls are open at once than the settings allow, and all are answered."""
    setting.server.script = [Served(GOOD, delay=0.05)]
    model = setting.model(max_parallel=3)

    completions = await asyncio.gather(*(model.complete(planning()) for _ in range(10)))

    assert 10 == len(completions)
    assert 3 == setting.server.most_at_once


async def test_cancelled_call_frees_its_place(setting: Setting) -> None:
    """A call that is cancelled ends at once and leaves room for the next."""
    setting.server.script = [Served(kind="stall"), GOOD]
    model = setting.model(max_parallel=1)
    await model.warm()
    call = asyncio.create_task(model.complete(planning()))
    await setting.server.asked.wait()

    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

    assert GOOD == (await model.complete(planning())).text


async def test_closed_model_can_be_replaced(setting: Setting) -> None:
    """After a model is closed, it and a new one at the same address answer."""
    model = setting.model()
    await model.complete(planning())

    await model.aclose()

    assert GOOD == (await model.complete(planning())).text
    assert GOOD == (await setting.model().complete(planning())).text


async def test_litellm_is_not_imported_before_it_is_needed() -> None:
    """Importing the adapter and making a model does not import LiteLLM, which takes seconds."""
    program = (
        "import sys; from adapters.llm.litellm_router import ModelSettings, RoutedModel;"
        "RoutedModel(ModelSettings(planner=('openai/a',))).offers('planner'); sys.exit('litellm' in sys.modules)"
    )

    process = await asyncio.create_subprocess_exec(sys.executable, "-c", program, cwd=REPOSITORY)

    assert 0 == await process.wait()
