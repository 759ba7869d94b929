"""What a model refuses is said in plain words, with what may have been meant."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from core.mistakes import ended, fault, first_fault


class _Rule(BaseModel):
    model_config = ConfigDict(extra="forbid")
    readers: tuple[str, ...] = ()


class _Whole(BaseModel):
    model_config = ConfigDict(extra="forbid")
    rules: dict[str, Annotated[_Rule, "one"]] = Field(default_factory=dict)
    several: Sequence[_Rule] | None = None
    find: Literal["section", "search"] = "section"
    name: str = Field(default="RESULTS", pattern=r"^[A-Z][A-Z0-9_]{1,59}$")
    count: int = Field(default=1, ge=1)
    within: tuple[str, ...] = Field(default=(), alias="in")
    on: bool = True

    @field_validator("on")
    @classmethod
    def _never(cls, on: bool) -> bool:  # noqa: FBT001 - as pydantic calls it
        if not on:
            raise ValueError("leave it on")
        return on


def refused(given: dict[str, Any]) -> ValidationError:
    """Return why the model does not take it."""
    with pytest.raises(ValidationError) as told:
        _Whole.model_validate(given)
    return told.value


@pytest.mark.parametrize(
    ("given", "place", "words"),
    [
        (
            {"rules": {"оклады": {"raeders": []}}},
            "rules.оклады.raeders",
            "there is no 'raeders': did you mean 'readers'?",
        ),
        ({"rules": {"a": {"кто": []}}}, "rules.a.кто", "there is no 'кто': it takes readers"),
        ({"several": [{"raeders": []}]}, "several.0.raeders", "there is no 'raeders': did you mean 'readers'?"),
        ({"within": []}, "within", "there is no 'within': it takes rules, several, find, name, count, in, on"),
        ({"rules": {"a": {"readers": 5}}}, "rules.a.readers", "write a list, as [one, two]"),
        ({"rules": 5}, "rules", "write keys and values, as key: value"),
        ({"find": "sectoin"}, "find", "did you mean 'section'?"),
        ({"find": "где"}, "find", "it must be 'section' or 'search'"),
        ({"name": "lower"}, "name", "write it in capitals, digits and _, as PROJECT_RESULTS"),
        ({"count": "many"}, "count", "write a whole number"),
        ({"count": 0}, "count", "it must be greater than or equal to 1"),
        ({"on": False}, "on", "leave it on"),
    ],
)
def test_a_fault_is_said_in_plain_words(given: dict[str, Any], place: str, words: str) -> None:
    """With the place, and the key or the value that is nearest."""
    where, said = first_fault(refused(given), _Whole)

    assert (place, words) == (".".join(map(str, where)), said)


def test_without_the_model_nothing_is_guessed() -> None:
    """A key that is none is named alone; so is one in a place that the model does not know."""
    error = refused({"rules": {"a": {"raeders": []}}}).errors()[0]

    assert "there is no 'raeders'" == fault(error)
    assert "there is no 'raeders'" == fault({**error, "loc": ("find", "x", "raeders")}, _Whole)
    assert "there is no 'raeders'" == fault({**error, "loc": ("нет", "raeders")}, _Whole)


def test_a_sentence_ends_once() -> None:
    """A question is one already."""
    assert ("Что это?", "This.") == (ended("Что это?"), ended("This"))
