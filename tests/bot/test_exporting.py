"""What a person's export holds, end to end: their own, of nobody else, and nothing that they were not shown."""

import asyncio
import json
import stat
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from adapters.storage.database import Database
from adapters.storage.persons import SqlPersons
from adapters.storage.tables import metadata, turns
from bot.forgetting import forgotten
from bot.handing_out import written_as_lines
from core.errors import ConfigError, StorageError
from core.people import Person, read_person
from tests.bot.office import ADA, ANNA, BORIS, GRACE, at_work, town
from tests.bot.terminal import footnote

WRONG = "bereavement"


async def lines_of(database: Database, person: str, folder: Path) -> list[dict[str, Any]]:
    """Return what stands in a person's file, line by line."""
    file = folder / f"{person.replace(':', '-')}-{datetime.now(UTC).timestamp()}.jsonl"
    count = await written_as_lines(SqlPersons(database).data_of(read_person(person)), file)
    lines = file.read_text("utf-8").split("\n")

    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert "" == lines.pop()
    assert count == len(lines)
    return [json.loads(line) for line in lines]


async def test_each_gets_their_own_on_both_platforms_and_nothing_once_forgotten(
    handbook_data: Path, tmp_path: Path
) -> None:
    """Two who ask in one channel, and two in Telegram; another one's words are in nobody's file."""
    asked = {
        f"slack:T0TEAM:{ADA}": "How long is the parental leave?",
        f"slack:T0TEAM:{GRACE}": "How long is the notice period?",
        f"telegram:{ANNA}": "Who approves expenses?",
        f"telegram:{BORIS}": "How many vacation days do I get?",
    }
    async with town() as towns, at_work(handbook_data, towns) as office:
        people = {name.replace("T0TEAM", office.slack.app.team_id): words for name, words in asked.items()}
        ada, grace, anna, boris = people
        root = await office.mention(people[ada])
        await office.answer("C1", root)
        await office.answer("C1", await office.mention(people[grace], user=GRACE))
        for number, person in ((ANNA, anna), (BORIS, boris)):
            await office.ask_in_telegram(people[person], number)
        database = office.stores.database
        files = {person: await lines_of(database, person, tmp_path) for person in people}
        for person, words in people.items():
            texts = json.dumps(files[person], ensure_ascii=False)
            assert words in texts, person
            assert {"question", "audit"} <= {line["what"] for line in files[person]}
            assert not [other for other in people.values() if other != words and other in texts], person
            answers = [line["result"]["answer"] for line in files[person] if line["what"] == "question"]
            assert all(answers), person
        for person in people:
            await forgotten(office.stores, person)
        left = {person: await lines_of(database, person, tmp_path) for person in people}

    assert {"asked within an hour"} == {line["what"] for lines in left.values() for line in lines}


