"""Where the index lies: a folder, or a store that every copy reads."""

import json
from pathlib import Path

import pytest

from bot.index_place import index_place
from bot.settings import read_settings
from core.errors import ConfigError
from tests.bot.terminal import footnote, footnote_apart, refused
from tests.object_store import ObjectStore
from tests.postgres import Postgres


@pytest.mark.parametrize("address", ["s3://docs/some/place", "gs://docs", "az://docs/индекс"])
def test_an_address_is_taken_as_it_is(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for a slash at its end; plain HTTP is used where it was written."""
    monkeypatch.setenv("INDEX_URL", f"{address}/")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_NAME", "ours")
    place = index_place(read_settings())

    assert (address, {"allow_http": "true", "azure_storage_account_name": "ours"}) == (place.address, place.options)


@pytest.mark.parametrize(
    "address", ["docs", "/docs", "file:///docs", "s3://", "s3://key:secret@docs", "s3://d?k=secret"]
)
def test_anything_else_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In words that show the form and hold nothing of what was written."""
    monkeypatch.setenv("INDEX_URL", address)

    with pytest.raises(ConfigError, match=r"INDEX_URL: .*s3://bucket/prefix") as caught:
        read_settings()
    assert "secret" not in str(caught.value)


def test_what_is_indexed_into_a_store_is_asked_from_another_process(
    folder: Path, bucket: str, object_store: ObjectStore
) -> None:
    """In Russian, too; nothing of the index is in the folder."""
    where = {"INDEX_URL": f"{bucket}/team"}
    data = folder.parent / "data"
    footnote("index", str(folder), **where)
    said = footnote("doctor", **where).text
    told = footnote_apart(
        "ask", "Когда подают кофе?", "--json", FOOTNOTE_DATA_DIR=str(data), **where, **object_store.variables
    )

    assert "в восемь утра" in json.dumps(json.loads(told.out), ensure_ascii=False)
    assert f"the index in {bucket}/team (INDEX_URL)" in said
    assert not (data / "index").exists()


def test_a_store_that_does_not_serve_is_told(folder: Path, bucket: str) -> None:
    """By the command that needs it and by the doctor, with the variable to look at."""
    missing = {"INDEX_URL": "s3://missing/team"}

    assert "the bucket of INDEX_URL does not exist" in refused(footnote("index", str(folder), **missing))


def test_copies_with_an_index_in_a_folder_are_warned(folder: Path, elsewhere: Path, postgres: Postgres) -> None:
    """A copy that cannot read what another one made says so, and what to do."""
    shared = {"DATABASE_URL": postgres.emptied().render_as_string(hide_password=False)}
    footnote("index", str(folder), **shared)
    here = footnote("doctor", **shared).text
    there = footnote("doctor", **shared, FOOTNOTE_DATA_DIR=str(elsewhere / "other")).text

    assert "copies on other machines cannot read" in here
    assert "another copy made it in a folder of its own; set INDEX_URL" in there
