"""`footnote run` as its operator meets it: a process of its own, between a Slack and a Telegram on this machine."""

import asyncio
import signal
import socket
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.bot.terminal import INSTALLED, awake_footnote, surroundings
from tests.platforms.slack import Message as SlackMessage
from tests.platforms.slack import SlackStandIn
from tests.platforms.slack import visible_text as seen_in_slack
from tests.platforms.slack.waiting import until
from tests.platforms.telegram import Message as TelegramMessage
from tests.platforms.telegram import TelegramStandIn

# Seconds; the first answer waits for the encoder, and other tests may run beside.
PATIENCE = 60.0
# Seconds in which a stop is done, on a machine that is busy with other tests.
STOP = 30.0
LOOKING = ("Looking through the documents…", "Смотрю в документах…")

ADA, GRACE, GENERAL = "U1", "U2", "C1"
ANNA, BORIS, TEAM = 1001, 1002, -100123


@dataclass
class Service:
    """The running process and what it has said on standard error."""

    process: Process
    lines: list[str] = field(default_factory=list)
    reading: "asyncio.Task[None] | None" = None

    async def says(self, words: str) -> None:
        """Return once a line with the words has been written."""
        ended = False

        def heard() -> bool:
            nonlocal ended
            ended = self.reading is not None and self.reading.done()
            return ended or any(words in line for line in self.lines)

        await until(heard, lambda: "\n".join(self.lines), PATIENCE)
        assert any(words in line for line in self.lines), self.lines

    def line(self, words: str) -> str:
        """Return the one line with the words, without the time of day."""
        (found,) = [line for line in self.lines if words in line]
        return found.split(" ", 2)[2] if found[:1].isdigit() else found

    async def ends(self) -> int:
        """Return the status with which the process ends by itself."""
        async with asyncio.timeout(PATIENCE):
            status = await self.process.wait()
        assert self.reading
        await self.reading
        return status

    async def stop(self, name: signal.Signals = signal.SIGTERM) -> int:
        """Return the status with which the process ends after the signal, which it must do soon."""
        self.process.send_signal(name)
        async with asyncio.timeout(STOP):
            return await self.ends()

    async def listen(self) -> None:
        """Take down what is written until the end."""
        assert self.process.stderr
        async for line in self.process.stderr:
            self.lines.append(line.decode().rstrip())

    def check_words(self) -> None:
        """Nothing that was written is a traceback, a warning of Python's, or a token."""
        text = "\n".join(self.lines)
        for wrong in ("Traceback", "Warning", "never awaited", "Unclosed", "test-token", "test-signing", "very-secret"):
            assert wrong not in text, text


@asynccontextmanager
async def footnote_run(data: Path, *, as_installed: bool = False, **variables: str) -> AsyncIterator[Service]:
    """Run `footnote run` over the data folder while inside, and see that it left no bad words."""
    command = (INSTALLED,) if as_installed else await asyncio.to_thread(awake_footnote)
    process = await asyncio.create_subprocess_exec(
        *command,
        "run",
        stdout=asyncio.subprocess.DEVNULL,
        stderr=PIPE,
        cwd=data.parent,
        env=surroundings(FOOTNOTE_DATA_DIR=str(data), **variables),
    )
    service = Service(process)
    service.reading = asyncio.create_task(service.listen())
    try:
        yield service
    finally:
        if process.returncode is None:
            process.kill()
        await service.ends()
    service.check_words()


@dataclass
class Offices:
    """A Slack with Ada and Grace in it, and a Telegram with Anna and Boris."""

    slack: SlackStandIn
    telegram: TelegramStandIn

    @property
    def polling(self) -> dict[str, str]:
        """The settings that lead to both without an address of our own."""
        return self.slack_by_socket | self.telegram_by_polling

    @property
    def slack_by_socket(self) -> dict[str, str]:
        return {
            "SLACK_BOT_TOKEN": self.slack.app.bot_token,
            "SLACK_APP_TOKEN": self.slack.app.app_token,
            "SLACK_API_BASE_URL": self.slack.api_base_url,
        }

    @property
    def slack_by_http(self) -> dict[str, str]:
        return {
            "SLACK_BOT_TOKEN": self.slack.app.bot_token,
            "SLACK_SIGNING_SECRET": self.slack.app.signing_secret,
            "SLACK_API_BASE_URL": self.slack.api_base_url,
            "SLACK_HTTP_HOST": "127.0.0.1",
            "SLACK_HTTP_PORT": str(free_port()),
        }

    @property
    def telegram_by_polling(self) -> dict[str, str]:
        return {
            "TELEGRAM_BOT_TOKEN": self.telegram.token,
            "TELEGRAM_BASE_URL": self.telegram.base_url,
            "TELEGRAM_BASE_FILE_URL": self.telegram.base_file_url,
        }

    @property
    def telegram_by_webhook(self) -> dict[str, str]:
        port = free_port()
        return self.telegram_by_polling | {
            "TELEGRAM_WEBHOOK_URL": f"http://127.0.0.1:{port}/hook",
            "TELEGRAM_WEBHOOK_SECRET": "very-secret",
            "TELEGRAM_WEBHOOK_HOST": "127.0.0.1",
            "TELEGRAM_WEBHOOK_PORT": str(port),
        }

    async def mention(self, text: str, channel: str = GENERAL, thread: str | None = None) -> str:
        """Mention the bot in Slack as Ada; return the message's ts."""
        return await self.slack.post_as(ADA, channel, f"<@{self.slack.bot_user_id}> {text}", thread_ts=thread)

    async def slack_answers(self, channel: str, root: str, count: int = 2) -> list[SlackMessage]:
        """Return the bot's messages in the thread, once there are so many and none is a mere sign."""

        def done() -> bool:
            shown = [seen_in_slack(message) for message in self.slack.answers(channel, root)]
            return len(shown) >= count and not any(sign in shown for sign in LOOKING)

        await until(done, lambda: f"{self.slack.answers(channel, root)}", PATIENCE)
        await self.slack.settled()
        return self.slack.answers(channel, root)

    async def telegram_answers(self, chat: int, count: int = 2) -> list[TelegramMessage]:
        """Return the bot's messages in the chat, once there are so many."""
        return await self.telegram.wait_for_messages(chat, count=count, timeout=PATIENCE)

    def check_manners(self) -> None:
        """Neither platform had anything to complain about."""
        if self.slack.violations:
            raise AssertionError(self.slack.violations)
        assert self.telegram.warnings == []


@asynccontextmanager
async def offices() -> AsyncIterator[Offices]:
    """Serve both platforms while inside; nothing in them may have been misused at the end."""
    slack = SlackStandIn()
    slack.add_user(ADA, name="Ada")
    slack.add_user(GRACE, name="Grace")
    slack.add_channel(GENERAL, members=[ADA, GRACE, slack.bot_user_id], name="general")
    telegram = TelegramStandIn()
    telegram.add_user(ANNA, "Anna", language_code="ru")
    telegram.add_user(BORIS, "Boris", language_code="en")
    telegram.add_group(TEAM, "Team", members=[ANNA, BORIS])
    async with slack, telegram:
        both = Offices(slack, telegram)
        yield both
        both.check_manners()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
