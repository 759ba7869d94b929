"""An index in an object store: the same as in a folder, for several processes, and clear words when it is away."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from adapters.search.lance import LanceIndex
from core.errors import SearchError
from core.ingest.generation import Tables
from tests.adapters.search.test_lance import EAST, NORTH, chunk, passage
from tests.object_store import keys_for

PLAIN = {"allow_http": "true"}


async def test_an_index_in_a_store_is_one_in_a_folder(bucket: str) -> None:
    """It is written, changed, read in each version, taken back and dropped, and another connection reads the same."""
    index = LanceIndex(f"{bucket}/some/place", PLAIN)
    first = await index.build(1, [passage("а"), passage("б", doc="б.md")], [chunk("а"), chunk("б", doc="б.md")], 2)
    new = [passage("в", "hr", doc="б.md", vector=EAST)], [chunk("в", "другое", doc="б.md")]
    second = await index.change(first, ["б.md"], *new)
    other = LanceIndex(f"{bucket}/some/place", PLAIN)

    told = [[row["id"] for row in await other.chunks(tables)] for tables in (first, second)]
    near = [[row.chunk_id for row in await other.nearest(tables, NORTH, None, 1)] for tables in (first, second)]
    assert [["а", "б"], ["а", "в"]] == told
    held = {key: list(vector) for key, vector in (await other.vectors(second, ["б.md"])).items()}
    assert (["а"], {"в": EAST}) == (near[1], held)
    again = await index.restore(first)
    assert ["а", "б"] == [row["id"] for row in await other.chunks(again)]
    await index.drop(1)
    assert not await LanceIndex(f"{bucket}/some/place", PLAIN).holds(Tables(1))


@pytest.mark.parametrize("full_text", [False, True])
async def test_what_another_writer_wrote_is_taken_back(bucket: str, full_text: bool) -> None:  # noqa: FBT001
    """A run that was taken for dead and wakes up writes before, between and after what its follower writes."""
    one, two = (LanceIndex(bucket, PLAIN, full_text=full_text) for _ in range(2))
    tables = await one.build(1, [], [], 2)
    late = tables
    for n in range(3):
        late = await two.change(late, (), [passage(f"б{n}", doc="б.md")], [chunk(f"б{n}", "ключ", doc="б.md")])
        rows = [passage(f"a{n}", vector=EAST)], [chunk(f"a{n}", "ключ дверь")]
        tables = await one.change(tables, (), *rows)
    await two.change(late, ["a.md"], (), ())
    tables = await one.settle(tables)

    assert ["a0", "a1", "a2"] == [row["id"] for row in await one.chunks(tables)]
    assert (3, 3) == await one.counts(tables)
    if full_text:
        assert {"a0", "a1", "a2"} == {*await one.lexical(tables).find(["ключ"], 9, None)}
        clean = LanceIndex(f"{bucket}/clean", PLAIN, full_text=True)
        same = await clean.build(1, [], [chunk(f"a{n}", "ключ дверь") for n in range(3)], 2)
        words = ["ключ", "дверь", "rag"]
        assert await clean.lexical(same).weights(words, None) == await one.lexical(tables).weights(words, None)


async def test_two_that_write_at_once_do_not_mix(bucket: str) -> None:
    """What each has in the end holds its own rows alone; who is disturbed again and again says why it gives up."""
    one, two = (LanceIndex(bucket, PLAIN) for _ in range(2))
    tables = await one.build(1, [], [], 2)

    async def added(index: LanceIndex, name: str, after: Tables) -> set[str] | str:
        try:
            for n in range(3):
                after = await index.change(after, (), (), [chunk(f"{name}{n}", doc=f"{name}.md")])
        except SearchError as error:
            return error.reason.partition(":")[0]
        return {str(row["id"]) for row in await index.chunks(after)}

    told = await asyncio.gather(added(one, "a", tables), added(two, "б", tables))

    for name, found in zip("aб", told, strict=True):
        assert found in ("another index run writes to the same tables", {f"{name}{n}" for n in range(3)})


@contextmanager
def answering(status: int, body: str) -> Iterator[int]:
    """Give the port of a store that answers everything the same way."""

    class Same(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        do_GET = do_PUT = do_HEAD = do_POST = answer  # noqa: N815 - their names there

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Same)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def said(monkeypatch: pytest.MonkeyPatch, port: int, address: str = "s3://some/place", **options: str) -> str:
    """Return what one is told whose store on the port does not serve, whatever was wanted of it."""
    for name, value in keys_for(port).items():
        monkeypatch.setenv(name, value)
    index = LanceIndex(address, {"client_max_retries": "0", **options})
    told = []
    for want in (index.holds(Tables(1)), index.chunks(Tables(1)), index.create(1, 2), index.drop(1)):
        with pytest.raises(SearchError) as caught:
            await want
        told.append(str(caught.value))
    [words] = set(told)
    assert "not-to-be-shown" not in words
    assert "AKIA" not in words
    return words


async def test_keys_that_are_refused_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """By their variables, without their values."""
    with answering(403, "<Error><Code>AccessDenied</Code><Message>AKIAEXAMPLE may not</Message></Error>") as port:
        words = await said(monkeypatch, port, **PLAIN)

    assert "denies access: check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY" in words


async def test_a_store_that_is_away_is_an_error_that_may_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables that name it are told."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    assert "does not answer: check INDEX_URL and AWS_ENDPOINT_URL" in await said(monkeypatch, port, **PLAIN)


async def test_an_address_without_encryption_must_be_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is sent in the open by accident."""
    assert "without encryption" in await said(monkeypatch, 9)


async def test_a_bucket_that_is_missing_is_told(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not made: who may make one is not who may write into it."""
    index = LanceIndex("s3://missing/place", PLAIN | {"client_max_retries": "0"})

    with pytest.raises(SearchError, match="the bucket of INDEX_URL does not exist: create it"):
        await index.chunks(Tables(1))


async def test_an_account_that_is_missing_is_told() -> None:
    """Azure's containers belong to one."""
    with pytest.raises(SearchError, match="AZURE_STORAGE_ACCOUNT_NAME"):
        await LanceIndex("az://container/place").chunks(Tables(1))
