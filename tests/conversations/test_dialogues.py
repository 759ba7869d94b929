"""Dialogues through the whole pipeline with the real examples and the real encoder."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from adapters.embedding.universal import UniversalEmbedder
from core.followup import FollowUp, Unclear
from core.hygiene import residue_in
from core.planner import PlannedBy
from core.render import text_of
from core.result import result_of
from core.text import normalise
from core.turn import TurnRecord
from tests.conversations.dialogues import Scene, scenes, well_behaved
from tests.corpora import Company, Indexes, cited, company, new_thread, shown, sources

pytestmark = pytest.mark.asyncio(loop_scope="session")

PORTFOLIO, HANDBOOK = list(scenes("portfolio")), list(scenes("handbook"))
MODES = ["quotes", "models"]
PLAYED = [(scene, mode) for mode in MODES for scene in PORTFOLIO] + [(scene, "quotes") for scene in HANDBOOK]


class Play:
    """Every dialogue, held once in each mode: many rules look at the same replies."""

    def __init__(self, companies: Mapping[str, Company]) -> None:
        self._companies = companies
        self._held: dict[tuple[str, str], dict[str, TurnRecord]] = {}

    async def record(self, scene: Scene, mode: str = "quotes") -> TurnRecord:
        """Return the record of the scene's turn, asked after the turns before it."""
        dialogue = scene.dialogue
        if (dialogue.name, mode) not in self._held:
            self._held[dialogue.name, mode] = await self._hold(scene, mode)
        return self._held[dialogue.name, mode][scene.turn.ask]

    def texts(self, scene: Scene) -> Mapping[str, str]:
        """Return the stored text of each document that the scene is about."""
        return {id_: document.text for id_, document in self._companies[scene.corpus].documents.items()}

    async def again(self, scene: Scene) -> TurnRecord:
        """Return the record of the turn in a dialogue that is held anew."""
        return (await self._hold(scene, "quotes"))[scene.turn.ask]

    async def _hold(self, scene: Scene, mode: str) -> dict[str, TurnRecord]:
        model = well_behaved(scene.dialogue) if mode == "models" else None
        of, thread = self._companies[scene.corpus], new_thread()
        return {turn.ask: await of.ask(turn.ask, thread=thread, model=model) for turn in scene.dialogue.turns}


@pytest.fixture(scope="session")
def play(portfolio: Company, handbook: Company) -> Play:
    """Return the dialogues as they were held."""
    return Play({"portfolio": portfolio, "handbook": handbook})


def _judged(scene: Scene, record: TurnRecord) -> dict[str, object]:
    """Return what is expected of a turn and does not hold."""
    turn, said = scene.turn, normalise(text_of(record.reply))
    faults: dict[str, object] = {
        "left unsaid": [words for words in turn.says if normalise(words) not in said],
        "should not be said": [words for words in turn.never if normalise(words) in said],
        "not cited": sorted(set(turn.cites) - set(sources(record))),
        "should not be cited": sorted(set(turn.without) & set(sources(record))),
        "not flagged": sorted(set(turn.flags) - set(record.answer.flags)),
    }
    if turn.refuses != record.answer.is_refusal:
        faults["refused"] = record.answer.is_refusal
    if turn.follows not in (None, isinstance(record.decision, FollowUp)):
        faults["follow-up"] = type(record.decision).__name__
    return {fault: what for fault, what in faults.items() if what != []}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("scene", PORTFOLIO, ids=str)
async def test_the_portfolio_answers_as_the_dialogue_says(scene: Scene, mode: str, play: Play) -> None:
    """Each turn says all that it should, from the right pages, and leans on the turn before only where it should."""
    record = await play.record(scene, mode)

    assert {} == _judged(scene, record)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("scene", [scene for scene in PORTFOLIO if scene.turn.cites], ids=str)
async def test_the_portfolio_cites_nothing_else(scene: Scene, mode: str, play: Play) -> None:
    """A question about structure is answered from exactly the pages that hold the answer."""
    record = await play.record(scene, mode)

    assert sorted(scene.turn.cites) == sources(record)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("scene", [scene for scene in PORTFOLIO if scene.turn.count], ids=str)
async def test_lists_are_complete(scene: Scene, mode: str, play: Play) -> None:
    """Everything on the list is told, each thing once, and nothing is left for later."""
    record = await play.record(scene, mode)

    assert (scene.turn.count, 0) == (len(record.answer.claims), record.answer.remaining)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("scene", [scene for scene in PORTFOLIO if scene.turn.plan], ids=str)
async def test_questions_about_structure_go_to_the_graph(scene: Scene, mode: str, play: Play) -> None:
    """Where an intent and a name are known, the graph answers, unless a place is headed by just what was asked."""
    record = await play.record(scene, mode)

    headed = ["document_search"] if scene.turn.headed else []
    assert ["graph_query", *headed] == [run.tool for run in record.payload.runs]


