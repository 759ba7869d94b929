"""Drafting with a model: claims with fact numbers and exact quotes, or an honest abstention."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from core.answer import Abstain, Draft, DraftClaim, Pointer, Rejection
from core.context import AnswerContext
from core.errors import BadModelOutput
from core.ports import Hear, LanguageModel, ModelRequest
from core.prompts import answer_system, answer_user
from core.quoting import also_said


class _Evidence(BaseModel):
    fact: int
    quote: str = Field(max_length=1200)


class _Claim(BaseModel):
    # In the order in which a model writes them: it picks its evidence first.
    evidence: list[_Evidence] = Field(default_factory=list, max_length=4)
    text: str = Field(max_length=600)
    group: str | None = Field(default=None, max_length=120)


class _Begun(BaseModel):
    claims: list[_Claim] = Field(default_factory=list, max_length=25)


class _Draft(BaseModel):
    lead: str | None = Field(default=None, max_length=300)
    claims: list[_Claim] = Field(default_factory=list, max_length=25)
    abstain: bool = False
    nearest: list[int] = Field(default_factory=list, max_length=3)


async def draft_with_model(  # noqa: PLR0913 - what a draft is made of
    context: AnswerContext,
    model: LanguageModel,
    new_marker: Callable[[], str],
    max_tokens: int,
    rejected: tuple[Rejection, ...] = (),
    *,
    hear: Hear | None = None,
) -> Draft:
    """Return the model's draft, or its second try at the rejected claims; `hear` hears its reply grow.

    Raises ModelError.
    """
    problems = tuple(f"- {one.claim!r}: {one.reason}" for one in rejected)
    completion = await model.complete(
        ModelRequest(
            role="answer",
            system=answer_system(),
            user=answer_user(context.question, context, new_marker(), problems),
            schema=draft_schema(),
            max_tokens=max_tokens,
            name="Answer",
            hear=hear,
        )
    )
    draft = _parsed(completion.text, completion.model)
    return replace(draft, claims=tuple(replace(one, evidence=also_said(one.evidence, context)) for one in draft.claims))


@cache
def draft_schema() -> dict[str, Any]:
    """Return the JSON schema that the answer model must keep to."""
    return _Draft.model_json_schema()


def claims_begun(text: str) -> tuple[DraftClaim, ...] | None:
    """Return the claims of a reply of which only the claims count, or None when it is not in the asked form."""
    try:
        return _claims(_Begun.model_validate_json(text).claims)
    except ValidationError:
        return None


def _parsed(text: str, model: str) -> Draft:
    try:
        raw = _Draft.model_validate_json(text)
    except ValidationError as error:
        raise BadModelOutput(
            f"the answer of {model} is not in the asked form ({error.error_count()} faults)"
        ) from error
    claims = _claims(raw.claims)
    abstain = Abstain(tuple(raw.nearest)) if raw.abstain or not claims else None
    return Draft(() if abstain else claims, raw.lead, abstain, model=model)


def _claims(raw: Sequence[_Claim]) -> tuple[DraftClaim, ...]:
    return tuple(DraftClaim(one.text, tuple(Pointer(e.fact, e.quote) for e in one.evidence), one.group) for one in raw)
