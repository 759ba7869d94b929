"""A schema is given to a provider in the form that strict modes accept."""

from typing import Any

import jsonschema  # type: ignore[import-untyped]  # comes with LiteLLM, without stubs
import pytest

from adapters.llm.shapes import response_format, strict_schema
from core.plan import QueryPlan, default_plan
from core.ports import ModelRequest

SCHEMA = QueryPlan.model_json_schema()


def keys(node: Any) -> set[str]:
    """Return every key that occurs in a value."""
    if isinstance(node, dict):
        return set(node).union(*map(keys, node.values()))
    return set().union(*map(keys, node)) if isinstance(node, list) else set()


def objects(node: Any) -> list[dict[str, Any]]:
    """Return every object schema in a schema."""
    inner = [found for value in _children(node) for found in objects(value)]
    return [node, *inner] if isinstance(node, dict) and "properties" in node else inner


def _children(node: Any) -> list[Any]:
    return list(node.values()) if isinstance(node, dict) else node if isinstance(node, list) else []


def test_nothing_that_strict_modes_refuse() -> None:
    """References, unions by discriminator and defaults are gone."""
    assert set() == keys(strict_schema(SCHEMA)) & {"$ref", "$defs", "oneOf", "discriminator", "default"}


def test_objects_are_closed_and_complete() -> None:
    """Each object requires all its properties and allows no other."""
    found = objects(strict_schema(SCHEMA))

    assert len(found) == 6
    assert all(node["required"] == list(node["properties"]) for node in found)
    assert all(node["additionalProperties"] is False for node in found)


def test_meaning_is_kept() -> None:
    """A plan written in full fits the strict schema, and one with a made-up tool does not."""
    plan = default_plan("Where is RAG used?").model_dump(mode="json")

    jsonschema.validate(plan, strict_schema(SCHEMA))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**plan, "tool_calls": [{"tool": "delete_file"}]}, strict_schema(SCHEMA))


def test_property_may_be_called_like_a_keyword() -> None:
    """A property named `title` is a property, not a keyword to drop."""
    schema = {"type": "object", "properties": {"title": {"type": "string", "title": "Title"}}}

    assert {"title": {"type": "string"}} == strict_schema(schema)["properties"]


def test_schema_that_refers_to_itself() -> None:
    """A schema without an end is refused when it is made, not by the provider."""
    schema = {"$defs": {"Tree": {"properties": {"child": {"$ref": "#/$defs/Tree"}}}}, "$ref": "#/$defs/Tree"}

    with pytest.raises(ValueError, match="'Tree' refers to itself"):
        strict_schema(schema)


@pytest.mark.parametrize("lengths", [True, False])
def test_bounds_of_strings(*, lengths: bool) -> None:
    """Bounds of strings go to servers of one's own, which need them, and not to hosted strict modes."""
    request = ModelRequest("planner", "", "", SCHEMA, 10)

    assert lengths == ("maxLength" in keys(response_format(request, "schema", lengths=lengths)))
