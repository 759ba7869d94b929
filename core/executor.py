"""Running a plan: its tools side by side, the fallback when they bring too little, and how much was covered."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.alike import alike_search
from core.asked import SHOWS, denies
from core.asking import asking_terms, may_answer
from core.calling import Call, Outcome, Tools, called, intent_of, is_of, not_called
from core.counting import counted_first, counted_thing, says_how_many
from core.entities import Entity, Registry, make_registry, name_term, resolve_entities
from core.facts import Because, Fact, FactsPayload, Part, ToolRun, held_terms
from core.fielded import field_search
from core.headed import is_said
from core.kinds import words_of_kind
from core.plan import ALL_PAGES, NO_KIND, TIES, DocumentSearch, GraphQuery, QueryPlan, Shape
from core.proof.lexicon import light
from core.sought import sought_by
from core.spread import wider_search
from core.text import terms

# Below this share of what was asked, the facts are too few and the fallback runs.
LOW_COVERAGE = 0.5
# The plan's own calls get this share of the step's seconds, the fallback what is left.
_OWN_SHARE = 0.7
# Look-ups that tell a part of one page: another part of it may be what is asked for.
_OF_A_PAGE = ("section", "overview")


async def run_plan(plan: QueryPlan, question: str, tools: Tools) -> FactsPayload:
    """Return the facts of the plan's tools in its order, and with them those of its fallback when they are too few.

    A tool that fails or is late is recorded, and the others answer. Raises PortError when one failed and none found
    anything: that is no proof that there is nothing.
    """
    calls = tuple(dict.fromkeys(plan.tool_calls))
    own = tools.seconds * (_OWN_SHARE if plan.fallback.enabled else 1.0)
    tools = replace(tools, among=plan.among)
    outcomes = await called(calls[: tools.max_calls], tools, own)
    gone = await _tied_to(_of_another_kind(plan, tools), tools, own)
    if plan.without and (others := await _all_others(plan, outcomes, tools, own)) is not None:
        facts, runs = _facts(plan, others, tools, gone), _runs(others, calls[tools.max_calls :])
        by_page = all(is_of(fact.kind, plan.among) for fact in facts)
        return FactsPayload(facts, 1.0, runs, by_page=by_page, at_least=by_page and _may_be_more(plan, tools))
    outcomes = [replace(one, facts=()) if _is_of_absent(one, plan) else one for one in outcomes]
    if headed := await _headed(question, outcomes, tools, own):
        outcomes = [*(replace(one, facts=()) for one in outcomes), headed]
    needs = _needs(plan, outcomes, tools)
    because = None if headed else _fallback_because(plan, outcomes, needs)
    last = DocumentSearch(query=question[:500] or "?")
    if because and not any(_searches_all(call, last) for call in calls[: tools.max_calls]):
        outcomes += [_with_both(plan, one) for one in await called([last], tools, tools.seconds - own, because)]
    outcomes, by_field = await _of_several_pages(plan, question, outcomes, tools, tools.seconds - own)
    if plan.without:
        outcomes = [replace(one, facts=_denying(one.facts, plan, question, tools)) for one in outcomes]
    facts = _facts(plan, outcomes, tools, gone)
    failures = [outcome.failure for outcome in outcomes if outcome.failure]
    if failures and not any(outcome.facts for outcome in outcomes):
        raise failures[0]
    runs = _runs(outcomes, calls[tools.max_calls :])
    missing = tuple(dict.fromkeys(name for (_, name), met in needs.items() if not met))
    # Few pages say when they hold, so that nobody can count those of a period.
    looked = [one for one in outcomes if isinstance(one.call, GraphQuery) and one.facts]
    by_page = bool(looked) and not (plan.period or plan.without or missing) and all(one.by_page for one in looked)
    at_least = by_page and plan.shape is Shape.COUNT and _may_be_more(plan, tools)
    if by_field:
        # A search brings no more than so many pages.
        by_page = at_least = plan.shape is Shape.COUNT
    elif at_least and (stated := await _stated(question, tools, tools.seconds - own)):
        outcomes, by_page, at_least = [*(replace(one, facts=()) for one in outcomes), stated], False, False
        facts, runs = _facts(plan, outcomes, tools, gone), _runs(outcomes, calls[tools.max_calls :])
    coverage, parts = _coverage(outcomes, needs), _parts_of(outcomes)
    vain = [one.call for one in outcomes if isinstance(one.call, GraphQuery) and not (one.run.found or one.failure)]
    sought = sought_by(vain, tools.intents)
    return FactsPayload(facts, coverage, runs, _weights(outcomes), missing, by_page, parts, at_least, sought)


def _parts_of(outcomes: Sequence[Outcome]) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return what was searched for one after the other, where nothing was looked up and no search had to help out."""
    parts = [(one.call.query, frozenset(one.weights)) for one in outcomes if isinstance(one.call, DocumentSearch)]
    only = len(parts) == len(outcomes) > 1 and not any(one.run.fallback for one in outcomes)
    return tuple(parts) if only else ()


