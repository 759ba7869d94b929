"""What the engine of durable work has recorded of questions goes with them, whether the engine runs here or not."""

from collections.abc import Collection
from pathlib import Path

from dbos._schemas import SCHEMA_PLACEHOLDER
from dbos._schemas.system_database import SystemSchema
from sqlalchemy import Engine, delete, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from core.errors import StorageError

# Where the engine keeps its tables in PostgreSQL.
_SCHEMA = "dbos"
_OVER = ("SUCCESS", "ERROR", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
_STATUS, _STEPS = SystemSchema.workflow_status, SystemSchema.operation_outputs
_ALL = (SystemSchema.workflow_input, SystemSchema.workflow_output, _STATUS)
_AT_ONCE = 500


def erase_runs(engine: Engine, questions: Collection[str]) -> None:
    """Remove what was recorded of the runs that answered these questions. Raises StorageError.

    Of one that is not over, or was cancelled, what its steps gave goes, and its id stays until the engine removes what
    is old: whoever works on it may have something to record yet, which would else stay for good.
    """
    is_file = engine.dialect.name == "sqlite"
    if is_file and not Path(engine.url.database or "").is_file():
        # Nothing was ever answered here; to ask would make the file.
        return
    schema = None if is_file else _SCHEMA
    known = frozenset(questions)
    try:
        if not known or not inspect(engine).has_table(_STATUS.name, schema=schema):
            return
        with engine.begin() as plain:
            connection = plain.execution_options(schema_translate_map={SCHEMA_PLACEHOLDER: schema})
            rows = connection.execute(select(_STATUS.c.workflow_uuid, _STATUS.c.status)).all()
            theirs = [row for row in rows if row.workflow_uuid.rpartition("#")[0] in known]
            for start in range(0, len(theirs), _AT_ONCE):
                some = theirs[start : start + _AT_ONCE]
                ids = [row.workflow_uuid for row in some]
                connection.execute(delete(_STEPS).where(_STEPS.c.workflow_uuid.in_(ids)))
                over = [row.workflow_uuid for row in some if row.status in _OVER]
                for table in _ALL:
                    connection.execute(delete(table).where(table.c.workflow_uuid.in_(over)))
    except SQLAlchemyError as error:
        raise StorageError(f"the engine's database did not do it ({type(error).__name__})", retry=True) from None
