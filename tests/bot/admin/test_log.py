"""`/log` beside other workspaces, over a database."""

from dataclasses import replace

import pytest

from adapters.storage.audit import SqlAudit
from adapters.storage.database import Database
from adapters.storage.threads import SqlThreads
from bot.admin.log import LogDuty
from core.conversation import Audience, Command
from core.render import text_of
from core.reply import Bullets, RenderedReply
from tests.adapters.storage.turns import ask, finish

COMMAND = Command("log", "slack", "acme:C1", "U1", "slack:acme:U1")


async def test_a_busy_workspace_hides_no_quiet_one(database: Database) -> None:
    """What an admin is shown of their own workspace does not depend on what goes on in another."""
    threads = SqlThreads(database, 3)
    for minute, words in enumerate(["When is tea served?", "Когда подают кофе?"]):
        question = ask(words, minute=minute)
        await threads.close(question, [], finish(question))
    for minute in range(20):
        question = replace(ask("How is the other firm?", minute=100 + minute), audience=Audience("busy"))
        await threads.close(question, [], finish(question))

    told = text_of(await LogDuty(SqlAudit(database).search).duty().done(COMMAND, True))

    assert ("When is tea served?" in told, "Когда подают кофе?" in told, "other firm" in told) == (True, True, False)


SHOWN = {"": 10, "5": 5, " 1 ": 1, "30": 12, "31": 4, "2024": 1, "«5»": 1, '"5"': 1, "tea 5": 1, "чай": 6}
ASKED = (*["Где чай 31?"] * 4, "When, in 2024?", "Is tea 5 euros?", *["Где чай?", "Who?"] * 2, *["A?"] * 2)


@pytest.mark.parametrize(("words", "seen"), SHOWN.items())
async def test_a_small_number_alone_says_how_many(words: str, seen: int, database: Database) -> None:
    """Any other words say which, and so does a number in quotes; a greater one is a year or an amount."""
    threads = SqlThreads(database, 3)
    for minute, said in enumerate(ASKED):
        question = ask(said, minute=minute)
        await threads.close(question, [], finish(question))

    [shown, *_] = (await LogDuty(SqlAudit(database).search).duty().done(replace(COMMAND, words=words), True)).nodes

    assert isinstance(shown, Bullets)
    assert seen == len(shown.items)


@pytest.mark.parametrize(("words", "question"), [("Кофе", "Где кофе?"), ("where", "Where is tea?"), ("u1", "")])
async def test_words_are_those_of_the_question(words: str, question: str, database: Database) -> None:
    """What stands in an answer alone is no question with the word, however many there are; a number is a person's."""
    threads = SqlThreads(database, 3)
    for minute, said in enumerate(["Где кофе?", "Where is tea?", *["Что в углу?"] * 3, *["What is there?"] * 3]):
        asked = ask(said, minute=minute)
        await threads.close(asked, [], finish(asked, reply="The coffee is there, where кофе is."))

    [shown, *_] = (await LogDuty(SqlAudit(database).search).duty().done(replace(COMMAND, words=words), True)).nodes

    assert isinstance(shown, Bullets)
    assert (1 if question else 8) == len(shown.items)
    assert question in text_of(RenderedReply((shown,), (), "en"))
