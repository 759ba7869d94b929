"""The revisions and the tables tell the same story."""

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, inspect

import migrations
from adapters.storage.tables import metadata


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    """Return an engine of an empty database."""
    return create_engine(f"sqlite:///{tmp_path / 'footnote.db'}")


def test_the_newest_revision_is_the_tables(engine: Engine) -> None:
    """After all revisions the database is what the code expects, to the last index."""
    migrations.upgrade(engine.url)

    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "target_metadata": metadata})
        assert compare_metadata(context, metadata) == []


def test_the_way_back_leaves_nothing(engine: Engine) -> None:
    """Every revision can be undone."""
    migrations.upgrade(engine.url)
    command.downgrade(migrations.configuration(engine.url), "base")

    assert inspect(engine).get_table_names() == ["alembic_version"]


def test_the_names_of_the_files_are_the_revisions() -> None:
    """A start reads the revisions from the names of the files alone."""
    script = ScriptDirectory.from_config(migrations.configuration("sqlite://"))
    history = [revision.revision for revision in script.walk_revisions()]

    assert tuple(reversed(history)) == migrations.revisions()
    assert [migrations.revisions()[-1]] == script.get_heads()


def test_a_new_revision_is_written_from_the_tables(engine: Engine, tmp_path: Path) -> None:
    """A written revision runs by itself: it names plain types and not the code of its day."""
    config = migrations.configuration(engine.url)
    versions = tmp_path / "versions"
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", str(versions))
    command.revision(config, "first tables", autogenerate=True, rev_id="0001")
    command.upgrade(config, "head")

    assert "sa.DateTime(timezone=True)" in (versions / "0001_first_tables.py").read_text()
    assert set(metadata.tables) < set(inspect(engine).get_table_names())
