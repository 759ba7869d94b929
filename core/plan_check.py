"""A planner's reply as a plan, or what is wrong with it: mild where nothing is lost, strict where it matters."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import ValidationError

from core.entities import Registry, resolve_entities
from core.plan import GENERAL, DocumentSearch, Fallback, GraphQuery, Intent, Limits, Period, QueryPlan
from core.prompts import PlannerInput
from core.text import normalise

# Characters of a reply, and how deep it nests: a plan has 2,000 and 4.
_MAX_REPLY, _MAX_DEPTH = 20_000, 8
_MAX_PROBLEM = 400
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_TOOLS: Mapping[str, type[GraphQuery | DocumentSearch]] = {"graph_query": GraphQuery, "document_search": DocumentSearch}
_INNER = {"fallback": Fallback, "limits": Limits, "period": Period}
_LISTS = ("intents", "entities", "tool_calls", "exclude", "without", "doc_types")
_NUMBERS = ("confidence", "top_k", "max_items", "max_groups", "max_paragraphs")
_CHOICES = ("render_style", "shape")


@dataclass(frozen=True, slots=True)
class PlanRules:
    """What a plan is checked against."""

    intents: tuple[Intent, ...]
    registry: Registry
    min_confidence: float
    max_tool_calls: int
    max_tokens: int


class _Refused(Exception):
    """The reply is no plan; says why in one sentence."""


def check_plan(text: str, rules: PlanRules, given: PlannerInput) -> QueryPlan | str:
    """Return the plan, or in one sentence what is wrong with it. Never raises.

    Code fences, words around the object, trailing commas, keys that mean nothing, numbers in quotes, one name in place
    of a list of one, and a listed entity by its name are read for what they are. A plan must be one JSON object with
    known intents, tools and entities, each argument of its type and within its limit.
    """
    try:
        plan = _typed(_plain(_object(text), rules, given))
    except _Refused as refusal:
        return str(refusal)[:_MAX_PROBLEM]
    problems = list(_problems(plan, rules))
    return "; ".join(problems)[:_MAX_PROBLEM] if problems else plan


def _object(text: str) -> dict[str, Any]:
    """Return the one JSON object of the reply."""
    if len(text) > _MAX_REPLY:
        raise _Refused(f"the reply has {len(text)} characters, a plan has at most {_MAX_REPLY}")
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise _Refused("the reply holds no JSON object")
    body = _without_trailing_commas(text[start : end + 1])
    if _depth(body) > _MAX_DEPTH:
        raise _Refused(f"the reply nests deeper than {_MAX_DEPTH}")
    try:
        found = json.loads(body, object_pairs_hook=_once, parse_constant=_no_number)
    except ValueError as error:
        raise _Refused(f"the reply is no JSON: {error}") from None
    assert isinstance(found, dict)
    return found


def _without_trailing_commas(body: str) -> str:
    """Return the text without commas before a closing bracket, but for those inside strings."""
    parts, end = [], 0
    for string in _STRING.finditer(body):
        parts += [_TRAILING_COMMA.sub("", body[end : string.start()] + "\0")[:-1], string.group()]
        end = string.end()
    return "".join((*parts, _TRAILING_COMMA.sub("", body[end:])))


def _depth(body: str) -> int:
    depth = deepest = 0
    for bracket in re.findall(r"[\[\]{}]", _STRING.sub("", body)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object; a key that is given twice must say the same twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found and found[key] != value:
            raise _Refused(f"{key[:40]!r} is given twice, with different values")
        found[key] = value
    return found


def _no_number(name: str) -> float:
    raise _Refused(f"{name} is no number")


def _plain(raw: dict[str, Any], rules: PlanRules, given: PlannerInput) -> dict[str, Any]:
    """Return the object in the form of a plan, as far as that loses nothing."""
    plan = _known_keys(raw, QueryPlan)
    for key, model in _INNER.items():
        if isinstance(plan.get(key), dict):
            plan[key] = _known_keys(plan[key], model)
    if isinstance(plan.get("period"), dict) and not any(plan["period"].values()):
        del plan["period"]
    if isinstance(plan.get("tool_calls"), list):
        plan["tool_calls"] = _distinct([_call(one, given, rules.registry) for one in plan["tool_calls"]])
    for key in ("entities", "exclude", "without"):
        if isinstance(plan.get(key), list):
            plan[key] = _distinct([_entity(one, given, rules.registry) for one in plan[key]])
    if isinstance(plan.get("intents"), list):
        plan["intents"] = _distinct(plan["intents"])
    if plan.get("among") not in given.doc_types:
        plan.pop("among", None)
    return plan


def _known_keys(raw: dict[str, Any], model: type[Any]) -> dict[str, Any]:
    """Return what the model knows of the object: nothing for null, a list for one, a number for its digits."""
    fields = model.model_fields
    found = {key: value for key, value in raw.items() if key in fields and value is not None}
    for key in _LISTS:
        if isinstance(found.get(key), str | dict):
            found[key] = [found[key]]
    for key in _NUMBERS:
        if key in found:
            found[key] = _number(found[key], whole=key != "confidence")
    for key in _CHOICES:
        if isinstance(found.get(key), str):
            found[key] = found[key].strip().upper()
    return found


def _number(value: Any, *, whole: bool) -> Any:
    """Return the number that a text says, or that is written with a fraction of nothing; all else as it is."""
    if isinstance(value, str) and re.fullmatch(r"\s*\d{1,6}(?:\.\d{1,9})?\s*", value):
        value = float(value)
    return int(value) if whole and isinstance(value, float) and value.is_integer() else value


def _call(raw: Any, given: PlannerInput, registry: Registry) -> Any:
    """Return a tool call with only its own arguments; kinds of document that there are none of are left out."""
    model = _TOOLS.get(str(raw.get("tool"))) if isinstance(raw, dict) else None
    if model is None:
        return raw
    call = {"tool": raw["tool"], **_known_keys({k: v for k, v in raw.items() if k != "tool"}, model)}
    for key in ("entity_id", "also"):
        if key in call:
            call[key] = _entity(call[key], given, registry)
    if not call.get("also", True):
        del call["also"]
    if isinstance(call.get("doc_types"), list):
        call["doc_types"] = [kind for kind in call["doc_types"] if not isinstance(kind, str) or kind in given.doc_types]
    return call


def _entity(value: Any, given: PlannerInput, registry: Registry) -> Any:
    """Return the id of the listed entity that the text is the id or a name of; else the text as it is."""
    listed = [entity.id for entity in given.entities]
    if not isinstance(value, str) or value in listed or not listed:
        return value
    folded = normalise(value).strip()
    named = {one.id for one in given.entities if folded in (normalise(one.id), normalise(one.name))}
    if not named and len(value) <= _MAX_NAME:
        found = resolve_entities(value, registry, typos=False)
        named = {one.entity.id for one in found if one.end - one.start >= len(value.strip())} & set(listed)
    return named.pop() if len(named) == 1 else value


_MAX_NAME = 200


def _distinct(values: list[Any]) -> list[Any]:
    return [value for n, value in enumerate(values) if value not in values[:n]]


def _typed(raw: dict[str, Any]) -> QueryPlan:
    """Return the plan; no value is taken for one of another type."""
    try:
        return QueryPlan.model_validate_json(json.dumps(raw), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[:3]
        places = (".".join(map(str, one["loc"])) or "plan" for one in first)
        raise _Refused("; ".join(f"{place}: {one['msg']}" for place, one in zip(places, first, strict=True))) from None


def _problems(plan: QueryPlan, rules: PlanRules) -> Iterator[str]:
    """Yield what the plan says that is known to be wrong."""
    known = {intent.name: intent for intent in rules.intents}
    for name in plan.intents:
        if name not in known:
            yield f"unknown intent {name!r}"
    for id_ in dict.fromkeys((*plan.entities, *plan.exclude, *plan.without)):
        yield from _unknown(id_, rules.registry)
    for call in plan.tool_calls:
        if isinstance(call, GraphQuery):
            yield from _wrong_call(call, known, rules.registry)
    if len(plan.tool_calls) > rules.max_tool_calls:
        yield f"{len(plan.tool_calls)} tool calls, at most {rules.max_tool_calls} are allowed"
    if plan.confidence < rules.min_confidence:
        yield f"confidence {plan.confidence} is below {rules.min_confidence}"


def _unknown(id_: str | None, registry: Registry) -> Iterator[str]:
    if id_ is not None and id_ not in registry.entities:
        yield f"unknown entity {id_!r}"


def _wrong_call(call: GraphQuery, known: Mapping[str, Intent], registry: Registry) -> Iterator[str]:
    for id_ in (call.entity_id, call.also):
        yield from _unknown(id_, registry)
    intent = known.get(call.intent)
    if intent is None:
        yield f"unknown intent {call.intent!r} in graph_query"
        return
    if intent.find == "search":
        yield f"{call.intent} is not answered by graph_query"
    entity = registry.entities.get(call.entity_id)
    if entity and intent.of and entity.type not in intent.of:
        yield f"{call.intent} is asked of {', '.join(intent.of)}, but {call.entity_id} is a {entity.type}"


def plan_schema(intents: Sequence[Intent], doc_types: Sequence[str]) -> dict[str, Any]:
    """Return the JSON schema of a plan in this corpus's vocabulary: the same for every question."""
    schema = deepcopy(_shape())
    for key in _OF_CODE:
        del schema["properties"][key]
    names = [intent.name for intent in intents]
    graphical = [intent.name for intent in intents if intent.find != "search"]
    schema["properties"]["intents"]["items"] = {"type": "string", "enum": names or [GENERAL]}
    schema["$defs"]["GraphQuery"]["properties"]["intent"] = {"type": "string", "enum": graphical or names or [GENERAL]}
    kinds = schema["$defs"]["DocumentSearch"]["properties"]["doc_types"]
    kinds["items"] = {"type": "string", **({"enum": list(doc_types)} if doc_types else {"maxLength": 30})}
    for key in ("entities", "exclude", "without"):
        schema["properties"][key]["items"] = {"type": "string", "maxLength": 80}
    return schema


@cache
def _shape() -> dict[str, Any]:
    """Return the schema of any plan; to make it takes longer than all else that a question's plan needs of us."""
    return QueryPlan.model_json_schema()


# Dates and kinds are read by code, which cannot misread them.
_OF_CODE = ("among", "period")
