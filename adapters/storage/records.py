"""Why the records of durable work, which a library keeps, cannot be had at a start: in words that say what to do."""

from adapters.storage.errors import is_broken, may_pass, reason
from core.errors import ConfigError, StorageError


def records_failure(kind: str, error: Exception) -> StorageError | ConfigError:
    """Return the error to raise: one that passes is waited for, and nothing that is well is to be removed."""
    if may_pass(error):
        return StorageError(_away(kind, error), retry=True)
    return ConfigError(_unusable(kind, error))


def _away(kind: str, error: Exception) -> str:
    fix = (
        "see that the disk of FOOTNOTE_DATA_DIR has room, and that no other program holds work.db there"
        if kind == "sqlite"
        else "see that the server in DATABASE_URL runs"
    )
    return f"the records of work cannot be reached ({reason(error)}): {fix}"


def _unusable(kind: str, error: Exception) -> str:
    if kind != "sqlite":
        fix = (
            "check DATABASE_URL, and that its user may create a schema: GRANT CREATE ON DATABASE name TO user "
            "(or let its owner start Footnote once)"
        )
    elif is_broken(error):
        fix = "remove work.db in FOOTNOTE_DATA_DIR, which only unfinished answers are lost with, or name another folder"
    else:
        fix = "let Footnote read and write work.db in FOOTNOTE_DATA_DIR and what lies beside it, or name another folder"
    return f"the records of work cannot be kept ({reason(error)}): {fix}"
