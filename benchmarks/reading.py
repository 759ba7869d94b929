"""What it costs to read risky documents in processes of their own, against reading them in this one.

    python -m benchmarks.reading [--documents 200] [--json]

For each format small documents are read both ways, in turns, in one run; the times are of the clock. Markdown is read
in this process either way: its ratio is the price of asking. `start_ms` is what the first document of a run waits.
"""

import argparse
import json
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from io import BytesIO
from statistics import median
from typing import Any, TypeVar

from adapters.loaders import Workers, documents_in
from core.errors import IngestError
from core.ingest.source import Item

T = TypeVar("T")
_SENTENCES = "The gateway is in Berlin; ask Ada for a key. Отпуск согласуют за две недели. "
_ROUNDS = 5


class Here(Workers):
    """Reads in this process, as the readers of plain formats do."""

    def read(self, reader: Callable[[bytes, str], T], data: bytes, path: str) -> T:
        """Return what the reader makes of the bytes."""
        return reader(data, path)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=int, default=200, help="of each format, in each round")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    asked = parser.parse_args()
    figures = measured(asked.documents)
    if asked.json:
        print(json.dumps(figures))
        return
    for name, one in figures.items():
        print(f"{name:>9}: {' · '.join(f'{key} {value:g}' for key, value in one.items())}")


def measured(documents: int) -> dict[str, dict[str, float]]:
    """Return for each format milliseconds a document in this process and in its own, and their ratio."""
    figures: dict[str, dict[str, float]] = {}
    with closing(Workers()) as workers:
        began = time.perf_counter()
        _seconds("a.html", b"<p>one</p>", workers, 1)
        figures["start"] = {"start_ms": round(1_000 * (time.perf_counter() - began))}
        for name, data in _files().items():
            for one in (Here(), workers):
                _seconds(name, data, one, 1)
            turns = [[_seconds(name, data, one, documents) for one in (Here(), workers)] for _ in range(_ROUNDS)]
            here, there = (1_000 * median(times) / documents for times in zip(*turns, strict=True))
            ratio = median(there / here for here, there in turns)
            figures[name] = {"here_ms": round(here, 2), "guarded_ms": round(there, 2), "ratio": round(ratio, 2)}
    return figures


def _seconds(name: str, data: bytes, workers: Workers, documents: int) -> float:
    began = time.perf_counter()
    for _ in range(documents):
        if problems := [one for one in documents_in(Item(name, data), None, workers) if isinstance(one, IngestError)]:
            raise problems[0]
    return time.perf_counter() - began


def _files() -> Mapping[str, bytes]:
    text = "".join(f"# Part {n}\n\n{_SENTENCES * 4}\n\n- раз\n- two\n\n" for n in range(10))
    page = "".join(f"<h1>Part {n}</h1><p>{_SENTENCES * 4}</p><ul><li>раз<li>two</ul>" for n in range(10))
    return {"a.md": text.encode(), "a.html": page.encode(), "a.eml": _mail(text), "a.xlsx": _book()}


def _mail(text: str) -> bytes:
    return b"Subject: Berlin\nContent-Type: text/plain; charset=utf-8\n\n" + text.encode()


def _book() -> bytes:
    from openpyxl import Workbook

    book, out = Workbook(), BytesIO()
    sheet: Any = book.active
    for number in range(50):
        sheet.append([f"gateway {number}", "Берлин", number])
    book.save(out)
    return out.getvalue()


if __name__ == "__main__":
    main()
