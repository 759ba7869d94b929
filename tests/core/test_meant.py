"""What a question was taken to mean tells names of pages: whoever may not read these has none of it carried on."""

from dataclasses import replace

from core.conversation import Audience, Clarification, Reading
from core.entities import Entity, make_registry
from core.followup import Carried, FollowUp, FollowUpDecision, Standalone, Unclear
from core.meant import with_names_meant
from core.ports import Knowledge
from core.turn import TurnRecord
from tests.adapters.storage.turns import ask, finish

ANNA = Entity("pay/anna.md", "Anna Karlova", "person", (), "pay/anna.md")
BORIS = Entity("open/boris.md", "Борис Ильин", "person", (), "open/boris.md")
HR = Audience("T1", frozenset({"hr"}))
KNOWN = Knowledge(make_registry([ANNA, BORIS]), (), "Acme", closed={"pay/anna.md": frozenset({"hr"})})


def recorded(
    decision: FollowUpDecision, typed: str = "more", audience: Audience = HR, known: Knowledge = KNOWN
) -> TurnRecord:
    """Return the record of a question that was read so."""
    record = finish(replace(ask(typed), audience=audience))
    return with_names_meant(replace(record, decision=decision), known)


def test_names_that_a_question_was_taken_to_mean_are_of_their_pages() -> None:
    """By the words that it was read as, by ids, by what was asked back, and by the reason that is told for it."""
    readings = (Reading("Who is Anna Karlova?", "Anna Karlova", ("pay/anna.md",)),)
    for decision in (
        FollowUp("And the pay? (Who is Anna Karlova?)", Carried("Who is Anna?", ()), "it is a piece"),
        FollowUp("And the pay?", Carried("Who is Anna?", ("pay/anna.md",)), "it is a piece"),
        FollowUp("And the pay?", Carried("Who is Anna?", ()), "so I looked for each: Anna Karlova"),
        Unclear("Who is Anna?", Clarification("anna", readings), "two are meant"),
        Standalone("Who is Anna?", "it is whole", ("pay/anna.md",)),
    ):
        record = recorded(decision)

        assert frozenset({"pay/anna.md"}) <= record.sources
        assert "pay/anna.md" in record.legend.names


def test_what_was_typed_tells_nothing() -> None:
    """Neither to who may know the name, for all have read it, nor whether it is anybody's to who may not."""
    typed = "Who is Anna Karlova?"

    assert frozenset() == recorded(Standalone(typed, "it is whole"), typed).legend.closed
    nobody = Knowledge(make_registry([BORIS]), (), "Acme", closed=KNOWN.closed)
    outsider = Audience("T1", guests=True)
    carried = FollowUp(f"And the pay? ({typed})", Carried(typed, ()), "it is a piece")
    assert frozenset() == recorded(carried, "And the pay?", outsider, nobody).legend.closed


def test_open_pages_are_nobodys_secret() -> None:
    """Their names are told for the ids of an explanation, and keep nobody from a conversation."""
    carried = FollowUp("А оклад? (Кто такой Борис Ильин?)", Carried("Кто такой Борис Ильин?", ()), "это часть вопроса")

    assert frozenset() == recorded(carried).legend.closed
    assert "open/boris.md" in recorded(carried).legend.names
