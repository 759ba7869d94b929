"""Names of pages tell what the page is, and are safe to keep."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from yarl import URL

from adapters.sources.addresses import joined
from adapters.sources.names import LONGEST, page_name


@pytest.mark.parametrize(
    ("path", "suffix", "name"),
    [
        ("/", ".html", "index.html"),
        ("", ".html", "index.html"),
        ("/docs/", ".html", "docs/index.html"),
        ("/docs/page", ".html", "docs/page.html"),
        ("/docs/page.HTML", ".html", "docs/page.HTML"),
        ("/docs/page.php?id=3", ".html", "docs/page.php~id=3.html"),
        ("/v1.2/notes", ".html", "v1.2/notes.html"),
        ("/file/12", ".pdf", "file/12.pdf"),
        ("/file.pdf?dl=1", ".pdf", "file~dl=1.pdf"),
        ("/%D0%B4%D0%BE%D0%BC", ".html", "дом.html"),
        ("/дом?стр=2/3", ".html", "дом~стр=2%2F3.html"),
        ("/a%2Fb/c", ".html", "a%2Fb/c.html"),
        ("/a%0Ab", ".html", "a%0Ab.html"),
        ("/a\\b", ".html", "a%5Cb.html"),
        ("//a///b", ".html", "a/b.html"),
    ],
)
def test_names(path: str, suffix: str, name: str) -> None:
    """The path without escapes, the query, and the suffix of the format."""
    assert name == page_name(URL(f"https://acme.example{path}"), suffix)


def test_a_long_name() -> None:
    """A name too long to be kept is cut, and still differs from others cut like it."""
    one, other = (page_name(URL(f"https://acme.example/{'д' * 400}{end}"), ".html") for end in "аб")

    assert one != other
    assert max(len(one), len(other)) <= LONGEST


@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.text(max_size=60), st.sampled_from([".html", ".pdf"]))
def test_any_link(text: str, suffix: str) -> None:
    """Whatever a page links to has one spelling and a name within the source, or is no page."""
    address = joined(URL("https://acme.example/docs/"), text)
    if address is None:
        return
    name = page_name(address, suffix)

    assert address == joined(address, str(address))
    assert name == page_name(URL(str(address)), suffix)
    assert name.isprintable() or not any(char < " " for char in name)
    assert not name.startswith("/")
    assert not {"", ".", ".."} & set(name.split("/"))
    assert name.encode("utf-8")
