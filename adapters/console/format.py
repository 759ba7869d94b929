"""From the neutral tree to what a terminal shows: the answer, and the evidence as a list under it."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text as Styled

from core.phrases import phrase
from core.reply import Bullets, Evidence, Line, Node, Note, Paragraph, RenderedReply, Table, Tasks, mark, separated

_STYLES = {"plain": "", "strong": "bold", "code": "cyan", "quiet": "dim italic"}


def answer_shown(reply: RenderedReply) -> RenderableType:
    """Return the answer for a terminal, and under it what can be typed next."""
    return Group(*(_node(node) for node in reply.nodes), *_actions(reply))


def evidence_shown(reply: RenderedReply) -> RenderableType:
    """Return the evidence for a terminal: number, document and place, then the exact words."""
    return Group(
        Styled(phrase("sources", reply.language), style="bold"),
        *(_evidence(entry) for entry in reply.evidence),
        *(Styled(said, style="dim italic") for said in reply.checks),
    )


def _actions(reply: RenderedReply) -> Iterator[RenderableType]:
    """Yield the options with the numbers that choose them, and how to see more; why is the command of that name."""
    choices = [action for action in reply.actions if action.kind == "choose"]
    for number, action in enumerate(choices, 1):
        yield Styled.assemble("  ", (str(number), "bold cyan"), "  ", action.label)
    if choices:
        yield Styled(phrase("choose_by_number", reply.language), style="dim")
    for action in reply.actions:
        if action.kind == "more":
            yield Styled(f"{action.label}: {phrase('type_more', reply.language)}", style="dim")


def _node(node: Node) -> RenderableType:
    match node:
        case Paragraph(line):
            return _line(line)
        case Bullets(items, heading):
            bullets = [_bullet(item) for item in items]
            return Group(*([_line(heading)] if heading else []), *bullets)
        case Table(header, rows):
            grid = Grid(show_edge=False, pad_edge=False)
            for name in header:
                grid.add_column(Styled(name))
            for row in rows:
                grid.add_row(*(_line(cell) for cell in row))
            return Padding(grid, (0, 0, 0, 2))
        case Tasks(line=line):
            return Styled(line, style=_STYLES["quiet"])


def _bullet(item: Line) -> RenderableType:
    grid = Grid.grid(padding=(0, 1))
    grid.add_column(width=3, justify="right")
    grid.add_column(ratio=1)
    grid.add_row("•", _line(item))
    return grid


def _line(line: Line) -> Styled:
    shown = Styled()
    for part, (separator, words) in zip(line, separated(line), strict=True):
        style = "cyan" if isinstance(part, Note) else _STYLES[part.style]
        shown.append(f"{separator}{words}", style=style)
    return shown


def _evidence(entry: Evidence) -> RenderableType:
    head = Styled(f"{mark(entry.number)} ", style="cyan")
    head.append(entry.title, style=Style(bold=True, link=entry.link))
    about = [part for part in (entry.place, entry.updated, entry.remark) if part]
    head.append(f" — {' · '.join(about)}" if about else "", style="dim")
    lines: list[RenderableType] = [head]
    lines += [Padding(Styled(f"“{quote}”", style="italic"), (0, 0, 0, 3)) for quote in entry.quote.splitlines()]
    lines += [Padding(Styled(f"→ {words}: {address}", style="dim"), (0, 0, 0, 3)) for words, address in entry.leads]
    if entry.link:
        lines.append(Padding(Styled(entry.link, style="dim"), (0, 0, 0, 3)))
    return Group(*lines)