@pytest.mark.parametrize(
    ("mode", "by", "verdict"), [("quotes", "examples", "quoted"), ("models", "model", "supported")]
)
async def test_the_acceptance_conversation_is_held_in_both_modes(
    mode: str, by: PlannedBy, verdict: str, play: Play
) -> None:
    """With models they plan and write; without any the declared examples plan and the documents speak."""
    records = [await play.record(scene, mode) for scene in PORTFOLIO[:6]]

    assert {(by, verdict)} == {(one.planned_by, claim.verdict) for one in records for claim in one.answer.claims}


@pytest.mark.parametrize("scene", HANDBOOK, ids=str)
async def test_the_handbook_answers_as_the_dialogue_says(scene: Scene, play: Play) -> None:
    """Facts, follow-ups, a foreign language, refusals and replaced pages, each as the dialogue says."""
    record = await play.record(scene)

    assert {} == _judged(scene, record)


@pytest.mark.parametrize(("scene", "mode"), PLAYED, ids=str)
async def test_no_reply_holds_anything_technical(scene: Scene, mode: str, play: Play) -> None:
    """No marker, no score, no id of a passage, an intent or a tool in anything that a reader sees."""
    record = await play.record(scene, mode)

    assert [] == _technical(record)


def _technical(record: TurnRecord) -> list[str]:
    """Return what is technical in the words of a reply and in its evidence."""
    seen = shown(record)
    inner = {fact.chunk_id for fact in record.payload.facts} | {*record.plan.intents, "graph_query", "document_search"}
    said = "\n".join(claim.text for claim in record.answer.claims)
    residue = residue_in(said, "\n".join(citation.quote for citation in cited(record)))
    return sorted(word for word in inner if word in seen) + ([residue] if residue else [])


@pytest.mark.parametrize(("scene", "mode"), PLAYED, ids=str)
async def test_every_citation_is_the_documents_own_text(scene: Scene, mode: str, play: Play) -> None:
    """A citation's words are exactly what stands at its place in the stored document."""
    citations = result_of(await play.record(scene, mode))["citations"]
    texts = play.texts(scene)

    expected = [texts[one["doc_id"]][one["start"] : one["end"]] for one in citations]
    assert expected == [one["text_snippet"] for one in citations]


@pytest.mark.parametrize("scene", [PORTFOLIO[2], PORTFOLIO[3], HANDBOOK[0], HANDBOOK[2]], ids=str)
async def test_the_same_question_has_the_same_answer(scene: Scene, play: Play) -> None:
    """Asked again in other threads, a question is answered with the same words and the same evidence."""
    first = (await play.record(scene)).reply
    others = [(await play.again(scene)).reply for _ in range(3)]

    assert [first] * 3 == others


async def test_another_conversation_in_between_changes_nothing(portfolio: Company) -> None:
    """Threads do not hear each other."""
    question, follow_up = "Где применял RAG?", "А какие проекты в Aston?"
    thread = new_thread()
    await portfolio.ask(question, thread=thread)
    await portfolio.ask("Достижения на проекте АЛОР")

    expected = ["projects/lotsman.md", "projects/sufler.md", "projects/tender-analyst.md"]
    assert expected == sources(await portfolio.ask(follow_up, thread=thread))


async def test_a_restart_between_two_turns_keeps_the_thread(indexes: Indexes, embedder: UniversalEmbedder) -> None:
    """What was said before the bot was stopped is there when it is started again over the same folder."""
    data: Path = await indexes.copy("portfolio")
    thread = new_thread()
    async with company(data, embedder) as before:
        await before.ask("Где применял RAG?", thread=thread)
    async with company(data, embedder) as after:
        record = await after.ask("А какие проекты в Aston?", thread=thread)

    expected = ["projects/lotsman.md", "projects/sufler.md", "projects/tender-analyst.md"]
    assert (True, expected) == (isinstance(record.decision, FollowUp), sources(record))


async def test_a_follow_up_without_a_thread_is_a_question_of_its_own(portfolio: Company) -> None:
    """Nothing is carried over from another thread: a doubtful question has no memory."""
    await portfolio.ask("Где применял RAG?")
    record = await portfolio.ask("А какие проекты в Aston?")

    assert not isinstance(record.decision, FollowUp)


async def test_a_russian_question_is_refused_in_russian(handbook: Company) -> None:
    """What we say ourselves is in the language of the question, whatever the documents speak."""
    record = await handbook.ask("Сколько акций получают новые сотрудники на Марсе?")

    assert "Не удалось найти ответ на этот вопрос в документах." == text_of(record.reply).splitlines()[0]


@pytest.mark.parametrize("asked", ["Достижения в АЛОР", "Achievements in ALOR"])
async def test_a_name_of_two_means_the_one_that_has_what_is_asked(asked: str, portfolio: Company) -> None:
    """A company and a project go by the name; only the project's page tells achievements, so nobody is asked which."""
    record = await portfolio.ask(asked)

    assert ["projects/alor.md"] == sources(record)
    assert not isinstance(record.decision, Unclear)


@pytest.mark.parametrize("asked", ["Что такое АЛОР?", "What is ALOR?"])
async def test_a_name_of_two_that_both_have_an_answer_is_asked_about(asked: str, portfolio: Company) -> None:
    """The company's page and the project's say different things, and both are offered."""
    record = await portfolio.ask(asked)

    assert isinstance(record.decision, Unclear)
    assert 2 == len(record.reply.actions)