def _facts(plan: QueryPlan, outcomes: Sequence[Outcome], tools: Tools, gone: frozenset[str]) -> tuple[Fact, ...]:
    facts = (fact for outcome in outcomes for fact in outcome.facts if fact.source.doc_id not in gone)
    return _but_for(plan.exclude, facts, tools)


def _of_another_kind(plan: QueryPlan, tools: Tools) -> list[str]:
    """Return what is left out and none of the things asked for: "all projects except Aston" leaves out all of Aston."""
    known = [tools.entities[one] for one in plan.exclude if one in tools.entities]
    return [one.id for one in known if plan.among and not is_of(one.type, plan.among)]


async def _tied_to(entities: Sequence[str], tools: Tools, seconds: float) -> frozenset[str]:
    """Return the documents that have to do with one of the entities. Raises PortError: nothing else tells that."""
    found = (
        await called([GraphQuery(intent=TIES, entity_id=one) for one in entities], tools, seconds) if entities else []
    )
    for one in found:
        if one.failure:
            raise one.failure
    return frozenset(fact.source.doc_id for one in found for fact in one.facts)


def _with_both(plan: QueryPlan, outcome: Outcome) -> Outcome:
    """Return what was found in the documents that name both, where things that have to do with both were looked up."""
    pairs = {(call.entity_id, call.also) for call in plan.tool_calls if isinstance(call, GraphQuery)}
    both = {name_term(one) for one, other in pairs if other and (other, one) in pairs}
    held: dict[str, set[str]] = {}
    for fact in outcome.facts:
        held.setdefault(fact.source.doc_id, set()).update(fact.around, *(part.terms for part in fact.parts))
    facts = tuple(fact for fact in outcome.facts if both <= held[fact.source.doc_id])
    return replace(outcome, facts=facts)


def _runs(outcomes: Sequence[Outcome], left: Sequence[Call]) -> tuple[ToolRun, ...]:
    return (*(outcome.run for outcome in outcomes), *map(not_called, left))


def _is_of_absent(outcome: Outcome, plan: QueryPlan) -> bool:
    """Return whether it looked up what is asked to be absent: never an answer by itself."""
    return isinstance(outcome.call, GraphQuery) and outcome.call.entity_id in plan.without


def _denying(facts: Sequence[Fact], plan: QueryPlan, question: str, tools: Tools) -> tuple[Fact, ...]:
    """Return what says itself that something is not: what only names it would be the opposite of an answer.

    All that stands under a heading which says so does: "Not allowed".
    """
    names = _registry_of(plan.without, tools)
    called = frozenset(terms(" ".join(name for entity in names.entities.values() for name in entity.names)))
    asked = frozenset(terms(question)) - called
    told: list[Fact] = []
    for fact in facts:
        if any(denies(heading, names, asked) for heading in fact.place.headings):
            told.append(fact)
        elif parts := tuple(part for part in fact.parts if denies(fact.words(part.span), names, asked)):
            told.append(replace(fact, parts=parts))
        elif not fact.parts and denies(fact.text, names, asked):
            told.append(fact)
    return tuple(told)


def _registry_of(ids: Sequence[str], tools: Tools) -> Registry:
    return make_registry([tools.entities[one] for one in ids if one in tools.entities])


async def _all_others(
    plan: QueryPlan, outcomes: Sequence[Outcome], tools: Tools, seconds: float
) -> list[Outcome] | None:
    """Return what has nothing to do with the entities that the plan leaves out, or None when that cannot be told.

    It is what else was listed, or all pages of the kind asked for, but for the pages that are tied to one of these.
    """
    left_out = [one for one in outcomes if _is_of_absent(one, plan)]
    others = [one for one in outcomes if one not in left_out and _lists(one.call, tools)]
    if not others and plan.among:
        also = next((one.call.also for one in left_out if isinstance(one.call, GraphQuery)), None)
        others = await called([GraphQuery(intent=ALL_PAGES, entity_id="", also=also)], tools, seconds)
    if not any(one.facts for one in others):
        return None
    gone, names = await _tied_to(plan.without, tools, seconds), _registry_of(plan.without, tools)
    kept = [[fact for fact in one.facts if not (fact.source.doc_id in gone or _names(fact, names))] for one in others]
    fitting = [[fact for fact in facts if is_of(fact.kind, plan.among)] for facts in kept]
    facts = map(tuple, fitting if any(fitting) else kept)
    return [
        *(replace(one, facts=()) for one in left_out),
        *(replace(one, facts=told) for one, told in zip(others, facts, strict=True)),
    ]


