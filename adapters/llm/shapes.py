"""How a model is told the form of its reply: as a strict schema, as plain JSON, or in the prompt alone."""

import json
from collections.abc import Mapping
from typing import Any, Literal

from core.ports import ModelRequest

Shape = Literal["schema", "json", "prompt"]

# Unknown to strict modes, or without effect on what may be written.
_DROPPED = frozenset({"$defs", "title", "default", "discriminator", "examples"})
_LENGTHS = frozenset({"minLength", "maxLength"})
_DEFINITION = "#/$defs/"


def messages(request: ModelRequest, shape: Shape) -> list[dict[str, str]]:
    """Return the chat messages; unless the provider enforces the schema, the system prompt ends with it."""
    system = request.system
    if shape != "schema":
        schema = json.dumps(strict_schema(request.schema), ensure_ascii=False)
        system = (
            f"{system}\n\nReply with one JSON object, without any other text. It must fit this JSON schema:\n{schema}"
        )
    return [{"role": "system", "content": system}, {"role": "user", "content": request.user}]


def response_format(request: ModelRequest, shape: Shape, *, lengths: bool) -> dict[str, Any]:
    """Return the arguments that ask the provider to enforce the form; none when the prompt alone does."""
    if shape == "prompt":
        return {}
    if shape == "json":
        return {"response_format": {"type": "json_object"}}
    schema = {"name": request.name, "strict": True, "schema": strict_schema(request.schema, lengths=lengths)}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def strict_schema(schema: Mapping[str, Any], *, lengths: bool = True) -> dict[str, Any]:
    """Return the schema as strict modes want it: references inlined, every property required, nothing extra allowed.

    `lengths` keeps the bounds of strings: grammars of self-hosted servers need them to end, hosted strict modes may
    refuse them. A schema that refers to itself raises ValueError.
    """
    strict = _strict(schema, schema.get("$defs", {}), _DROPPED if lengths else _DROPPED | _LENGTHS, ())
    assert isinstance(strict, dict)
    return strict


def _strict(node: Any, definitions: Mapping[str, Any], dropped: frozenset[str], inside: tuple[str, ...]) -> Any:
    if isinstance(node, list):
        return [_strict(item, definitions, dropped, inside) for item in node]
    if not isinstance(node, Mapping):
        return node
    if "$ref" in node:
        name = str(node["$ref"]).removeprefix(_DEFINITION)
        if name in inside:
            raise ValueError(f"the schema's {name!r} refers to itself; strict modes need a finite schema")
        return _strict(definitions[name], definitions, dropped, (*inside, name))
    kept = {
        "anyOf" if key == "oneOf" else key: _strict(value, definitions, dropped, inside)
        for key, value in node.items()
        if key not in dropped and key != "properties"
    }
    if "properties" not in node:
        return kept
    properties = {name: _strict(value, definitions, dropped, inside) for name, value in node["properties"].items()}
    return {**kept, "properties": properties, "required": list(properties), "additionalProperties": False}
