"""Tables in text files: CSV and TSV."""

import csv
import re
from io import StringIO
from itertools import count, islice
from typing import Final

from adapters.loaders import table
from adapters.loaders.closing import check_head
from adapters.loaders.decoding import decode
from adapters.loaders.reading import Reading
from core.errors import IngestError

# Those first that no number and no sentence holds.
DELIMITERS: Final = ";\t|,"
_COMMA_OF_TEXT: Final = re.compile(r"(?<=\d),(?=\d)|,(?= )")
# Share of the rows that have as many cells as most; share of the commas that are those of numbers and of sentences.
_REGULAR, _OFTEN = 0.9, 0.5
# Rows that are looked at to find out what parts the cells.
_SAMPLE_ROWS, _SAMPLE = 50, 20_000


def read_csv(data: bytes, path: str) -> Reading:
    """Return the table in a CSV or TSV file; what parts its cells and in which encoding it is, the file tells."""
    text = decode(data, path)
    check_head(text, path)
    first, _, rest = text.partition("\n")
    # Excel's own way to say it, which Excel does not show.
    stated = first.strip().removeprefix("sep=") if first.startswith("sep=") else ""
    delimiter = stated if len(stated) == 1 else delimiter_of(text)
    lines = csv.reader(StringIO(rest if stated else text), delimiter=delimiter, skipinitialspace=True)
    try:
        rows = table.bounded(lines, path)
    except csv.Error as error:
        raise IngestError(path, f"is no table ({error}): look for a quotation mark that is not closed") from error
    return Reading(tuple(table.pieces_of(rows, count())))


def delimiter_of(text: str) -> str:
    """Return what parts the cells: the mark that gives most rows the same number of cells, and more than one.

    A comma parts them only where no other mark does if it stands in numbers and before blanks for the most part.
    """
    return max(DELIMITERS, key=lambda mark: _fit(text[:_SAMPLE], mark))


def _fit(sample: str, mark: str) -> tuple[bool, bool, float, int]:
    try:
        widths = [len(row) for row in islice(csv.reader(StringIO(sample), delimiter=mark), _SAMPLE_ROWS) if row]
    except csv.Error:
        return False, False, 0, 0
    usual = max(set(widths), key=widths.count, default=0)
    if usual <= 1:
        return False, False, 0, 0
    share = widths.count(usual) / len(widths)
    of_text = mark == "," and len(_COMMA_OF_TEXT.findall(sample)) >= _OFTEN * sample.count(",")
    return share >= _REGULAR, not of_text, share, usual
