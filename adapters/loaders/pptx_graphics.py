"""What a slide shows beside its texts: the numbers of a chart, and the words of a diagram."""

from collections.abc import Iterator
from typing import Any, Final

from adapters.loaders import table
from adapters.loaders.cells import shown
from core.ingest.pieces import Piece, one_line

_DIAGRAM: Final = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_LINKS: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_TEXT: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
# A chart of more is drawn from a database: nobody reads its numbers.
_CHART_LIMIT: Final = 2_000


def chart_pieces(chart: Any, numbers: Iterator[int], page: int, path: str) -> Iterator[Piece]:
    """Yield the title of a chart, and its categories as rows with a column for each of its series."""
    if chart.has_title and chart.chart_title.has_text_frame and (title := one_line(chart.chart_title.text_frame.text)):
        yield Piece("paragraph", title, page=page)
    try:
        plots = list(chart.plots)
    # A kind of chart that python-pptx does not know has no numbers for it.
    except ValueError:
        return
    for plot in plots:
        categories = [one_line(str(one)) for one in plot.categories]
        series = list(plot.series)
        if not categories or len(categories) * len(series) > _CHART_LIMIT:
            continue
        head = ("", *(one_line(one.name) for one in series))
        values = [list(one.values) for one in series]
        rows = [
            (category, *(shown(column[place]) if place < len(column) else "" for column in values))
            for place, category in enumerate(categories)
        ]
        yield from table.pieces_of(table.bounded([head, *rows], path), numbers, table.Heads(sure=True), page=page)


def diagram_pieces(frame: Any, part: Any, series: int, page: int) -> Iterator[Piece]:
    """Yield the words of a diagram (SmartArt) as a list, those of one shape as one item."""
    from lxml import etree

    known = [name for named in frame.iter(f"{{{_DIAGRAM}}}relIds") if (name := named.get(f"{_LINKS}dm")) in part.rels]
    for name in known:
        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        for shape in etree.fromstring(part.related_part(name).blob, parser).iter(f"{{{_DIAGRAM}}}t"):
            lines = ("".join(run.text or "" for run in line.iter(f"{_TEXT}t")) for line in shape.iter(f"{_TEXT}p"))
            if text := one_line(" ".join(lines)):
                yield Piece("item", text, series=series, page=page)
