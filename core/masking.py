"""Personal data hidden from where it is not needed: for good in the log, and put back in what models reply."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from core.personal import personal_in
from core.ports import Completion, Hear, LanguageModel, ModelRequest

# A token as a model gives it back, perhaps in JSON: some leave out the signs around it.
_TOKEN = re.compile(r"⟨?(?:\b|(?<=\\[nrt]))([A-Z]{3,8}_\d{1,4})\b⟩?")
_HALF = re.compile(r"⟨?[A-Z]{0,8}(?:_\d{0,4})?$")
# How JSON writes what a text may not hold as it is (RFC 8259, 7).
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)


def blotted(text: str) -> str:
    """Return the text with the kind of each piece of personal data in its place, for good."""
    parts, done = [], 0
    for found in personal_in(text):
        parts += [text[done : found.start], f"⟨{found.kind}⟩"]
        done = found.end
    return "".join([*parts, text[done:]])


def blotted_data(value: Any) -> Any:
    """Return plain data with every text in it blotted; names of fields stay."""
    match value:
        case str():
            return blotted(value)
        case Mapping():
            return {name: blotted_data(inner) for name, inner in value.items()}
        case Sequence():
            return [blotted_data(inner) for inner in value]
    return value


def masked(text: str) -> tuple[str, dict[str, str]]:
    """Return the text with a token for each piece of personal data, the same for the same, and what they stand for.

    The same text gives the same tokens. None is a word that stands in the text itself. What prompts quote is JSON: a
    line that ends there, in a backslash and an n, ends for us too, else the n would belong to the address after it.
    """
    tokens: dict[tuple[str, str], str] = {}
    parts, done = [], 0
    for found in personal_in(_ESCAPE.sub(_as_spaces, text)):
        words = text[found.start : found.end]
        if (found.kind, words) not in tokens:
            tokens[found.kind, words] = _free(found.kind, text, tokens.values())
        parts += [text[done : found.start], f"⟨{tokens[found.kind, words]}⟩"]
        done = found.end
    return "".join([*parts, text[done:]]), {token: words for (_, words), token in tokens.items()}


def _as_spaces(escape: re.Match[str]) -> str:
    """Return what is read in place of an escape, in as many characters: line ends for a line end, else spaces."""
    return ("\n" if escape[0] in (r"\n", r"\r") else " ") * len(escape[0])


def unmasked(text: str, originals: Mapping[str, str]) -> str:
    """Return the text with what its tokens stand for; tokens that were never given stay as they are."""
    return _TOKEN.sub(lambda found: originals.get(found[1], found[0]), text) if originals else text


def _free(kind: str, text: str, taken: Any) -> str:
    number = sum(1 for token in taken if token.startswith(f"{kind}_")) + 1
    while f"{kind}_{number}" in text or f"{kind}_{number}" in taken:
        number += 1
    return f"{kind}_{number}"


class MaskedModel:
    """The port `LanguageModel` for a provider that is to see no personal data: tokens go there instead.

    What comes back is put in place before anybody reads it, so that quotes are found and answers read as ever. The
    system prompt holds nothing of anybody, and stays the same to the byte.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def offers(self, role: Literal["planner", "answer"]) -> bool:
        """Return whether a model is configured for the role."""
        return self._model.offers(role)

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the reply to the masked request, unmasked. Raises ModelError."""
        user, originals = masked(request.user)
        hear = request.hear and _unmasking(request.hear, originals)
        reply = await self._model.complete(replace(request, user=user, hear=hear))
        return replace(reply, text=unmasked(reply.text, originals))


def _unmasking(hear: Hear, originals: Mapping[str, str]) -> Hear:
    """Return what tells the one who listens the words, without an end that may be half a token."""
    return lambda text: hear(unmasked(_HALF.sub("", text), originals))
