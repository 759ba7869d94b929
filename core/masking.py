"""Personal data hidden from where it is not needed: for good in the log, and put back in what models reply."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from core.personal import personal_in
from core.ports import AsDocuments, Citable, Completion, Hear, LanguageModel, ModelRequest

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
    tokens: _Tokens = {}
    return _hidden(text, text, tokens), _originals(tokens)


# What stands for the personal data of a kind.
_Tokens = dict[tuple[str, str], str]


def _originals(tokens: _Tokens) -> dict[str, str]:
    return {token: words for (_, words), token in tokens.items()}


def _known_hidden(text: str, tokens: _Tokens) -> str:
    """Return the text with what is known already hidden in it, wherever it stands."""
    for (_, words), token in sorted(tokens.items(), key=lambda one: -len(one[0][1])):
        text = text.replace(words, f"⟨{token}⟩")
    return text


def _hidden(text: str, whole: str, tokens: _Tokens) -> str:
    """Return the text with tokens, known ones and new ones, of which none is a word of the whole that it is from."""
    parts, done = [], 0
    for found in personal_in(_ESCAPE.sub(_as_spaces, text)):
        words = text[found.start : found.end]
        if (found.kind, words) not in tokens:
            tokens[found.kind, words] = _free(found.kind, whole, tokens.values())
        parts += [text[done : found.start], f"⟨{tokens[found.kind, words]}⟩"]
        done = found.end
    return "".join([*parts, text[done:]])


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
        tokens: _Tokens = {}
        user = _hidden(request.user, request.user, tokens)
        reply = await self._model.complete(_masked(replace(request, user=user), request, tokens))
        return replace(reply, text=unmasked(reply.text, _originals(tokens)))


def _masked(asked: ModelRequest, whole: ModelRequest, tokens: _Tokens) -> ModelRequest:
    """Return a request whose user prompt is masked with all that may be asked in its place masked by the same tokens.

    It is the whole one, or one with fewer of its facts.
    """
    hear, documents, shorter = asked.hear, asked.as_documents, asked.shorter

    def hidden(text: str) -> str:
        return _hidden(_known_hidden(text, tokens), whole.user, tokens)

    def fewer(most: int) -> ModelRequest:
        assert shorter
        cut = shorter(most)
        return _masked(replace(cut, user=hidden(cut.user)), whole, tokens)

    return replace(
        asked,
        hear=hear and _unmasking(hear, tokens),
        as_documents=documents and (lambda: _documents(documents(), hidden)),
        shorter=shorter and fewer,
    )


def _documents(given: AsDocuments, hidden: Callable[[str], str]) -> AsDocuments:
    """Return the request with its documents, all masked: what is in them stands in the user prompt, too."""
    documents = (
        Citable(one.fact, hidden(one.title), hidden(one.place), tuple(map(hidden, one.parts)))
        for one in given.documents
    )
    return AsDocuments(given.system, hidden(given.user), tuple(documents))


def _unmasking(hear: Hear, tokens: _Tokens) -> Hear:
    """Return what tells the one who listens the words, without an end that may be half a token."""
    return lambda text: hear(unmasked(_HALF.sub("", text), _originals(tokens)))
