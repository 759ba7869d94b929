"""Which formats are read, by their suffixes, and what documents in other formats are to be saved as."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

READ: Final = frozenset(
    (
        *(".md", ".markdown", ".mdx", ".txt", ".html", ".htm", ".pdf", ".docx", ".pptx", ".xlsx", ".xlsm"),
        *(".csv", ".tsv", ".json", ".jsonl", ".yaml", ".yml", ".ipynb", ".eml", ".zip"),
    )
)
_BETTER: Final[Mapping[tuple[str, ...], str]] = {
    (".doc", ".odt", ".rtf", ".pages"): ".docx",
    (".ppt", ".odp"): ".pptx",
    (".xls", ".xlsb", ".ods", ".numbers"): ".xlsx",
    (".msg", ".mbox", ".pst"): ".eml",
    (".rst", ".adoc", ".asciidoc", ".org", ".textile", ".wiki", ".tex"): ".md or .html",
    (".epub", ".fb2", ".mobi", ".djvu", ".xps"): ".pdf or .docx",
    (".xhtml", ".mht", ".mhtml", ".webarchive"): ".html",
}
# By the suffix of a document that nobody reads yet. What most often is no document does not stand here.
BETTER: Final[Mapping[str, str]] = {suffix: better for suffixes, better in _BETTER.items() for suffix in suffixes}


def suffix_of(name: str) -> str:
    """Return the suffix that says the format, in lower case with its dot; nothing for a name without one."""
    return PurePosixPath(name).suffix.lower()
