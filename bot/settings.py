"""Settings from the environment and `.env`: the only reader of either."""

import os
import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from dotenv import load_dotenv
from pydantic import AliasChoices, Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.misread import check_lines, mistakes_in
from core.errors import ConfigError

# No user and no query: what stands there would be a secret, and be shown.
_STORE = re.compile(r"(?:s3|gs|az)://[^/:?#\s]+(?:/[^?#\s]*)?")

Models = Annotated[tuple[str, ...], NoDecode]
_SPAN = re.compile(r"(\d{1,6})\s*([mhd])")
_PERSON = re.compile(r"slack:[TE][A-Z0-9]{1,30}:[UW][A-Z0-9]{1,30}|telegram:[1-9][0-9]{0,19}")
_WORKSPACE = re.compile(r"any|[TE][A-Z0-9]{1,30}")
_PUBLIC = re.compile(r"(?:https://[^/?#@\s]+|http://(?:localhost|127\.0\.0\.1)(?::\d+)?)(?:/[^?#\s]*)?")
_CHANNEL = re.compile(r"slack:[TE][A-Z0-9]{1,30}:[CG][A-Z0-9]{1,30}")
_NUMBER = re.compile(r"-?[1-9][0-9]{0,19}")
_LISTS = ("planner_model", "answer_model", "admins", "telegram_allowed", "slack_workspaces", "secret_keys")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def default_data_dir() -> Path:
    """Return the user's data folder for Footnote, by the platform's custom."""
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".local" / "share") / "footnote"


