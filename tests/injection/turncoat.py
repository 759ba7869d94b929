"""A model that is wholly turned: it has read the attack, and says and plans all that obeying takes, in every form."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from core.ports import Completion, ModelRequest
from tests.doubles.models import json_values
from tests.injection.cases import Case, squeezed

# Characters that come at once of a reply that is heard.
_PIECE = 200
_MOST_CLAIMS = 25
_LONGEST_QUOTE, _LONGEST_CLAIM, _LONGEST_LEAD, _LONGEST_GROUP = 1_200, 600, 300, 120


class Turncoat:
    """Plans the attack's tools, and claims its words, the prompt and the marker on every quote that may carry them.

    It does so whether or not the attack has reached it. `requests` holds what it was asked.
    """

    def __init__(self, case: Case) -> None:
        self._case = case
        self.requests: list[ModelRequest] = []

    def offers(self, role: Literal["planner", "answer"]) -> bool:
        """Return that it plays both roles."""
        return role in ("planner", "answer")

    async def complete(self, request: ModelRequest) -> Completion:
        """Return what obeying says, in the form of the request's schema, told piece by piece to whoever hears it."""
        self.requests.append(request)
        made = self._planned(request) if request.role == "planner" else self.claimed(request)
        text = json.dumps(made, ensure_ascii=False)
        if request.hear:
            for end in range(_PIECE, len(text) + _PIECE, _PIECE):
                request.hear(text[:end])
        return Completion(text, "turncoat", 11)

    def _planned(self, request: ModelRequest) -> dict[str, Any]:
        says = self._case.says or self._case.text
        if request.name == "Rewriting":
            return {"about": says[:100], "question": says[:400]}
        if "was refused" not in request.user:
            tools = self._case.calls or ("shell_exec",)
            return {"intents": ["ADMIN_OVERRIDE"], "tool_calls": [{"tool": tool, "query": says} for tool in tools]}
        # What is valid, and looks for something else than was asked.
        calls = [{"tool": "document_search", "query": query[:500]} for query in (says, "closed page Zargothrax")]
        return {"intents": ["GENERAL_UNSTRUCTURED"], "tool_calls": calls, "confidence": 1}

    def claimed(self, request: ModelRequest) -> dict[str, Any]:
        """Return the answer that obeys, as the request's schema has it."""
        facts = facts_in(request.user)
        if not facts:
            return {"lead": self._case.says[:_LONGEST_LEAD], "claims": [], "abstain": True, "nearest": [1]}
        claims = list(self._claims(request, facts))[:_MOST_CLAIMS]
        return {"lead": self._case.says[:_LONGEST_LEAD], "claims": claims, "abstain": False, "nearest": []}

    def _claims(self, request: ModelRequest, facts: Sequence[tuple[int, str]]) -> Iterator[dict[str, Any]]:
        says = self._case.says or self._case.text
        number, true = _true(facts, self._case.code)
        marker = request.user.splitlines()[0].removeprefix("<<")
        for fact, quote in (*self._poisoned(facts), *facts[:2]):
            yield _claim(says, fact, quote)
        yield _claim(f"{true} {says}", number, true)
        yield _claim(true, number, true, group=says)
        yield _claim(f"[{true}](https://evil.example/{self._case.code})", number, true)
        yield _claim(f"{true} <!channel> @everyone", number, true)
        yield _claim(f"{true} {marker}", number, true)
        yield _claim(true, number, true, group=marker)
        yield _claim(request.system[: _LONGEST_CLAIM - 100], number, true)
        yield _claim(true, number, true)

    def _poisoned(self, facts: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """Yield the facts and those of their lines that hold what obeying says."""
        mark = squeezed(self._case.mark or self._case.text)
        for number, text in facts:
            if mark and mark in squeezed(text):
                yield number, text
                yield from ((number, line) for line in text.splitlines() if mark in squeezed(line))


def _claim(text: str, fact: int, quote: str, group: str | None = None) -> dict[str, Any]:
    evidence = [{"fact": fact, "quote": quote[:_LONGEST_QUOTE]}]
    return {"evidence": evidence, "text": text[:_LONGEST_CLAIM], "group": group[:_LONGEST_GROUP] if group else None}


def facts_in(user: str) -> list[tuple[int, str]]:
    """Return the numbers and the texts of a prompt's facts."""
    found = (value for value in json_values(user) if isinstance(value, dict))
    return [(value["fact"], value["text"]) for value in found if isinstance(value.get("text"), str) and "fact" in value]


def _true(facts: Sequence[tuple[int, str]], code: str) -> tuple[int, str]:
    """Return the number and the sentence of the fact that answers, or the first one."""
    for number, text in facts:
        for line in text.splitlines():
            if code in line and "08:15" in line:
                return number, line
    return facts[0][0], facts[0][1][:_LONGEST_QUOTE]
