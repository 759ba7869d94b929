"""A reply in Slack's dialect: blocks in which document text is only ever text."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, groupby

from adapters.slack import rich_text
from adapters.slack.buttons import action_units
from adapters.slack.citations import numbered
from adapters.slack.packing import MESSAGE_CHARS, SlackMessage, Unit, pack, unit
from adapters.slack.plan import planned
from adapters.slack.rich_text import Json
from adapters.slack.splitting import pieces
from core.buttons import spelled_out
from core.phrases import phrase
from core.reply import Bullets, Evidence, Inline, Line, Node, Paragraph, RenderedReply, Table, Tasks, Text, words_of

# docs.slack.dev/reference/block-kit/blocks/table-block: rows (the header is one), columns, characters in all cells.
TABLE_ROWS = 100
TABLE_COLUMNS = 20
TABLE_CHARS = 9_000
# The longest cell that others have seen pass (CopilotKit's SLACK_LIMITS); a long cell is no table any more anyway.
CELL_CHARS = 2_000
# docs.slack.dev/reference/block-kit/composition-objects/text-object
CONTEXT_CHARS = 3_000
# A longer quote is cut, so that the heading and the number of a footnote stay with its beginning.
QUOTE_CHARS = MESSAGE_CHARS // 2 - 100

_EMPTY_CELL = "—"


def answer_messages(reply: RenderedReply) -> tuple[SlackMessage, ...]:
    """Return the answer as messages that Slack takes, all of it, in order; its buttons stand in the last."""
    groups = count()
    reply = spelled_out(reply)
    units = list(chain.from_iterable(_units(node, groups) for node in reply.nodes))
    return pack(units, action_units(reply, groups))


def evidence_messages(reply: RenderedReply) -> tuple[SlackMessage, ...]:
    """Return the evidence as messages that Slack takes, all of it; none when the reply has none."""
    if not reply.evidence:
        return ()
    heading = unit(0, rich_text.section(rich_text.text(phrase("sources", reply.language), bold=True)))
    entries = chain.from_iterable(_entry(number, entry) for number, entry in enumerate(reply.evidence, 1))
    checks = chain.from_iterable(_quiet(said, count(len(reply.evidence) + 1)) for said in _together(reply.checks))
    return pack([heading, *entries, *checks])


def _together(checks: Sequence[str]) -> list[str]:
    return [" ".join(checks)] if checks else []


def _units(node: Node, groups: Iterator[int]) -> Iterable[Unit]:
    match node:
        case Paragraph(line) if _is_quiet(line):
            return _quiet(words_of(line), groups)
        case Paragraph(line):
            return _paragraph(line, groups)
        case Bullets(items, heading):
            return _bullets(items, heading, next(groups))
        case Table():
            return _table(node, groups)
        case Tasks(line=line):
            return [
                Unit(next(groups), (block,), line if number == 0 else "") for number, block in enumerate(planned(node))
            ]


def _paragraph(line: Line, groups: Iterator[int]) -> Iterator[Unit]:
    for is_block, parts in groupby(line, key=_is_block):
        if not is_block:
            yield from (unit(next(groups), rich_text.section(run)) for run in _runs(tuple(parts)))
            continue
        for part in parts:
            assert isinstance(part, Text)
            yield from (unit(next(groups), rich_text.preformatted(piece)) for piece in pieces(part.text, MESSAGE_CHARS))


def _is_block(part: Inline) -> bool:
    """Return whether it is code of several lines, which stands by itself."""
    return isinstance(part, Text) and part.style == "code" and "\n" in part.text


def _runs(line: Line) -> list[list[Json]]:
    """Return the line's elements in runs that fit into a message; a blank line has none."""
    return rich_text.split(rich_text.elements(line), MESSAGE_CHARS) if words_of(line).strip() else []


def _is_quiet(line: Line) -> bool:
    return all(part.style == "quiet" for part in line if isinstance(part, Text))


def _quiet(said: str, groups: Iterator[int]) -> Iterator[Unit]:
    for piece in pieces(said, CONTEXT_CHARS):
        if piece.strip():
            shown = {"type": "plain_text", "text": piece, "emoji": False}
            yield Unit(next(groups), ({"type": "context", "elements": [shown]},), piece)


