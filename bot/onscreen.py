"""How an answer goes, on a terminal: what is proven so far over what is being done, and nothing of it in the end."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from core.phrases import phrase
from core.reply import RenderedReply
from core.telling import Step, Tell, after, shown, words_of_step
from core.text import Language


@contextmanager
def told_on(console: Console, language: Language) -> Iterator[Tell]:
    """Show while inside what is told; on what is no terminal nothing is seen."""
    spinner = Spinner("dots", Text(phrase("looking", language)))
    steps: tuple[Step, ...] = ()
    with Live(spinner, console=console, transient=True) as live:

        def tell(step: Step) -> None:
            nonlocal steps
            steps = after(steps, step)
            spinner.update(text=Text(words_of_step(step, language)))
            reply = shown(steps, language)
            live.update(_over(spinner, reply) if len(reply.nodes) > 1 else spinner)

        yield tell


def _over(spinner: Spinner, reply: RenderedReply) -> RenderableType:
    """Return the statements, and the spinner in place of the line that says what is being done."""
    from adapters.console.format import answer_shown

    return Group(answer_shown(RenderedReply(reply.nodes[:-1], (), reply.language)), spinner)
