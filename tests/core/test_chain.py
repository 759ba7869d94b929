"""The chain of the audit log: whatever is done to a record shows, and what is erased leaves the rest provable."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.chain import START, Link, commitment_of, fault_of_link, linked

NOON = datetime(2026, 3, 2, 12, 0, 0, 123456, tzinfo=UTC)


def chain(contents: Sequence[str]) -> list[Link]:
    """Return the links of these contents, a minute apart."""
    links: list[Link] = []
    for number, content in enumerate(contents, 1):
        before = links[-1].digest if links else START
        links.append(linked(before, number, NOON + timedelta(minutes=number), commitment_of({"said": content}, "00")))
    return links


def first_fault(links: Sequence[Link]) -> int | None:
    """Return the number of the first link that does not hold."""
    before = START
    for link in links:
        if fault_of_link(before, link):
            return link.number
        before = link.digest
    return None


def test_a_chain_as_it_was_made_holds() -> None:
    """Each link follows the one before it."""
    assert first_fault(chain(["Где применял RAG?", "How many days?", ""])) is None


@settings(derandomize=True, max_examples=60)
@given(st.lists(st.text(max_size=5), min_size=2, max_size=8), st.data())
def test_what_is_done_to_a_record_shows(contents: list[str], data: st.DataObject) -> None:
    """Changed, moved in time, removed from the middle, swapped: the first record concerned is named."""
    links = chain(contents)
    at = data.draw(st.integers(0, len(links) - 2))
    changed = [*links]
    match data.draw(st.sampled_from(["content", "moment", "removed", "swapped"])):
        case "content":
            changed[at] = replace(links[at], commitment=commitment_of({"said": "x" * 6}, "00"))
        case "moment":
            changed[at] = replace(links[at], at=NOON)
        case "removed":
            del changed[at]
        case _:
            changed[at], changed[at + 1] = changed[at + 1], changed[at]

    assert first_fault(changed) == changed[at].number


def test_a_commitment_hides_its_content() -> None:
    """With another salt the same content looks like any other: an erased answer cannot be guessed from its hash."""
    assert commitment_of({"said": "да"}, "00") != commitment_of({"said": "да"}, "01")


def test_the_order_of_keys_and_the_zone_make_no_difference() -> None:
    """A database may give back keys in another order, and moments in another zone."""
    assert commitment_of({"a": 1, "б": 0.1}, "0") == commitment_of({"б": 0.1, "a": 1}, "0")
    one, other = NOON, NOON.astimezone()
    assert linked(START, 1, one, "c").digest == linked(START, 1, other, "c").digest


def test_the_hashes_never_change() -> None:
    """Chains that were written by earlier versions hold in later ones: these values stand for ever."""
    commitment = commitment_of({"said": "Где?", "share": 1e-7, "n": 1.0}, "00ff")

    assert commitment == "931abb414ceeaf519dbf6559c5b92fca911519ff59a61ed2255bca4ce37d7c57"
    assert (
        linked(START, 1, NOON, commitment).digest == "c355db72e175be18246fae865bf13808ab171a181d707ac5e35a4606eaf07372"
    )


def test_what_json_cannot_say_is_no_content() -> None:
    """Nothing is hashed that could not be read again."""
    with pytest.raises(ValueError, match="not representable"):
        commitment_of({"share": float("nan")}, "0")
