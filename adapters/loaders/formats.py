"""Which reader reads which format, and how large a file of it may be."""

from collections.abc import Mapping
from typing import Final

from adapters.loaders.delimited import read_csv
from adapters.loaders.docx import read_docx
from adapters.loaders.html import read_html
from adapters.loaders.notebook import read_notebook
from adapters.loaders.pdf import read_pdf
from adapters.loaders.pptx import read_pptx
from adapters.loaders.reading import Reader, read_markdown, read_text
from adapters.loaders.tree import read_json, read_json_lines, read_yaml
from adapters.loaders.xlsx import read_xlsx
from core.errors import IngestError
from core.ingest.formats import BETTER, suffix_of

SIZE_LIMIT: Final = 50_000_000
READERS: Final[Mapping[str, Reader]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".mdx": read_markdown,
    ".txt": read_text,
    ".html": read_html,
    ".htm": read_html,
    ".pdf": read_pdf,
    ".docx": read_docx,
    ".pptx": read_pptx,
    ".xlsx": read_xlsx,
    ".xlsm": read_xlsx,
    ".csv": read_csv,
    ".tsv": read_csv,
    ".json": read_json,
    ".jsonl": read_json_lines,
    ".yaml": read_yaml,
    ".yml": read_yaml,
    ".ipynb": read_notebook,
}
# Files that hold files.
ARCHIVE: Final = ".zip"
MAIL: Final = ".eml"
KNOWN: Final = tuple(sorted((*READERS, ARCHIVE, MAIL)))
# Read by libraries in C, or by ones that were never made for hostile input: in a process of their own.
_RISKY: Final = frozenset((".pdf", ".docx", ".pptx", ".xlsx", ".xlsm", ".html", ".htm", MAIL))
# Bytes. So is anything larger: a text full of marks takes a parser about a second for every 50 kB.
_LARGE: Final = 500_000
# Bytes. A parser of text needs many times the memory of the file: about a minute of reading at most.
_LIMITS: Final[Mapping[str, int]] = {
    **dict.fromkeys((".md", ".markdown", ".mdx", ".html", ".htm", ".json", ".jsonl", ".ipynb"), 10_000_000),
    **dict.fromkeys((".yaml", ".yml"), 5_000_000),
    **dict.fromkeys((".txt", ".csv", ".tsv"), 20_000_000),
}
# Who puts these into a folder of documents means them as such.
_ADVICE: Final[Mapping[str, str]] = {
    **BETTER,
    ".key": ".pptx",
    **dict.fromkeys((".log", ".text", ".ini", ".cfg", ".conf", ".toml", ".properties"), ".txt"),
    **dict.fromkeys((".rar", ".7z", ".tar", ".gz", ".tgz"), ARCHIVE),
}


def limit_of(name: str) -> int:
    """Return how many bytes a file of this name may have."""
    return min(SIZE_LIMIT, _LIMITS.get(suffix_of(name), SIZE_LIMIT))


def check_size(name: str, size: int) -> None:
    """Raise IngestError when a file of this name is too large to be read."""
    limit = limit_of(name)
    if size > limit:
        raise IngestError(name, f"has {size:,} bytes, more than {limit:,}: split it")


def is_risky(name: str, size: int) -> bool:
    """Return whether a file of this name and size is to be read in a process of its own."""
    return size > _LARGE or suffix_of(name) in _RISKY


def reader_of(name: str) -> Reader:
    """Return the reader of the format; raises IngestError that says which format to choose."""
    suffix = suffix_of(name)
    if reader := READERS.get(suffix):
        return reader
    better = _ADVICE.get(suffix, ", ".join(KNOWN))
    raise IngestError(
        name,
        f"no reader for {suffix or 'files without a suffix'}: save it as {better}, or move it out of the folder",
    )