def _lists(call: Call, tools: Tools) -> bool:
    """Return whether the call looks up things by the pages that tell of them."""
    return isinstance(call, GraphQuery) and intent_of(call, tools).find in ("mentions", "pages")


def _names(fact: Fact, names: Registry) -> bool:
    """Return whether the fact or its page's title holds one of the names, in a longer one too: "Sproutline 4.0"."""
    return any(resolve_entities(text, names, typos=False) for text in (fact.source.title, fact.text))


def _may_be_more(plan: QueryPlan, tools: Tools) -> bool:
    """Return whether there may be more things of the kind asked for than pages of it.

    One of them has no page, or beside their pages lies one that does not say what it is, but for its folder's name.
    """
    known = list(tools.entities.values())
    types = {kind for kind in {one.type for one in known} if is_of(kind, plan.among)}
    folders = {one.page.rpartition("/")[0] for one in known if one.type in types and one.page}
    unsaid = {(folder, kind) for folder in folders for kind in (NO_KIND, folder.rpartition("/")[2])}
    beside = {(one.page.rpartition("/")[0], one.type) for one in known if one.page and one.type not in types}
    return bool(unsaid & beside) or any(one.type in types for one in known if one.page is None)


def _but_for(excluded: Sequence[str], facts: Iterable[Fact], tools: Tools) -> tuple[Fact, ...]:
    """Return the facts but for those from a page of an excluded entity, and for items of the structure that name it."""
    left_out = [tools.entities[name] for name in excluded if name in tools.entities]
    if not left_out:
        return tuple(facts)
    pages, names = {entity.page for entity in left_out}, make_registry(left_out)
    return tuple(
        fact
        for fact in facts
        if fact.source.doc_id not in pages and not (fact.structural and resolve_entities(fact.text, names, typos=False))
    )


def _needs(plan: QueryPlan, outcomes: Sequence[Outcome], tools: Tools) -> dict[tuple[str, str], bool]:
    """Return what the plan is to find, as intent and name, and whether the documents' structure held it.

    Each look-up is a need; so is an entity that the user names, of the same kind as one looked up ("A or B?"), and an
    intent that the structure could answer and nobody asked.
    """
    made = [(one.call, bool(one.facts)) for one in outcomes if isinstance(one.call, GraphQuery)]
    needs: dict[tuple[str, str], bool] = {}
    for call, met in made:
        needs[call.intent, call.entity_id] = met or needs.get((call.intent, call.entity_id), False)
    called = {name for call, _ in made for name in (call.entity_id, call.also)}
    kinds = {tools.entities[call.entity_id].type for call, _ in made if call.entity_id in tools.entities}
    for name in plan.entities:
        if name in tools.named - called and name in tools.entities and tools.entities[name].type in kinds:
            needs["", name] = False
    asked = {call.intent for call, _ in made}
    for name in plan.intents if made else ():
        if name not in asked and name in tools.intents and tools.intents[name].find != "search":
            needs[name, name] = False
    return needs


def _fallback_because(
    plan: QueryPlan, outcomes: Sequence[Outcome], needs: Mapping[tuple[str, str], bool]
) -> Because | None:
    if not plan.fallback.enabled:
        return None
    if not any(outcome.facts for outcome in outcomes):
        return "nothing"
    if plan.fallback.when == "NO_RESULTS":
        return None
    if not all(needs.values()):
        return "missing"
    return "little" if _coverage(outcomes, needs) < LOW_COVERAGE else None


async def _of_several_pages(
    plan: QueryPlan, question: str, outcomes: list[Outcome], tools: Tools, seconds: float
) -> tuple[list[Outcome], bool]:
    """Return the outcomes with what more pages say of the kind that is asked for, and whether fields of theirs say it.

    Then that is all of it.
    """
    found = [fact for one in outcomes for fact in one.facts]
    if fielded := field_search(question, plan):
        [said] = await called([fielded.search], tools, seconds, "spread")
        if facts := fielded.kept(said.facts):
            return [*(replace(one, facts=()) for one in outcomes), replace(said, facts=facts)], True
    if alike := alike_search(question, plan, found):
        more = await called([alike.search], tools, seconds, "alike")
        return [*outcomes, *(replace(one, facts=alike.kept(one.facts), weights={}) for one in more)], False
    if wider := wider_search(question, plan, found):
        spread = await called([wider.search], tools, seconds, "spread")
        return [*outcomes, *(replace(one, facts=wider.kept(one.facts), weights={}) for one in spread)], False
    return outcomes, False


