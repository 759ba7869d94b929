"""Which links of a document are told, and what of them."""

import pytest

from core.facts import Link, Span
from core.outward import LONGEST, address_of, outward, told, words_for
from core.text import Untrusted

AT = Span(0, 4)


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("https://example.com/a?b=c#d", "https://example.com/a?b=c#d"),
        (" HTTP://wiki/page ", "HTTP://wiki/page"),
        ("mailto:anna@example.com?subject=Leave", "anna@example.com"),
        ("tel:+44-7700", "+44-7700"),
        ("rules.md", None),
        ("../a/b", None),
        ("#top", None),
        ("https:///etc", None),
        ("https://example.com/two words", None),
        ("https://example.com/" + "a" * LONGEST, None),
        ("javascript:alert(1)", None),
        ("tg://user?id=42", None),
        ("file:///srv/leave.md", None),
        ("mailto:", None),
        ("https://exa\u202emple.com", "https://example.com"),
    ],
)
def test_what_is_an_address(target: str, address: str | None) -> None:
    """Web pages, letters and calls; nothing that cannot be seen stays in one."""
    assert address == address_of(Link(target, AT))


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ("https://example.com/", "https://example.com"),
        ("www.example.com/a", "https://example.com/a/"),
        ("anna@example.com", "mailto:anna@example.com"),
        ("+44 (7700) 900-118", "tel:+447700900118"),
        ("Write to ANNA@example.com!", "mailto:anna@example.com"),
    ],
)
def test_what_is_said_already_is_not_told_again(words: str, target: str) -> None:
    """An address that the words are needs no line of its own."""
    assert () == told([(Link(target, AT), Untrusted(words))])


def test_an_address_under_other_words_is_told() -> None:
    """Also, and above all, where the words are another address; once for the same words, which may be cut."""
    evil = Link("https://evil.example/bank", AT)

    assert (("https://bank.example", "https://evil.example/bank"),) == told(
        [(evil, Untrusted("https://bank.example")), (evil, Untrusted("https://bank.example"))]
    )
    ((label, _),) = told([(evil, Untrusted("слово " * 40))])
    assert label.endswith("…")


def test_links_of_a_span_are_those_in_it() -> None:
    """A link that begins where the span ends is not in it; one across its border is."""
    links = [Link("https://a.example", Span(start, start + 4)) for start in (0, 8, 16)]

    assert links[1:2] == list(outward(links, Span(10, 16)))


def test_a_link_is_asked_for_by_what_it_is() -> None:
    """In both languages, whatever the page calls it; a path by nothing."""
    links = [Link("https://a.example", AT), Link("mailto:a@b.example", AT), Link("a.md", AT)]

    assert {"link", "url", "ссылка", "email", "почта"} == set(words_for(links, AT).split())
    assert "" == words_for(links[2:], AT)
