"""Rules on who may read what: by folder, label and default; each one only closes."""

from dataclasses import replace
from functools import partial
from typing import Literal
from unicodedata import normalize

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

    assert rule == (found.readers[0].strip("/") if found.readers else None)


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


@pytest.mark.parametrize("names", [("hr", "hr/official", "hr/drafts"), ("кадры", "кадры/приказы", "кадры/черновики")])
def test_a_rule_that_names_no_readers_opens_nothing(names: tuple[str, str, str]) -> None:
    """What a more specific rule does not speak of stays as the rules around it have it; labels add up."""
    around, official, drafts = names
    access = rules(
        folders={
            around: {"readers": ["hr"], "labels": ["secret"], "authority": 1},
            official: {"authority": 5},
            drafts: {"labels": ["draft"]},
            f"{official}/open": {"readers": ["staff"]},
        }
    )
    said = {path: ruled(page(f"{path}/a.md"), access) for path in (official, drafts, f"{official}/open")}

    assert [HR, HR, STAFF] == [one.readers for one in said.values()]
    assert [{"secret"}, {"secret", "draft"}, {"secret"}] == [one.labels for one in said.values()]
    assert [5, -1, 5] == [one.authority for one in said.values()]


def test_a_folder_may_have_no_authority_of_its_own() -> None:
    """None said is that of the folder around it; 0 is said."""
    access = rules(folders={"a": {"authority": 2}, "a/chat": {"authority": 0}})

    assert [2, 0] == [ruled(page(id_), access).authority for id_ in ("a/x.md", "a/chat/x.md")]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_it_does_not_count_how_an_accented_letter_is_stored(form: Literal["NFC", "NFD"]) -> None:
    """A Mac writes й as two characters and é, too: in names of folders, of labels and of groups."""
    other = "NFD" if form == "NFC" else "NFC"
    said, stored = (partial(normalize, one) for one in (form, other))
    access = rules(
        folders={said("кадры/йод"): {"readers": [said("кадровики Й")]}, said("**/résumés"): {"readers": ["hr"]}},
        labels={said("Секретный"): {"readers": ["hr"]}},
    )

    assert {normalize("NFC", "кадровики Й")} == ruled(page(stored("кадры/йод/x.md")), access).readers
    assert HR == ruled(page(stored("team/résumés/x.md")), access).readers
    assert HR == ruled(page(labels=frozenset({stored("секретный")})), access).readers
    own = page(stored("кадры/йод/x.md"), readers=frozenset({stored("кадровики Й")}))
    assert {normalize("NFC", "кадровики Й")} == ruled(own, access).readers


@pytest.mark.parametrize(
    ("label", "slip"),
    [("confidential", "confidental"), ("confidential", "confidentail"), ("конфиденциально", "конфиденцально")],
)
def test_a_label_with_a_slip_closes_its_page(label: str, slip: str) -> None:
    """It is named; another label, however alike, is another label, and so is any where the rule closes nothing."""
    access = rules(labels={label: {"readers": ["hr"]}, "team-a": {"readers": ["hr"]}, "official": {"flag": None}})

    with pytest.raises(IngestError, match=f"there is no label '{slip}': did you mean '{label}'"):
        ruled(page(labels=frozenset({slip})), access)
    for other in ("team-b", "confidence", "oficial", "общее"):
        assert not ruled(page(labels=frozenset({other})), access).readers


@pytest.mark.parametrize("key", ["tags", "classification", "category", "гриф"])
def test_what_a_page_says_in_another_word_for_labels_counts_where_it_closes(key: str) -> None:
    """As `tags: [confidential]`; what no rule closes by is no label."""
    access = rules(labels={"Секретно": {"readers": ["hr"]}, "news": {"flag": "personal-data"}})
    found = ruled(replace(page(), fields={key: "news, секретно"}), access)

    assert (HR, {"секретно"}) == (found.readers, found.labels)
    assert not ruled(replace(page(), fields={"title": "секретно", key: "news"}), access).readers
