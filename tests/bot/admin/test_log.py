"""`/log` beside other workspaces, over a database."""

from dataclasses import replace

from adapters.storage.audit import SqlAudit
from adapters.storage.database import Database
from adapters.storage.threads import SqlThreads
from bot.admin.log import LogDuty
from core.conversation import Audience, Command
from core.render import text_of
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
