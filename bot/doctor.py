"""`footnote doctor`: what is configured, what is missing, and the fix."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from rich.console import Console

from bot.counting import counted
from bot.index_place import said_of
from bot.installing import installable
from bot.misread import slack_tokens_mistaken, slips_in_words, telegram_token_mistaken
from bot.permissions import FILE, file_in
from bot.rules import remembered_by, rules_now
from bot.settings import Settings, names_given, opened_up, read_settings, variables
from bot.sources import again, troubles_with
from bot.wiring import Stores, SystemClock, fits, make_entailment, make_model, opened
from core.errors import BotError, ConfigError, ModelError, PortError
from core.ingest.access import ACCESS
from core.ingest.identity import identity_of
from core.ports import LanguageModel, ModelRequest

_MARKS = {"ok": "[green]✓[/green]", "off": "[dim]–[/dim]", "wrong": "[red]✗[/red]"}

Role = Literal["planner", "answer"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's report."""

    state: Literal["ok", "off", "wrong"]
    words: str


async def doctor_command() -> bool:
    """Print the report; return whether nothing is wrong."""
    console = Console()
    settings = read_settings()
    console.print(mode_line(settings), highlight=False, soft_wrap=True)
    # What judges claims has a line of its own.
    others = settings.model_copy(update={"entailment_folder": None})
    models = [*await _models(others), *await _entailment(settings)]
    findings = [*await _data(others), *models, _slack(settings), _telegram(settings), *_slips()]
    for finding in findings:
        console.print(f"{_MARKS[finding.state]} ", end="")
        console.print(finding.words, highlight=False, markup=False, soft_wrap=True)
    return all(finding.state != "wrong" for finding in findings)


def mode_line(settings: Settings) -> str:
    """Return how answers are made now, and which variable changes it."""
    if settings.writes:
        return f"Writing mode: {settings.answer_model[0]} writes the answers; each statement is checked first."
    return (
        "Quoting mode: answers are exact quotes from the documents. Set ANSWER_MODEL (and PLANNER_MODEL) "
        "to have them written by a model."
    )


async def _data(settings: Settings) -> list[Finding]:
    try:
        async with opened(settings) as stores:
            place, apart = [Finding("ok", _place(settings))], await not_shared(stores, settings)
            copies = [Finding("off", f"Copies: {apart}")] if apart else []
            return [*place, *copies, *await _index(stores, settings), *await _permissions(stores)]
    except BotError as error:
        return [Finding("wrong", f"Data: {error}")]


def _place(settings: Settings) -> str:
    if settings.database_url:
        return f"Data: PostgreSQL (DATABASE_URL), the index in {said_of(settings)}"
    index = f", the index in {said_of(settings)}" if settings.index_url else ""
    return f"Data: {settings.data_dir} (FOOTNOTE_DATA_DIR){index}"


async def not_shared(stores: Stores, settings: Settings) -> str | None:
    """Return why copies that share the database may not share the index, and the fix; None when they do, or are one."""
    if settings.database_url is None or settings.index_url:
        return None
    live = await stores.catalog.live()
    if live and not await stores.index.holds(live.tables):
        return (
            f"the live index is not in {settings.data_dir / 'index'}: another copy made it in a folder of its own; set "
            "INDEX_URL to a store that all copies reach, as s3://bucket/prefix, and index again"
        )
    return (
        f"the index is in {settings.data_dir / 'index'}, which copies on other machines cannot read; for these set "
        "INDEX_URL to a store that all copies reach, as s3://bucket/prefix, and index again"
    )


async def _index(stores: Stores, settings: Settings) -> list[Finding]:
    live = await stores.catalog.live()
    if live is None:
        words = "Documents: none yet; run footnote index FOLDER, for example footnote index examples/handbook"
        return [Finding("wrong", words)]
    if not (fits(live, stores.embedder) and await stores.index.holds(live.tables)):
        words = f"Documents: their index is lost or of another version; run {again(live.make.source)}"
        return [Finding("wrong", words)]
    day = f"{live.published_at:%Y-%m-%d %H:%M} UTC"
    documents = f"{counted(live.counts.get('documents', 0), 'document')} from {identity_of(live.make.source).shown}"
    troubles = troubles_with(live.make.source, settings)
    return [
        Finding("ok", f"Documents: {live.title}, {documents}, indexed {day}"),
        *(Finding("wrong", f"Sources: {trouble}; until then its documents stay as they are") for trouble in troubles),
    ]


async def _permissions(stores: Stores) -> list[Finding]:
    """Return which file says who may read what, and what is wrong with it."""
    live = await stores.catalog.live()
    remembered = remembered_by(live.make if live else None)
    try:
        found, here = rules_now(remembered, Path()), file_in(Path.cwd())
    except ConfigError as error:
        return [Finding("wrong", f"Permissions: {error} Until then nobody is in any group")]
    if found.file is None:
        lost = live is not None and (remembered is not None or ACCESS in live.make.domain)
        gone = f"Permissions: {remembered or FILE}, by which the documents are closed, is not there: put it back"
        none = "Permissions: no permissions.yaml; a document that names no readers is for everybody who can ask"
        return [Finding("wrong", gone) if lost else Finding("off", none)]
    rules = counted(len(found.access.folders) + len(found.access.labels), "rule")
    told = f"Permissions: {found.file.absolute()}, {counted(len(found.groups.members), 'group')}, {rules}"
    other = here if here and here.absolute() != found.file.absolute() else None
    more = [Finding("wrong", f"Permissions: {other} is not heeded, for the index was made by {found.file}: leave one")]
    return [Finding("ok", told), *(more if other else [])]