def shown(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return a contract of an answer, with what nobody was shown."""
    return dict(raw) | {
        "answer": "27 days.",
        "raw_context_used": [{"doc_id": "pay.md", "chunk_id": "pay.md#1", "start": 3, "text": f"{WRONG} pay is 900"}],
        "rejected_claims": [{"claim": f"{WRONG} pay", "reason": "no quote"}],
        "legend": {"recognised": ["Leave"], "beside": [f"{WRONG} leave is five days"]},
    }


async def test_what_was_read_and_not_shown_is_told_by_its_place_alone(database: Database, tmp_path: Path) -> None:
    """A page may be closed to the asker by now: its words are not handed out with the answer, in the log neither."""
    row = {"question_id": "telegram:42:1", "thread": "t", "platform": "telegram", "asker": "42", "tenant": "telegram"}
    row |= {"text": "How many days?", "state": "done", "asked_at": datetime.now(UTC), "result": shown({})}
    async with database.writing() as connection:
        await connection.execute(insert(turns), [row])
        entry = {"id": 1, "question_id": "telegram:42:1", "tenant": "telegram", "asker": "42", "at": datetime.now(UTC)}
        await connection.execute(insert(metadata.tables["audit"]), [entry | {"words": "", "record": shown({})}])
    lines = await lines_of(database, "telegram:42", tmp_path)

    assert ["question", "audit"] == [line["what"] for line in lines]
    assert WRONG not in json.dumps(lines)
    for result in (lines[0]["result"], lines[1]["record"]):
        assert "27 days." == result["answer"]
        assert [{"doc_id": "pay.md", "chunk_id": "pay.md#1", "start": 3}] == result["raw_context_used"]
        assert {"recognised": ["Leave"]} == result["legend"]


# What each table holds of the person, where it names them; what is not told, and why, stands beside.
NAMED = {
    "turns": {"what": "question"},
    "feedback": {"what": "feedback"},
    "audit": {"what": "audit"},
    "admissions": {"what": "admission"},
    "channel_settings": {"what": "set a channel"},
    "pins": {"what": "checked an answer"},
    "index_orders": {"what": "ordered an index"},
    "group_members": {"what": "member of a group"},
    "rates": {"what": "asked within an hour"},
}
NOBODYS = {
    "messages": "which message shows an answer",
    "outbox": "the words of an answer again, until it is shown",
    "installations": "sealed",
    **dict.fromkeys(("replicas", "leases", "audit_end", "install_states", "departures", "spending"), "names nobody"),
    **dict.fromkeys(("generations", "documents", "holdings", "items", "proposals", "index_parts"), "documents"),
}


async def test_every_table_that_names_a_person_is_told_of(database: Database) -> None:
    """One row of the person in each; a new table says here whose it is."""
    now, name = datetime.now(UTC), "telegram:42"
    rows: dict[str, dict[str, Any]] = {
        "turns": {"question_id": "telegram:42:1", "thread": "t", "platform": "telegram", "asker": "42", "text": "?"}
        | {"tenant": "telegram", "state": "done", "asked_at": now, "setting": {"others": WRONG}, "groups": [WRONG]},
        "feedback": {"question_id": "q", "version": 0, "person": name, "tenant": "telegram", "at": now, "deeds": []},
        "audit": {"id": 1, "question_id": "telegram:42:1", "tenant": "telegram", "asker": "42", "at": now}
        | {"words": "", "record": {}},
        "admissions": {"platform": "telegram", "who": "person:42", "state": "allowed", "times": 0, "code": WRONG}
        | {"changed_by": WRONG, "changed_at": now},
        "channel_settings": {"platform": "telegram", "place": "7", "settings": {}, "changed_by": name}
        | {"changed_at": now},
        "pins": {"tenant": "telegram", "words": WRONG, "question_id": "q", "version": 0, "result": {"a": WRONG}}
        | {"pinned_by": name, "pinned_at": now},
        "index_orders": {"person": name, "platform": "telegram", "place": "42", "language": "ru", "asked_at": now}
        | {"state": "done"},
        "group_members": {"origin": "hr.csv", "group_name": "hr", "member": name},
        "rates": {"key": "person:telegram:telegram:42", "until": 1.0},
    }
    async with database.writing() as connection:
        for table, row in rows.items():
            await connection.execute(insert(metadata.tables[table]), [row])
    told = [row async for row in SqlPersons(database).data_of(Person("telegram", "42"))]

    assert {*NAMED, *NOBODYS} == set(metadata.tables)
    assert sorted(one["what"] for one in NAMED.values()) == sorted(row["what"] for row in told)
    assert WRONG not in str(told)


async def test_half_of_it_is_not_left_as_if_it_were_all(tmp_path: Path) -> None:
    """Where the database goes away, or whoever writes it stops, there is no file; and one that is there stays."""
    file = tmp_path / "mine.jsonl"

    async def breaking(error: BaseException) -> AsyncIterator[Mapping[str, Any]]:
        yield {"what": "question", "at": datetime.now(UTC)}
        raise error

    for error in (StorageError("away", retry=True), KeyboardInterrupt()):
        with pytest.raises(type(error)):
            await written_as_lines(breaking(error), file)
        assert not file.exists()
    file.write_text("mine")
    with pytest.raises(ConfigError, match="is there already"):
        await written_as_lines(breaking(StorageError("away", retry=True)), file)
    assert "mine" == file.read_text()


async def test_no_link_leads_the_file_elsewhere(tmp_path: Path) -> None:
    """Somebody who may write in the folder lays a link there before: nothing is written where it leads."""
    (tmp_path / "mine.jsonl").symlink_to(tmp_path / "public.txt")
    said = await asyncio.to_thread(footnote, "export", "telegram:42", str(tmp_path / "mine.jsonl"))

    assert "is there already" in said.err
    assert not (tmp_path / "public.txt").exists()


async def test_lines_end_where_records_do(tmp_path: Path) -> None:
    """Whatever people wrote: line ends of other alphabets, no characters, emoji of several, both directions."""
    words = "a\u2028b\u2029c\x85d\x00e\r\nf\u202eg👨‍👩‍👧 \x1b[31m"

    async def rows() -> AsyncIterator[Mapping[str, Any]]:
        for _ in range(2):
            yield {"text": words, "at": datetime.now(UTC) - timedelta(days=1)}

    file = tmp_path / "mine.jsonl"
    assert 2 == await written_as_lines(rows(), file)
    lines = file.read_bytes().removesuffix(b"\n").split(b"\n")
    assert [words] * 2 == [json.loads(line)["text"] for line in lines]
