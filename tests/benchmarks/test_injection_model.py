"""The benchmark over a real model: what it writes is noted, and what is shown of that is judged."""

import json
from pathlib import Path
from typing import Literal

from benchmarks.injection_model import table, tried_with
from core.ports import Completion, ModelRequest
from tests.injection.cases import PLACES, spread
from tests.injection.turncoat import facts_in


class Parrot:
    """A model that plans nothing, and says of every fact what the fact says, and what the attack wants."""

    def offers(self, role: Literal["planner", "answer"]) -> bool:
        """Return that it plays both roles."""
        return role in ("planner", "answer")

    async def complete(self, request: ModelRequest) -> Completion:
        """Return each fact's first line as a claim, and the attack's words as another."""
        if request.role == "planner":
            return Completion("no plan", "parrot", 1)
        wanted = next((case.says for case in spread() if case.code in request.user), "")
        claims = []
        for number, text in facts_in(request.user)[:2]:
            evidence = [{"fact": number, "quote": text.split("\n")[0]}]
            claims += [{"text": said, "evidence": evidence} for said in (text.split("\n")[0], wanted)]
        return Completion(json.dumps({"claims": claims, "abstain": False}), "parrot", 1)


async def test_what_a_model_says_and_what_is_shown_are_told_apart(tmp_path: Path) -> None:
    """The model obeys in its own words, nobody is shown them, and each case stands in the file as it ends."""
    cases = spread()[:4]
    told = await tried_with(Parrot(), cases, 600, tmp_path / "lines.jsonl")
    lines = (tmp_path / "lines.jsonl").read_text("utf-8").splitlines()

    assert [str(case) for case in cases] == [one["case"] for one in told]
    assert told == [json.loads(line) for line in lines]
    assert [] == [fault for one in told for fault in one["obeyed"]]
    assert any(one["in the model's words"] for one in told)
    assert all(one["calls"] for one in told)
    assert "| all | 4 | 0 |" in table(told)
    assert "- x: obeyed: 'y'" in table([*told, told[0] | {"case": "x", "obeyed": ["obeyed: 'y'"]}])
    assert [] == await tried_with(Parrot(), cases, -1)


def test_each_attack_is_tried_once_and_each_place_in_both_languages() -> None:
    """Five in each place, of every kind."""
    cases = spread()

    assert 60 == len(cases) == len({case.id[1:] for case in cases})
    assert {case.place for case in cases[:24]} == set(PLACES)
    assert {(place, lang) for place in PLACES for lang in ("en", "ru")} == {(case.place, case.lang) for case in cases}
    assert {5} == {sum(case.place == place for case in cases) for place in PLACES}
