"""Where links lead: relative paths, anchors, names of pages, web addresses."""

import pytest

from core.ingest.addresses import addresses_of, anchor_of, led_to, searched
from tests.core.corpus import page

PAGES = (
    page("index.md", "x", "Home"),
    page("guides/vpn.md", "x", "VPN setup", aliases=("Настройка VPN",)),
    page("guides/old/vpn.md", "x", "Old VPN", link="https://docs.example/vpn/"),
    page("отпуск/Правила отпуска.md", "x", "Отпуск"),
    page("guides/README.md", "x", "Guides"),
)
KNOWN: dict[str, tuple[str, ...]] = {}
for one in PAGES:
    for key in addresses_of(one):
        KNOWN[key] = (*KNOWN.get(key, ()), one.id)


@pytest.mark.parametrize(
    ("origin", "target", "expected"),
    [
        ("index.md", "guides/vpn.md", "guides/vpn.md"),
        ("guides/a.md", "vpn.md#step-2", "guides/vpn.md"),
        ("guides/a.md", "../index.md", "index.md"),
        ("guides/old/a.md", "./../vpn.md?x=1", "guides/vpn.md"),
        ("guides/a.md", "/guides/vpn", "guides/vpn.md"),
        ("guides/a.md", "#here", None),
        ("guides/vpn.md", "#here", "guides/vpn.md"),
        ("index.md", "guides/", "guides/README.md"),
        ("index.md", "%D0%BE%D1%82%D0%BF%D1%83%D1%81%D0%BA/Правила%20отпуска.md", "отпуск/Правила отпуска.md"),
        ("index.md", "Правила_отпуска", "отпуск/Правила отпуска.md"),
        ("index.md", "VPN setup", "guides/vpn.md"),
        ("index.md", "настройка vpn#шаг", "guides/vpn.md"),
        ("guides/old/a.md", "vpn", "guides/old/vpn.md"),
        ("guides/a.md", "folder/vpn", "guides/vpn.md"),
        ("index.md", "https://docs.example/vpn#top", "guides/old/vpn.md"),
        ("index.md", "https://elsewhere.example/vpn", None),
        ("index.md", "mailto:it@example.org", None),
        ("index.md", "missing.md", None),
        ("index.md", "../../../etc/passwd", None),
        ("a/b.md", "..\\index.md", "index.md"),
    ],
)
def test_a_link_leads_to_the_document_that_is_meant(origin: str, target: str, expected: str | None) -> None:
    """Paths count from the page, then from the top; names fit in any case; the nearest of several is meant."""
    assert expected == led_to(target, origin, KNOWN)


def test_an_anchor_is_the_place_in_the_page() -> None:
    """What stands behind the hash, readable."""
    assert ("шаг 2", "") == (anchor_of("a.md#%D1%88%D0%B0%D0%B3%202"), anchor_of("a.md"))


def test_an_endless_address_is_cut() -> None:
    """An address of a megabyte is looked up by its beginning."""
    assert all(len(key) < 400 for key in searched("../" * 300_000, "a.md"))
