"""Where the index lies: a folder beside the database, or an object store that all copies of the bot read."""

from dataclasses import dataclass, field

from bot.settings import Settings


@dataclass(frozen=True, slots=True)
class IndexPlace:
    """An address for LanceDB, and what it needs to know beside the provider's own variables, which it reads itself."""

    address: str
    options: dict[str, str] = field(default_factory=dict)


def index_place(settings: Settings) -> IndexPlace:
    """Return where the index lies: what INDEX_URL names, else a folder in the data folder."""
    if settings.index_url is None:
        return IndexPlace(str(settings.data_dir / "index"))
    return IndexPlace(settings.index_url, dict(_options(settings)))


def _options(settings: Settings) -> list[tuple[str, str]]:
    options = []
    if (settings.aws_endpoint_url or "").startswith("http://"):
        # Who writes plain HTTP means it; LanceDB wants to be told so twice.
        options.append(("allow_http", "true"))
    if settings.azure_storage_account_name:
        # LanceDB 0.40 looks for it among its options alone, before it looks at the environment.
        options.append(("azure_storage_account_name", settings.azure_storage_account_name))
    return options


def said_of(settings: Settings) -> str:
    """Return in words where the index lies."""
    return f"{settings.index_url} (INDEX_URL)" if settings.index_url else f"{settings.data_dir} (FOOTNOTE_DATA_DIR)"


def is_shared(settings: Settings) -> bool:
    """Return whether copies on several machines can make an index together: they share the database and the store."""
    return settings.database_url is not None and settings.index_url is not None
