"""Drafting with a model: claims with fact numbers and exact quotes, or an honest abstention."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from core.answer import Abstain, Draft, DraftClaim, Pointer, Rejection
from core.citable import as_documents
from core.context import AnswerContext
from core.errors import BadModelOutput
from core.pointing import pointed
from core.ports import Hear, LanguageModel, ModelRequest
from core.prompts import answer_system, answer_user
from core.quoting import also_said

# What an item of a list takes with its quote and the form around it: eight of a Russian list took 553 tokens by the
# counts of gpt-4o, 733 by those of gpt-4.
_TOKENS_OF_ITEM = 100
_MOST_CLAIMS, _MOST_EVIDENCE, _MOST_NEAREST = 25, 4, 3
# What a model writes beyond what it was asked for is counted, up to so many.
_MOST_READ = 60


class _Evidence(BaseModel):
    fact: int
    quote: str = Field(max_length=1200)


class _Claim(BaseModel):
    # In the order in which a model writes them: it picks its evidence first.
    evidence: list[_Evidence] = Field(default_factory=list, max_length=_MOST_EVIDENCE)
    text: str = Field(max_length=600)
    group: str | None = Field(default=None, max_length=120)


class _Draft(BaseModel):
    lead: str | None = Field(default=None, max_length=300)
    claims: list[_Claim] = Field(default_factory=list, max_length=_MOST_CLAIMS)
    abstain: bool = False
    nearest: list[int] = Field(default_factory=list, max_length=_MOST_NEAREST)


async def draft_with_model(  # noqa: PLR0913 - what a draft is made of
    context: AnswerContext,
    model: LanguageModel,
    new_marker: Callable[[], str],
    max_tokens: int,
    rejected: tuple[Rejection, ...] = (),
    *,
    only: frozenset[int] | None = None,
    hear: Hear | None = None,
) -> Draft:
    """Return the model's draft, or its second try at the rejected claims; `hear` hears its reply grow.

    With `only`, of the facts with these numbers. Raises ModelError.
    """
    problems, marker = tuple(f"- {one.claim!r}: {one.reason}" for one in rejected), new_marker()

    def asked(most: int) -> ModelRequest:
        return ModelRequest(
            role="answer",
            system=answer_system(),
            user=answer_user(context.question, context, marker, problems, most, only=only),
            schema=draft_schema(),
            max_tokens=max_tokens,
            name="Answer",
            marker=marker,
            hear=hear,
            as_documents=lambda: as_documents(context.question, context, marker, problems, most, only=only),
            facts=most,
            shorter=asked,
        )

    completion = await model.complete(asked(len(context.shown(only))))
    draft = _parsed(completion.text, completion.model)
    return replace(draft, claims=settled(draft.claims, context), unread=completion.unread)


def settled(claims: Iterable[DraftClaim], context: AnswerContext) -> tuple[DraftClaim, ...]:
    """Return the claims with their quotes as they stand in the facts, and with all the places that say so."""
    return tuple(replace(one, evidence=also_said(pointed(one.evidence, context), context)) for one in claims)


@cache
def draft_schema() -> dict[str, Any]:
    """Return the JSON schema that the answer model must keep to."""
    return _Draft.model_json_schema()


def claims_begun(text: str) -> tuple[DraftClaim, ...] | None:
    """Return the claims of a reply of which only the claims count, or None when it is not in the asked form."""
    raw = _object_in(text)
    return None if raw is None else _claims(raw.get("claims"))


def _parsed(text: str, model: str) -> Draft:
    """Return what is in the asked form: a fault costs the claim or the field that it is in. Raises BadModelOutput."""
    raw = _object_in(text)
    claims = _claims(raw.get("claims")) if raw else ()
    if raw is None or not (claims or raw.get("abstain") is True or not raw.get("claims")):
        raise BadModelOutput(f"the answer of {model} is not in the asked form")
    told = {"lead": raw.get("lead"), "nearest": _listed(raw.get("nearest"))[:_MOST_NEAREST]}
    kept = {name: value for name, value in told.items() if _fits({name: value})}
    fields = _Draft.model_validate(kept)
    abstain = Abstain(tuple(fields.nearest)) if raw.get("abstain") is True or not claims else None
    return Draft(() if abstain else claims, fields.lead, abstain, model=model)


def _object_in(text: str) -> dict[str, Any] | None:
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return raw if isinstance(raw, dict) else None


def _listed(raw: object) -> list[Any]:
    return raw if isinstance(raw, list) else []


def _fits(fields: dict[str, Any]) -> bool:
    try:
        _Draft.model_validate(fields)
    except ValidationError:
        return False
    return True


def _claims(raw: object) -> tuple[DraftClaim, ...]:
    """Return the claims that are whole, as many as an answer may have."""
    found = []
    for one in _listed(raw)[:_MOST_READ]:
        told = {**one, "evidence": _listed(one.get("evidence"))[:_MOST_EVIDENCE]} if isinstance(one, dict) else one
        try:
            found.append(_Claim.model_validate(told))
        except ValidationError:
            continue
    return tuple(
        DraftClaim(one.text, tuple(Pointer(e.fact, e.quote) for e in one.evidence), one.group) for one in found
    )


def room_for(context: AnswerContext, factual: int, summary: int) -> int:
    """Return the tokens that an answer may take: a list has room for each of its items, up to those of a summary."""
    if context.kind == "summary":
        return summary
    return max(factual, min(_TOKENS_OF_ITEM * context.max_items if context.lists else 0, summary))