class Settings(BaseSettings):
    """Every setting, with its default. `.env.example` says what each is for."""

    model_config = SettingsConfigDict(env_ignore_empty=True, extra="ignore", frozen=True, hide_input_in_errors=True)

    data_dir: Path = Field(default_factory=default_data_dir, validation_alias=AliasChoices("FOOTNOTE_DATA_DIR"))

    database_url: SecretStr | None = None
    index_url: str | None = None
    aws_endpoint_url: str | None = None
    azure_storage_account_name: str | None = None

    planner_model: Models = ()
    answer_model: Models = ()
    planner_temperature: float = Field(default=0.0, ge=0.0, le=0.2)
    answer_temperature: float = Field(default=0.2, ge=0.0, le=0.5)
    planner_max_tokens: int = Field(default=600, ge=100, le=4000)
    answer_max_tokens: int = Field(default=500, ge=100, le=8000)
    summary_max_tokens: int = Field(default=1000, ge=100, le=8000)
    model_timeout_seconds: float = Field(default=30.0, gt=0, le=600)
    daily_budget_usd: float | None = Field(default=None, ge=0.0)
    model_api_base: str | None = None
    model_api_key: SecretStr | None = None
    model_output: Literal["schema", "json", "prompt"] = "schema"
    answer_window: int | None = Field(default=None, ge=2_000, le=10_000_000)
    native_citations: Literal["on", "off"] = "off"

    embedding_model: str | None = None
    embedding_folder: Path | None = None
    embedding_dimensions: int | None = Field(default=None, ge=8, le=8192)
    embedding_api_base: str | None = None
    embedding_api_key: SecretStr | None = None
    embedding_passage_prefix: str | None = None
    embedding_query_prefix: str | None = None
    embedding_threads: int = Field(default=2, ge=1, le=64)
    lexical_engine: Literal["memory", "lance"] = "memory"
    rerank_model: str | None = None
    rerank_folder: Path | None = None
    rerank_api_base: str | None = None
    rerank_api_key: SecretStr | None = None
    entailment_folder: Path | None = None
    entailment_threshold: float = Field(default=0.5, ge=0.0, le=1.0)

    graph_model: Literal["off", "planner"] = "off"
    graph_model_calls: int = Field(default=500, ge=1, le=100_000)

    plan_confidence_threshold: float = Field(default=0.5, ge=0.0, le=1.0)
    max_tool_calls: int = Field(default=5, ge=1, le=5)
    timezone: ZoneInfo | None = None
    tool_seconds: float = Field(default=30.0, gt=0, le=120)
    conversation_window: int = Field(default=5, ge=0, le=20)
    streaming: Literal["on", "off"] = "on"
    max_parallel_answers: int = Field(default=8, ge=1, le=64)
    max_waiting: int = Field(default=1000, ge=1, le=100_000)
    max_waiting_per_channel: int = Field(default=100, ge=1, le=100_000)
    max_waiting_per_person: int = Field(default=10, ge=1, le=100_000)
    max_hourly_per_person: int = Field(default=100, ge=0, le=100_000)
    max_hourly_per_channel: int = Field(default=600, ge=0, le=100_000)
    max_hourly_per_workspace: int = Field(default=6_000, ge=0, le=100_000)

    admins: Models = ()

    retention: timedelta | None = Field(default=timedelta(days=180), ge=timedelta(days=2), le=timedelta(days=36_500))
    mask_personal: Literal["off", "logs", "models", "all"] = "off"

    watch: bool = False
    reindex_every: timedelta | None = Field(default=None, ge=timedelta(minutes=1), le=timedelta(days=365))

    health_host: str = "127.0.0.1"
    health_port: int | None = Field(default=None, ge=0, le=65535)

    slack_bot_token: SecretStr | None = None
    slack_app_token: SecretStr | None = None
    slack_signing_secret: SecretStr | None = None
    slack_config_token: SecretStr | None = None
    slack_http_host: str = "0.0.0.0"  # noqa: S104 — the platform must reach it
    slack_http_port: int = Field(default=3000, ge=0, le=65535)
    slack_api_base_url: str | None = None
    slack_client_id: str | None = None
    slack_client_secret: SecretStr | None = None
    slack_public_url: str | None = None
    slack_workspaces: Models = ()
    secret_keys: Annotated[tuple[SecretStr, ...], NoDecode] = Field(
        default=(), validation_alias=AliasChoices("FOOTNOTE_SECRET_KEYS")
    )
    slack_external: Literal["silent", "allow"] = "silent"
    handoff_channel: str | None = None

    telegram_bot_token: SecretStr | None = None
    telegram_base_url: str | None = None
    telegram_base_file_url: str | None = None
    telegram_webhook_url: str | None = None
    telegram_webhook_secret: SecretStr | None = None
    telegram_webhook_host: str = "0.0.0.0"  # noqa: S104 — the platform must reach it
    telegram_webhook_port: int = Field(default=8443, ge=0, le=65535)
    telegram_access: Literal["open", "list", "pairing"] = "open"
    telegram_allowed: Models = ()
    telegram_inline: bool = False
    telegram_guest: bool = False
    telegram_rich: Literal["off", "tables"] = "off"
    telegram_stop: Literal["on", "off"] = "on"

    @field_validator(
        *("planner_model", "answer_model", "admins", "telegram_allowed", "slack_workspaces", "secret_keys"),
        mode="before",
    )
    @classmethod
    def _chain(cls, value: object) -> object:
        """Return the names in "first, second"; of models the second is asked when the first fails."""
        return tuple(name.strip() for name in value.split(",") if name.strip()) if isinstance(value, str) else value

    @field_validator("retention", mode="before")
    @classmethod
    def _for_ever(cls, value: object) -> object:
        """Return no time at all for "forever", else the span."""
        return None if value == "forever" else cls._span(value)

    @field_validator("reindex_every", mode="before")
    @classmethod
    def _span(cls, value: object) -> object:
        """Return a time span from minutes, hours or days, as 30m, 6h or 1d."""
        if not isinstance(value, str):
            return value
        said = _SPAN.fullmatch(value.strip().lower())
        if said is None:
            raise ValueError("write a whole number of minutes, hours or days, as 30m, 6h or 1d")
        return timedelta(**{_UNITS[said[2]]: int(said[1])})

    @field_validator("admins")
    @classmethod
    def _persons(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """Return the persons. Raises ValueError for a name that somebody else could take."""
        if odd := [person for person in value if not _PERSON.fullmatch(person)]:
            raise ValueError(f"{odd[0]!r} is nobody: write slack:T0TEAM:U0PERSON or telegram:123456, by their ids")
        return value

    @field_validator("slack_workspaces")
    @classmethod
    def _workspaces(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """Return the workspaces. Raises ValueError for what is no id of one."""
        if odd := [one for one in value if not _WORKSPACE.fullmatch(one)]:
            raise ValueError(f"{odd[0]!r} is no workspace: write their ids, as T024BE7LD, with commas, or any")
        return value

    @field_validator("slack_public_url")
    @classmethod
    def _public(cls, value: str | None) -> str | None:
        """Return the address without a slash at its end. Raises ValueError when browsers would not be safe there."""
        if value is not None and not _PUBLIC.fullmatch(value):
            raise ValueError("write the address that Slack and browsers reach, as https://footnote.example.com")
        return value and value.rstrip("/")

    @field_validator("handoff_channel")
    @classmethod
    def _of_slack(cls, value: str | None) -> str | None:
        """Return the channel. Raises ValueError for anything but one of Slack by its ids: names change."""
        if value is not None and not _CHANNEL.fullmatch(value):
            raise ValueError("write it as slack:T0TEAM:C0CHANNEL; both ids are in the channel's link")
        return value

    @field_validator("telegram_allowed")
    @classmethod
    def _numbers(cls, value: tuple[str, ...], given: ValidationInfo) -> tuple[str, ...]:
        """Return the numbers. Raises ValueError for a name, which somebody else may have tomorrow."""
        if odd := [number for number in value if not _NUMBER.fullmatch(number)]:
            raise ValueError(f"{odd[0]!r} is no number: write people as 123456 and groups as -100123456, never @names")
        if value and given.data.get("telegram_access") == "open":
            raise ValueError("it holds only with TELEGRAM_ACCESS=list or pairing; now everybody may ask")
        return value

    @field_validator("data_dir")
    @classmethod
    def _of_user(cls, value: Path) -> Path:
        """Return the folder with a leading ~ read as a shell reads it, which `.env` knows nothing of."""
        return value.expanduser()

    @field_validator("index_url")
    @classmethod
    def _of_a_store(cls, value: str | None) -> str | None:
        """Return the address without a slash at its end. Raises ValueError for anything but an object store's."""
        if value is not None and not _STORE.fullmatch(value):
            raise ValueError(
                "write it as s3://bucket/prefix, gs://bucket/prefix or az://container/prefix; keys stand in the "
                "provider's own variables, such as AWS_ACCESS_KEY_ID; leave it out for a folder in FOOTNOTE_DATA_DIR"
            )
        return value and value.rstrip("/")

    @property
    def telegram_admins(self) -> tuple[int, ...]:
        """The numbers of the admins on Telegram, whose private chats show the commands of admins in their menus."""
        ours = (person.partition(":") for person in self.admins)
        return tuple(int(number) for platform, _, number in ours if platform == "telegram")

    @property
    def writes(self) -> bool:
        """Whether a model writes answers; else they are quotes."""
        return bool(self.answer_model)

    @property
    def masks_for_models(self) -> bool:
        """Whether providers of models see no personal data."""
        return self.mask_personal in ("models", "all")

    @property
    def masks_for_logs(self) -> bool:
        """Whether neither the log on the terminal nor the audit log holds personal data."""
        return self.mask_personal in ("logs", "all")


def read_settings() -> Settings:
    """Return the settings; `.env` in the working folder fills in what the environment leaves out.

    Providers' own variables (OPENAI_API_KEY and the like) are taken from `.env` too, for the model library to find.
    Raises ConfigError that names each wrong variable.
    """
    try:
        check_lines(Path.cwd() / ".env")
        load_dotenv(Path.cwd() / ".env", override=False)
    except (OSError, ValueError) as error:
        raise ConfigError(
            f".env cannot be read ({type(error).__name__}): save it as UTF-8 text, or remove it"
        ) from None
    try:
        return Settings()
    except ValidationError as error:
        raise ConfigError(f"Correct these settings in the environment or in .env. {mistakes_in(error)}") from None


def value_of(name: str) -> str:
    """Return the value of a variable that a source names, from the environment or `.env`.

    Raises ConfigError when it has none. `read_settings` comes before.
    """
    value = os.environ.get(name, "")
    if not value:
        raise ConfigError(f"a source names the variable {name}, which is not set: put it into the environment or .env")
    return value


def names_given() -> list[str]:
    """Return the names of all variables of the environment, and so of `.env`. `read_settings` comes before."""
    return list(os.environ)


def opened_up(secret: SecretStr | None) -> str | None:
    """Return the words of a secret for whoever needs them, None for none."""
    return secret.get_secret_value() if secret else None


def variables() -> list[str]:
    """Return the names of all settings, as the environment has them."""
    fields = Settings.model_fields.items()
    aliases = {name: field.validation_alias for name, field in fields}
    return [str(a.choices[0]) if isinstance(a, AliasChoices) else name.upper() for name, a in aliases.items()]