async def _models(settings: Settings) -> list[Finding]:
    model = make_model(settings)
    try:
        is_limited = settings.daily_budget_usd is not None
        found = [await _model(role, model, is_limited=is_limited) for role in get_args(Role)]
        return [*found, *await _budget(settings)]
    finally:
        await model.aclose()


async def _budget(settings: Settings) -> list[Finding]:
    """Return what each workspace has spent today, and whether it is all that it may."""
    dollars = settings.daily_budget_usd
    if not (settings.answer_model or settings.planner_model):
        return []
    try:
        async with opened(settings) as stores:
            today = await stores.spending.on(SystemClock().now().date())
    except BotError:
        return []  # said above, of the data
    spent = ", ".join(f"{tenant} ${one.cost:.2f}" for tenant, one in today.items()) or "nothing"
    if dollars is None:
        return [Finding("off", f"DAILY_BUDGET_USD is not set: models may cost any sum; today: {spent}")]
    if over := [tenant for tenant, one in today.items() if one.cost >= dollars]:
        words = f"Budget: spent for today by {', '.join(over)}, whose answers are quotes now; raise DAILY_BUDGET_USD"
        return [Finding("wrong", words)]
    return [Finding("ok", f"Budget: ${dollars:g} a day for each workspace (DAILY_BUDGET_USD); today: {spent}")]


async def _entailment(settings: Settings) -> list[Finding]:
    """Return whether the model that may refuse claims can be had; nothing where none is set."""
    variable = "ENTAILMENT_FOLDER"
    try:
        model = make_entailment(settings)
        if model is None:
            return []
        await model.prepare()
    except ConfigError as error:
        return [Finding("wrong", str(error))]
    except PortError as error:
        return [Finding("wrong", f"{variable}: {error.reason}")]
    if not settings.writes:
        return [Finding("off", f"{variable}: {model.id} judges nothing, as no ANSWER_MODEL writes claims")]
    return [Finding("ok", f"{variable}: {model.id} judges each claim that the rules let through")]


async def _model(role: Role, model: LanguageModel, *, is_limited: bool) -> Finding:
    variable = f"{role.upper()}_MODEL"
    if not model.offers(role):
        without = "questions are matched to declared examples" if role == "planner" else "answers are quotes"
        return Finding("off", f"{variable} is not set: {without}")
    try:
        said = await model.complete(_probe(role))
    except ModelError as error:
        return Finding("wrong", f"{variable}: {error.reason}")
    is_free = is_limited and said.tokens and not said.cost
    unknown = "; its price is not known, so for DAILY_BUDGET_USD it costs nothing" if is_free else ""
    return Finding("ok", f"{variable}: {said.model} answers{unknown}")


def _probe(role: Role) -> ModelRequest:
    schema = {
        "type": "object",
        "properties": {"ok": {"type": "boolean"}},
        "required": ["ok"],
        "additionalProperties": False,
    }
    return ModelRequest(role, 'Reply with the JSON object {"ok": true}.', "Are you there?", schema, max_tokens=20)


def _slips() -> list[Finding]:
    return [Finding("off", words) for words in slips_in_words(variables(), names_given())]


def _slack(settings: Settings) -> Finding:
    try:
        if installable(settings):
            more = "each asked in footnote doctor slack"
            return Finding("ok", f"Slack: on, HTTP, for the workspaces that install it ({more})")
    except BotError as error:
        return Finding("wrong", f"Slack: {error}")
    if not settings.slack_bot_token:
        return Finding(
            "off", "Slack: off; set SLACK_BOT_TOKEN with SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP)"
        )
    return _one_workspace(settings, settings.slack_bot_token.get_secret_value())


def _one_workspace(settings: Settings, token: str) -> Finding:
    app = opened_up(settings.slack_app_token)
    if mistaken := slack_tokens_mistaken(token, app):
        return Finding("wrong", f"Slack: {mistaken}")
    if app:
        return Finding("ok", "Slack: on, Socket Mode; footnote doctor slack asks Slack itself")
    if settings.slack_signing_secret:
        return Finding("ok", f"Slack: on, HTTP on port {settings.slack_http_port}, path /slack/events")
    return Finding("wrong", "Slack: SLACK_BOT_TOKEN is set, but neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET is")


def _telegram(settings: Settings) -> Finding:
    if not settings.telegram_bot_token:
        return Finding("off", "Telegram: off; set TELEGRAM_BOT_TOKEN (from @BotFather)")
    if mistaken := telegram_token_mistaken(settings.telegram_bot_token.get_secret_value()):
        return Finding("wrong", f"Telegram: {mistaken}")
    if settings.telegram_webhook_url and not settings.telegram_webhook_secret:
        return Finding("wrong", "Telegram: TELEGRAM_WEBHOOK_URL is set, but TELEGRAM_WEBHOOK_SECRET is not")
    way = "webhook" if settings.telegram_webhook_url else "polling"
    return Finding("ok", f"Telegram: on, {way}; footnote doctor telegram asks Telegram itself")