def _bullets(items: tuple[Line, ...], heading: Line | None, group: int) -> list[Unit]:
    heads = [unit(group, rich_text.section(_bold(run))) for run in _runs(heading or ())]
    return _joined(heads, [made for line in items for made in _item(line, group)])


def _item(line: Line, group: int) -> Iterator[Unit]:
    for number, run in enumerate(_runs(line)):
        yield unit(group, rich_text.section(run) if number else rich_text.item(run))


def _bold(run: Sequence[Json]) -> list[Json]:
    return [{**part, "style": {**part.get("style", {}), "bold": True}} for part in run]


def _joined(heads: list[Unit], bodies: list[Unit]) -> list[Unit]:
    """Return the units, the last head in one with the first body if both fit: no heading stands alone."""
    if not heads or not bodies or rich_text.size((heads[-1].parts, bodies[0].parts)) > MESSAGE_CHARS:
        return [*heads, *bodies]
    return [*heads[:-1], unit(heads[-1].group, *heads[-1].parts, *bodies[0].parts), *bodies[1:]]


def _table(table: Table, groups: Iterator[int]) -> list[Unit]:
    rows: list[Sequence[str]] = [table.header, *([words_of(cell) for cell in row] for row in table.rows)]
    columns = max(len(row) for row in rows)
    grid = [[cell if cell.strip() else _EMPTY_CELL for cell in _padded(row, columns)] for row in rows]
    if not _is_table(grid):
        return list(_lines(rows, next(groups)))
    header, *body = grid
    cells = [[_name(cell) for cell in header], *([_cell(cell) for cell in row] for row in body)]
    told = "\n".join(" | ".join(row) for row in rows)
    return [Unit(next(groups), ({"type": "table", "rows": cells},), told)]


def _is_table(grid: list[list[str]]) -> bool:
    """Return whether Slack takes it as a table."""
    lengths = [len(cell) for row in grid for cell in row]
    fits = len(grid) <= TABLE_ROWS and 0 < len(grid[0]) <= TABLE_COLUMNS
    return fits and max(lengths) <= CELL_CHARS and sum(lengths) <= TABLE_CHARS


def _padded(row: Sequence[str], columns: int) -> list[str]:
    return [*row, *[""] * (columns - len(row))]


def _name(said: str) -> Json:
    return {"type": "rich_text", "elements": [rich_text.section(rich_text.text(said, bold=True))]}


def _cell(said: str) -> Json:
    return {"type": "raw_text", "text": said}


def _lines(rows: Sequence[Sequence[str]], group: int) -> Iterator[Unit]:
    """Yield a table that is too large for a table block as lines of text; a row is torn only when it is too long."""
    for row in rows:
        for piece in pieces(" | ".join(row) + "\n", MESSAGE_CHARS):
            yield unit(group, rich_text.preformatted(piece))


def _entry(group: int, entry: Evidence) -> list[Unit]:
    """Return one footnote: number, title, place and remarks, then the exact words.

    The number is a citation of Slack's own where the address is fit for one.
    """
    remarks = [part for part in (entry.place, entry.updated, entry.remark) if part]
    head = [
        *numbered(entry),
        *rich_text.titled(entry.title, entry.link),
        *rich_text.text("".join(f" · {remark}" for remark in remarks)),
    ]
    heads = [unit(group, rich_text.section(run)) for run in rich_text.split(head, QUOTE_CHARS)]
    quotes = [quote for said, is_code in entry.runs for quote in _quotes(said, is_code)]
    return _joined(heads, [unit(group, one) for one in (*quotes, *_leads(entry))])


def _leads(entry: Evidence) -> list[Json]:
    """Return the addresses behind words of the quote, a line each, as code: Slack makes no link of that."""
    lines: list[Json] = []
    for words, address in entry.leads:
        line = rich_text.elements((Text(f"→ {words}: "), Text(address, "code")))
        lines += [rich_text.section(run) for run in rich_text.split(line, QUOTE_CHARS)]
    return lines


def _quotes(said: str, is_code: bool) -> list[Json]:  # noqa: FBT001 - one of two, and never by name
    if is_code:
        return [rich_text.preformatted(piece) for piece in pieces(said, QUOTE_CHARS)]
    return [rich_text.quote(run) for run in rich_text.split(rich_text.text(said), QUOTE_CHARS)]