async def _headed(question: str, outcomes: Sequence[Outcome], tools: Tools, seconds: float) -> Outcome | None:
    """Return what else a looked-up page says, where that is nearer to the question than what was found.

    A place is headed by all that was asked: "Which projects at Aston?" is near to "What is Aston?" by its form, and the
    page's list of projects is what it asks for. Or only other places hold the sort of thing asked for: "How many people
    work at Aston?" asks for a number.
    """
    looked = [
        one for one in outcomes if one.facts and (isinstance(one.call, GraphQuery) or one.call.query != question[:500])
    ]
    pages = {fact.source.doc_id for outcome in looked for fact in outcome.facts}
    about = [call for outcome in looked if isinstance(call := outcome.call, GraphQuery)]
    if len(about) != 1 or len(looked) != 1 or len(pages) != 1 or intent_of(about[0], tools).find not in _OF_A_PAGE:
        return None
    known = _known_of(tools.entities.get(about[0].entity_id))
    told = [frozenset(terms(" ".join(map(str, fact.place.headings)))) for fact in looked[0].facts]
    asked = frozenset(terms(question)) - known
    if not asked or any(asked <= headings for headings in told):
        return None
    [searched] = await called([DocumentSearch(query=question[:500])], tools, seconds, "headed")
    asked = frozenset(term for term, weight in searched.weights.items() if weight > 0) - known
    own = tuple(fact for fact in searched.facts if fact.source.doc_id in pages)
    facts = tuple(fact for fact in own if asked <= fact.around)
    if not facts and intent_of(about[0], tools).find == "overview":
        facts = tuple(fact for fact in own if _heads(fact, question, known))
    if (
        not facts
        and intent_of(about[0], tools).find == "overview"
        and _tells_more(question, own, looked[0].facts, known)
    ):
        facts = own
    if not facts and not may_answer(question, looked[0].facts) and may_answer(question, own):
        facts = own
    if not facts or not asked or any(asked <= headings for headings in told):
        return None
    return replace(searched, facts=facts, run=replace(searched.run, found=len(facts)))


async def _stated(question: str, tools: Tools, seconds: float) -> Outcome | None:
    """Return the places that count themselves what is asked for: “172 employees” tells more than nine pages do."""
    things, first = counted_thing(question), counted_first(question)
    if first is None:
        return None
    [searched] = await called([DocumentSearch(query=question[:500])], tools, seconds, "stated")
    facts = tuple(fact for fact in searched.facts if any(_counts(fact, part, things, first) for part in fact.parts))
    return replace(searched, facts=facts, run=replace(searched.run, found=len(facts))) if facts else None


def _counts(fact: Fact, part: Part, things: frozenset[str], first: str) -> bool:
    return things <= part.terms | fact.around and says_how_many(fact.words(part.span), first)


def _heads(fact: Fact, question: str, known: frozenset[str]) -> bool:
    """Return whether the fact stands under a heading that the question says, beside what its page is called."""
    heading = "\n".join(fact.place.headings[-1:])
    return not known.issuperset(terms(heading)) and is_said(heading, question)


def _tells_more(question: str, page: Iterable[Fact], opening: Iterable[Fact], known: frozenset[str]) -> bool:
    """Return whether what the question says beside the page's name stands there, and not in its opening: her deputy."""
    told = {*known, *SHOWS, *asking_terms(question), *light()}
    asked = frozenset(term for term in terms(question) if term not in told)
    held = (part.terms for fact in page for part in fact.parts)
    return (
        bool(asked)
        and asked.isdisjoint(terms("\n".join(fact.text for fact in opening)))
        and any(map(asked.issubset, held))
    )


def _known_of(entity: Entity | None) -> frozenset[str]:
    """Return the search terms of the entity's names and of what it is called by its kind."""
    if entity is None:
        return frozenset()
    return frozenset(terms(" ".join(entity.names))) | words_of_kind(entity.type)


def _searches_all(call: Call, last: DocumentSearch) -> bool:
    """Return whether the call has looked for what the fallback would, and in all documents."""
    return isinstance(call, DocumentSearch) and call.model_copy(update={"top_k": last.top_k}) == last


def _coverage(outcomes: Sequence[Outcome], needs: Mapping[tuple[str, str], bool]) -> float:
    """Return the share of the needs that were met; what the structure lacks counts as far as search held its words."""
    words = _words_held(outcomes)
    met = sum(needs.values())
    return (met + (len(needs) - met) * words) / len(needs) if needs else words


def _words_held(outcomes: Sequence[Outcome]) -> float:
    """Return the share of the question's rare terms that the facts hold."""
    facts, weights = [fact for outcome in outcomes for fact in outcome.facts], _weights(outcomes)
    total = sum(weights.values())
    if not facts or not total:
        return 0.0
    held = held_terms(facts)
    return sum(weight for term, weight in weights.items() if term in held) / total


def _weights(outcomes: Sequence[Outcome]) -> dict[str, float]:
    return {term: weight for outcome in outcomes for term, weight in outcome.weights.items()}
