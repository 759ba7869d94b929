"""`footnote chat`: a thread in the terminal."""

import secrets
import signal
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime

from rich.console import Console

from bot.answering import Bot
from bot.asking_as import asked_as
from bot.commands import NOTHING_INDEXED, console_question, ready_bot, show_reply
from bot.explain import explained
from bot.onscreen import told_on
from bot.settings import read_settings
from bot.wiring import feedback_of
from core.clarify import pressed_by, typed
from core.conversation import MessageRef, Question
from core.errors import ConfigError, PortError
from core.feedback import Deed, Said, Verdict, Way
from core.phrases import phrase
from core.pipeline import or_failure
from core.render import text_of
from core.text import language_of
from core.turn import TurnRecord
from core.unanswered import unanswerable

_HELP = (
    "Ask a question; /why tells how the last one was understood, /good and /bad WHY say whether its answer helped, "
    "/new starts a new thread, /quit ends."
)
_VERDICTS: Mapping[str, Verdict] = {"/good": "up", "/bad": "down"}
Judge = Callable[[Deed, str], Awaitable[Said | None]]

_NOTHING = "Nothing has been asked yet."


async def chat_command(groups: frozenset[str]) -> None:
    """Hold a conversation until the end of the input."""
    console = Console()
    settings = read_settings()
    async with ready_bot(settings) as (bot, stores):
        if await stores.catalog.live() is None:
            raise ConfigError(NOTHING_INDEXED)
        console.print(_HELP, style="dim", highlight=False)
        judge = feedback_of(stores.database, masked=settings.masks_for_logs).judge_answer
        await converse(bot, console, await asked_as(groups, stores), judge=judge)


async def converse(
    bot: Bot, console: Console, groups: frozenset[str], thread: str | None = None, judge: Judge | None = None
) -> None:
    """Answer line after line in one thread; `judge` stores what is said of an answer."""
    thread = thread or _new_thread()
    last: TurnRecord | None = None
    while (line := _next_line(console)) is not None:
        match line.strip():
            case "/quit" | "/exit":
                return
            case "/new":
                thread, last = _new_thread(), None
                console.print("A new thread.", style="dim")
            case "/why" | "/почему":
                console.print(explained(last) if last else _NOTHING, style="dim", highlight=False, markup=False)
            case "/help":
                console.print(_HELP, style="dim", highlight=False)
            case said if judge and said.partition(" ")[0] in _VERDICTS:
                console.print(await _judged(said, last, judge), style="dim", highlight=False, markup=False)
            case text:
                question = _asked(text, thread, groups, last)
                last = await _answered(bot, console, question) or last


async def _judged(said: str, last: TurnRecord | None, judge: Judge) -> str:
    """Return the word of thanks for "/good" or "/bad", with the reason in the person's own words if they give one."""
    if last is None:
        return _NOTHING
    command, _, reason = said.partition(" ")
    verdict = _VERDICTS[command]
    way: Way = "reason" if reason.strip() and verdict == "down" else "given"
    ref = MessageRef("console", last.question.thread, last.question.id)
    version = last.question.version
    deed = Deed(ref, "console", "", way, verdict, datetime.now(UTC), reason.strip() or None, version)
    stored = await or_failure(judge(deed, last.question.id))
    if isinstance(stored, PortError):
        return f"{stored}. It was not stored."
    language = language_of(last.question.text)
    if stored is None:
        return phrase("why_unknown", language)
    if stored.now.reason:
        return phrase("thanks_reason", language, reason=stored.now.reason)
    return phrase(f"thanks_{verdict}", language)


def _asked(text: str, thread: str, groups: frozenset[str], last: TurnRecord | None) -> Question:
    """Return what the line asks: with the words of a button under the last reply, what that button asks."""
    question = console_question(text, thread, groups)
    action = typed(text, last.reply) if last else None
    if last is None or action is None:
        return question
    return pressed_by(action, last, question)


async def _answered(bot: Bot, console: Console, question: Question) -> TurnRecord | None:
    if (remark := unanswerable(question.text)) is not None:
        console.print(text_of(remark), highlight=False, markup=False)
        return None
    with told_on(console, language_of(question.text)) as tell:
        record = await or_failure(bot.explain(question, tell=tell))
    if isinstance(record, PortError):
        console.print(f"{record}. Ask again, or leave with /quit.", style="red", highlight=False, markup=False)
    if not isinstance(record, TurnRecord):
        return None
    show_reply(console, record)
    console.print()
    return record


def _next_line(console: Console) -> str | None:
    """Return the next line, or None at the end of the input or at Ctrl-C, which the event loop would hold back."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return console.input("[bold]> [/bold]")
    except (EOFError, KeyboardInterrupt):
        console.print()
        return None
    finally:
        signal.signal(signal.SIGINT, before)


def _new_thread() -> str:
    return f"console:{secrets.token_hex(8)}"
