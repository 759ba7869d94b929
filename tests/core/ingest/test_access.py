"""Rules on who may read what: by folder, label and default; each one only closes."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import IngestError
from core.ingest.access import Access, folder_rule, ruled
from core.ingest.document import Document

HR, STAFF = frozenset({"hr"}), frozenset({"staff"})


def rules(**said: object) -> Access:
    """Return the rules."""
    return Access.model_validate(said)


def page(id_: str = "a/b.md", readers: frozenset[str] = frozenset(), labels: frozenset[str] = frozenset()) -> Document:
    """Return a document without blocks."""
    return Document(id_, "Title", "Text", (), readers=readers, labels=labels)


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("policies/pay/bands.md", "policies/pay"),
        ("policies/pay", "policies/pay"),
        ("policies/payment.md", "policies"),
        ("policies/2025/notes.md", "policies/**/notes.md"),
        ("notes.md", None),
        ("x/private/y/z.md", "**/private"),
        ("private/z.md", "**/private"),
        ("политика/оклады/а.md", "политика/*"),
    ],
)
def test_the_most_specific_folder_holds(path: str, rule: str | None) -> None:
    """The pattern with the longest beginning that has no star in it; a folder is all below it."""
    patterns = ("policies", "policies/pay/", "policies/**/notes.md", "**/private", "политика/*")
    access = rules(folders={pattern: {"readers": [pattern]} for pattern in patterns})
    found = folder_rule(path, access)

    assert rule == (found.readers[0].strip("/") if found and found.readers else None)


def test_a_folder_closes_what_says_nothing_and_what_says_more() -> None:
    """The names that both have are left."""
    access = rules(folders={"a": {"readers": ["hr", "boss"], "labels": ["draft"]}})

    assert frozenset({"hr", "boss"}) == ruled(page(), access).readers
    assert HR == ruled(page(readers=frozenset({"hr", "all"})), access).readers
    assert {"draft"} == ruled(page(), access).labels


def test_a_page_for_a_part_of_the_folders_group_may_lie_there() -> None:
    """Who is in the managers is in the staff."""
    access = rules(folders={"a": {"readers": ["staff"]}}, inside={"managers": ["staff"]})

    assert {"managers"} == ruled(page(readers=frozenset({"managers"})), access).readers


def test_a_page_that_nobody_may_read_is_not_indexed() -> None:
    """It is named, with both sides."""
    access = rules(folders={"a": {"readers": ["staff"]}})

    with pytest.raises(IngestError, match=r"a/b\.md: nobody may read it: it is for hr, and its folder for staff"):
        ruled(page(readers=HR), access)


def test_a_label_names_readers_and_a_flag() -> None:
    """In whatever case it is written; a flag is the label that answers are marked by."""
    access = rules(labels={"Секретно": {"readers": ["hr"], "flag": "confidential"}})
    found = ruled(page(labels=frozenset({"секретно"})), access)

    assert (HR, frozenset({"секретно", "confidential"})) == (found.readers, found.labels)


def test_who_says_nothing_is_for_those_named_for_all() -> None:
    """Where there is such a line; a page with readers of its own is not touched by it."""
    access = rules(readers=["staff"])

    assert (STAFF, HR) == (ruled(page(), access).readers, ruled(page(readers=HR), access).readers)
    assert frozenset() == ruled(page(), rules()).readers


def test_case_does_not_count_in_an_address() -> None:
    """As it does not among people."""
    assert {"anna@northwind.example"} == ruled(page(readers=frozenset({"Anna@Northwind.example"})), rules()).readers


_groups = st.sets(st.sampled_from(["a", "b", "c", "d"]), max_size=3).map(frozenset)
_some = _groups.filter(bool).map(list)


@settings(derandomize=True, max_examples=200)
@given(_groups, st.none() | _some, st.none() | _some, st.none() | _some, st.sets(st.sampled_from("abcd")))
def test_no_rule_opens_anything(
    own: frozenset[str], folder: list[str] | None, label: list[str] | None, all_: list[str] | None, who: set[str]
) -> None:
    """Whoever may read a page under some rules is among those whom the page and each rule name."""
    access = rules(
        folders={"a": {"readers": folder}} if folder else {},
        labels={"x": {"readers": label}} if label else {},
        **({"readers": all_} if all_ else {}),
    )
    try:
        found = ruled(page(readers=own, labels=frozenset({"x"})), access).readers
    except IngestError:
        return

    limits = [frozenset(one) for one in (own, folder, label) if one]
    assert not (who & found) or all(who & limit for limit in limits)
    assert found or not (limits or all_)


@pytest.mark.parametrize("label", ["draft", "Draft"])
def test_a_draft_stands_below_everything_or_is_not_used(label: str) -> None:
    """Whatever authority its folder has; the report says why a draft is missing, where none may be used."""
    draft, folders = page(labels=frozenset({label})), {"a": {"authority": 5}}

    assert -1 == ruled(draft, rules(folders=folders)).authority
    with pytest.raises(IngestError, match="it is a draft"):
        ruled(draft, rules(folders=folders, drafts=False))


def test_folders_give_authority_and_where_none_does_the_page_itself() -> None:
    """Whoever can write a page somewhere cannot put it above what the operator's folders say."""
    said, own = rules(folders={"a": {"authority": 2}, "wiki": {}}), page("wiki/lies.md")

    assert 2 == ruled(page(), said).authority
    assert 2 == ruled(replace(page(), authority=9), said).authority
    assert 0 == ruled(replace(own, authority=9), said).authority
    assert 9 == ruled(replace(own, authority=9), rules()).authority
