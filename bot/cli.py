"""The command line: what each command takes, and what does it."""

import asyncio
import io
import json
import sys
from collections.abc import Coroutine
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from bot.cli_access import groups, may, telegram
from bot.cli_feedback import feedback, pins
from bot.cli_privacy import PEOPLE, add_privacy
from bot.cli_secrets import secrets
from core.errors import BotError

# The parts of --help.
ASKING, RUNNING, ANSWERS = "Documents and questions", "The bot", "How good the answers are"

app = typer.Typer(
    name="footnote",
    help="Answers from your own documents, with the passages that prove them: here, in Slack and in Telegram.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

evaluate = typer.Typer(
    help="Measure how good Footnote is on questions whose answers you know.", no_args_is_help=True, add_completion=False
)
app.add_typer(telegram, name="telegram", rich_help_panel=RUNNING)
app.add_typer(secrets, name="secrets", rich_help_panel=RUNNING)
app.add_typer(feedback, name="feedback", rich_help_panel=ANSWERS)
app.add_typer(pins, name="pins", rich_help_panel=ANSWERS)
app.add_typer(evaluate, name="evaluate", rich_help_panel=ANSWERS)
app.add_typer(groups, name="groups", rich_help_panel=PEOPLE)

T = TypeVar("T")

# The status of a command that could not do what was asked, after it has said why.
FAILED = 1


def _version(wanted: bool) -> None:  # noqa: FBT001 - as Typer calls it
    if wanted:
        print(version("footnote-bot"))
        raise typer.Exit


@app.callback()
def _begin(
    _: Annotated[bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; what goes wrong is one sentence on standard error and status 1."""
    _accept_any_characters()
    try:
        app(prog_name="footnote")
    except BotError as error:
        print(f"footnote: {error}", file=sys.stderr)
        raise SystemExit(FAILED) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def _accept_any_characters() -> None:
    """Let a character that the terminal's encoding lacks, or a byte that is none, read as "?" instead of ending all."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@app.command(rich_help_panel=ASKING)
def demo() -> None:
    """Index the example handbook, hold a short conversation, and show each reply as Slack and Telegram would."""
    from bot.demo import demo_command

    _run(demo_command())


@app.command(rich_help_panel=ASKING)
def index(  # noqa: PLR0913, PLR0917 — a command's options are its arguments
    where: Annotated[
        list[str] | None,
        typer.Argument(
            help="A folder, https://site/, https://host/repository.git, git@host:repository, slack:#channel or "
            "reader:package.module:Class; several become one. NAME= before one names its part. Left out: what "
            "footnote.yaml declares, else what was indexed last.",
            show_default=False,
        ),
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Only say what would change.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Status 1 also when a document could not be read, or a rule fits none.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Stay, and index whatever is saved there.")] = False,
    may_open: Annotated[
        bool,
        typer.Option("--open", help="Go on though rules are gone or are others, and documents open to all."),
    ] = False,
) -> None:
    """Read documents and make them what Footnote answers from; what did not change is not made anew."""
    from bot.commands import index_command

    if watch:
        from bot.index_watch import watch_command

        if plan or as_json or may_open:
            raise typer.BadParameter("give --watch alone: what only looks, or reports once, does not stay")
        _run(watch_command(where or []))
        return
    if not _run(index_command(where or [], plan=plan, as_json=as_json, strict=strict, may_open=may_open)):
        raise typer.Exit(FAILED)


@app.command(rich_help_panel=ASKING)
def reindex(
    status: Annotated[bool, typer.Option("--status", help="Say how far an index run is.")] = False,
    cancel: Annotated[bool, typer.Option("--cancel", help="Stop it; the next run goes on from there.")] = False,
    rollback: Annotated[bool, typer.Option("--rollback", help="Answer from the index before the live one.")] = False,
    purge: Annotated[bool, typer.Option("--purge", help="Leave nothing of removed documents in the files.")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="With --status: show how it goes until it ends.")] = False,
) -> None:
    """Watch or stop an index run, or go back to the index before; footnote index begins one. Alone: the status."""
    from bot.index_purge import purge_command
    from bot.reindex import cancel_command, follow_command, rollback_command, status_command

    ways = ((cancel, cancel_command), (rollback, rollback_command), (purge, purge_command), (follow, follow_command))
    if sum((status or follow, cancel, rollback, purge)) > 1:
        raise typer.BadParameter("give one of --status, --cancel, --rollback and --purge; --follow goes with --status")
    _run(next((command for chosen, command in ways if chosen), status_command)())


@app.command(rich_help_panel=ASKING)
def inspect(  # noqa: PLR0913, PLR0917 — a command's options are its arguments
    document: Annotated[
        str | None,
        typer.Argument(help="A document: its path, name or title, or a part of one. Left out: which there are."),
    ] = None,
    question: Annotated[
        str | None, typer.Option("-q", "--question", help="Say why this question finds the document, or does not.")
    ] = None,
    chunks: Annotated[bool, typer.Option("--chunks", help="Only what it was cut into.")] = False,
    entities: Annotated[bool, typer.Option("--entities", help="Only the names in it.")] = False,
    edges: Annotated[bool, typer.Option("--edges", help="Only what it ties to what.")] = False,
    text: Annotated[bool, typer.Option("--text", help="Only its text as it is stored.")] = False,
    whole: Annotated[bool, typer.Option("--all", help="All of it, however long.")] = False,
    group: Annotated[
        list[str] | None, typer.Option("--group", help="Look as a member of this group; may be given several times.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all of it as JSON.")] = False,
) -> None:
    """List the documents, show one as it was understood, or say why a question does not find it."""
    from bot.inspect import PARTS, Shown, inspect_command

    chosen = tuple(part for part, on in zip(PARTS, (chunks, entities, edges, text), strict=True) if on)
    shown = _run(inspect_command(document, question, frozenset(group or ()), Shown(chosen, whole, quiet=as_json)))
    if as_json:
        print(json.dumps(shown, ensure_ascii=False, indent=2))


@app.command(rich_help_panel=ASKING)
def ask(
    question: Annotated[str, typer.Argument(help="The question, in quotes.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as JSON.")] = False,
    hierarchical: Annotated[
        bool, typer.Option("-H", "--hierarchical", help="Read the whole section around each passage that is found.")
    ] = False,
    group: Annotated[
        list[str] | None, typer.Option("--group", help="Ask as a member of this group; may be given several times.")
    ] = None,
) -> None:
    """Ask one question and print the answer with its evidence."""
    from bot.commands import ask_command

    result = _run(ask_command(question, frozenset(group or ()), hierarchical=hierarchical, show=not as_json))
    if as_json:
        print(json.dumps(result, ensure_ascii=False, indent=2))


@app.command(rich_help_panel=ASKING)
def explain(
    question: Annotated[str, typer.Argument(help="The question, in quotes.")],
    after: Annotated[
        list[str] | None, typer.Option("--after", help="A question asked before it; may be given several times.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as JSON.")] = False,
    group: Annotated[
        list[str] | None, typer.Option("--group", help="Ask as a member of this group; may be given several times.")
    ] = None,
) -> None:
    """Say how a question is understood, what was looked up and read for it, what was missing, and how long it took."""
    from bot.explain import explain_command

    _run(explain_command(question, after or (), frozenset(group or ()), as_json=as_json))


@app.command(rich_help_panel=ASKING)
def chat(
    group: Annotated[
        list[str] | None, typer.Option("--group", help="Ask as a member of this group; may be given several times.")
    ] = None,
) -> None:
    """Hold a conversation in the terminal: /why explains, /good and /bad judge, /new begins anew, /quit ends."""
    from bot.chat import chat_command

    _run(chat_command(frozenset(group or ())))


@app.command(rich_help_panel=RUNNING)
def run() -> None:
    """Answer in Slack and Telegram, wherever the tokens are set, until stopped."""
    from bot.runtime import run_command

    _run(run_command())


@app.command(rich_help_panel=RUNNING)
def doctor(
    platform: Annotated[
        str | None,
        typer.Argument(help="slack or telegram: what the platform itself says of the bot. Left out: everything else."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With slack or telegram: print it as JSON.")] = False,
    manifest: Annotated[
        Path | None, typer.Option(help="With slack: the app's manifest, as its page exports it, to compare as well.")
    ] = None,
) -> None:
    """Say what is configured, what is missing and how to fix it."""
    if manifest and platform != "slack":
        raise typer.BadParameter("write footnote doctor slack --manifest FILE")
    if platform not in (None, "slack", "telegram") or (as_json and platform is None):
        raise typer.BadParameter("write footnote doctor, or footnote doctor slack or telegram, with --json if you like")
    if not _run(_examined(platform, as_json=as_json, manifest=manifest)):
        raise typer.Exit(FAILED)


def _examined(platform: str | None, *, as_json: bool, manifest: Path | None) -> Coroutine[Any, Any, bool]:
    if platform == "slack":
        from bot.doctor_slack import doctor_slack_command

        return doctor_slack_command(as_json=as_json, manifest=manifest)
    if platform == "telegram":
        from bot.telegram import checkup_command

        return checkup_command(as_json=as_json)
    from bot.doctor import doctor_command

    return doctor_command()


@app.command(rich_help_panel=RUNNING)
def channels(
    as_json: Annotated[bool, typer.Option("--json", help="Print them as JSON.")] = False,
) -> None:
    """Say whom the bot hears in each channel and chat."""
    from bot.channels import channels_command

    _run(channels_command(as_json=as_json))


@app.command(rich_help_panel=RUNNING)
def channel(
    place: Annotated[str, typer.Argument(help="slack:T0TEAM:C0CHANNEL or telegram:-100123.")],
    mode: Annotated[
        str, typer.Argument(help="mention: who mentions it; gate: also what is surely asked of the documents; all.")
    ],
) -> None:
    """Set whom the bot hears in a channel or chat; it holds at once, also while the bot runs."""
    from bot.channels import channel_command

    _run(channel_command(place, mode))


@app.command(rich_help_panel=RUNNING)
def migrate(
    to: Annotated[
        str | None, typer.Option("--to", help="Go back to this schema, as 0001; base is an empty database.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before something is removed.")] = False,
) -> None:
    """Bring the database to the newest schema, as every start does; or take it back before an older version."""
    from bot.migrate import migrate_command

    _run(migrate_command(to, sure=yes))


@evaluate.command("answers")
def evaluate_answers(
    file: Annotated[
        Path,
        typer.Argument(
            help="JSONL: id, question, and what a right answer holds: must_contain, items, documents, answerable."
        ),
    ],
    folder: Annotated[
        Path | None,
        typer.Option("--folder", help="Ask of these documents, indexed for this alone; else the live index."),
    ] = None,
    report: Annotated[Path | None, typer.Option("--report", help="Also write a page with plots to this file.")] = None,
    wrong: Annotated[bool, typer.Option("--wrong", help="Print what was said wherever it went wrong.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures and every answer as JSON.")] = False,
) -> None:
    """Measure how good the answers are, on questions whose answers are known."""
    from bot.evaluate_answers import evaluate_answers_command

    _run(evaluate_answers_command(file, folder=folder, report=report, wrong=wrong, as_json=as_json))


@evaluate.command("followup")
def evaluate_followup(
    file: Annotated[
        Path, typer.Argument(help="JSONL, a turn a line, as in tests/suites/followup.jsonl or TREC CAsT's.")
    ],
    model: Annotated[
        bool, typer.Option("--model", help="Also with PLANNER_MODEL, asked about each doubtful turn.")
    ] = False,
    sample: Annotated[
        int | None, typer.Option("--sample", min=1, help="Only so many turns of each label and language.")
    ] = None,
    wrong: Annotated[bool, typer.Option("--wrong", help="Name every turn that is wrong.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the shares, and which turns are wrong, as JSON.")
    ] = False,
) -> None:
    """Say how often it is rightly told whether a message follows an earlier one, without documents."""
    from bot.evaluate_followup import Options, evaluate_followup_command

    _run(evaluate_followup_command(file, Options(as_json, wrong, model, sample)))


@evaluate.command("plans")
def evaluate_plans(
    file: Annotated[
        Path, typer.Argument(help="JSONL: id, corpus (a folder), question, asked_at, and what its plan is to say.")
    ],
    wrong: Annotated[bool, typer.Option("--wrong", help="Name every question whose plan is not right.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the shares, and which plans are wrong, as JSON.")
    ] = False,
) -> None:
    """Say how often questions are planned rightly, without a model and with the one that PLANNER_MODEL names."""
    from bot.evaluate_plans import evaluate_plans_command

    _run(evaluate_plans_command(file, as_json=as_json, wrong=wrong))


@evaluate.command("addressed")
def evaluate_addressed(
    file: Annotated[Path, typer.Argument(help="JSONL: id, text, label bot or people; calls_others, in_thread.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the shares, and which messages are wrong, as JSON.")
    ] = False,
) -> None:
    """Say how well it is told which messages of a channel are for the bot though nobody mentions it."""
    from bot.evaluate_addressed import evaluate_addressed_command

    _run(evaluate_addressed_command(file, as_json=as_json))


@evaluate.command("retrieval")
def evaluate_retrieval(
    corpus: Annotated[Path, typer.Option("--corpus", help='Documents, one a line: {"_id", "title", "text"}.')],
    queries: Annotated[Path, typer.Option("--queries", help='Questions, one a line: {"_id", "text"}.')],
    qrels: Annotated[Path, typer.Option("--qrels", help="Which document answers which: question, document, grade.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure how well questions find their documents, by each engine alone and by both (files as in BEIR)."""
    from bot.evaluate import retrieval_command

    _run(retrieval_command(corpus, queries, qrels, as_json=as_json))


# Commands of other files, in the order in which --help shows them.
app.command(rich_help_panel=PEOPLE)(may)
add_privacy(app)


def _run(command: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(command)
