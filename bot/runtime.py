"""`footnote run`: every platform that has its tokens, until SIGTERM."""

import asyncio
import logging
import signal

from bot.answering import Bot
from bot.commands import NOTHING_INDEXED, ready_bot
from bot.doctor import mode_line
from bot.settings import read_settings
from bot.wiring import make_platforms
from core.errors import BotError, ConfigError
from core.pipeline import or_failure
from core.ports import Platform

log = logging.getLogger("footnote")

# Seconds between tries to reach a platform.
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0


async def run_command() -> None:
    """Serve until SIGTERM or SIGINT; raises ConfigError when no platform can be served."""
    settings = read_settings()
    _log_plainly()
    platforms, skipped = make_platforms(settings)
    for reason in skipped:
        log.info(reason)
    if not platforms:
        raise ConfigError("there is nothing to run: set the tokens of Slack or Telegram (see .env.example)")
    async with ready_bot(settings) as (bot, stores):
        log.info(mode_line(settings))
        if await stores.catalog.live() is None:
            log.warning(NOTHING_INDEXED)
        await _serve(platforms, bot)
    log.info("Stopped.")


async def _serve(platforms: list[Platform], bot: Bot) -> None:
    """Run the platforms side by side; one that fails leaves the others running, all failing ends with the reason."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    serving = {asyncio.create_task(_kept_up(platform, bot), name=platform.name) for platform in platforms}
    stopping = asyncio.create_task(stop.wait())
    failure: BotError | None = None
    while serving and not stop.is_set():
        done, _ = await asyncio.wait({*serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        for ended in serving & done:
            serving.remove(ended)
            failure = _failure(ended)
            if failure and serving:
                log.error("%s stopped: %s", ended.get_name().capitalize(), failure)
    for task in (*serving, stopping):
        task.cancel()
    await asyncio.gather(*serving, stopping, return_exceptions=True)
    if failure and not stop.is_set():
        raise failure


async def _kept_up(platform: Platform, bot: Bot) -> None:
    """Run a platform; when it cannot be reached for now, try again, less and less often. Raises what will not pass."""
    pause = _FIRST_PAUSE
    while True:
        failure = await or_failure(platform.run(bot, _say))
        if failure is None:
            return
        if not failure.retry:
            raise failure
        log.warning("%s: %s; next try in %g s", platform.name.capitalize(), failure.reason, pause)
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def _failure(task: "asyncio.Task[None]") -> BotError | None:
    """Return why the platform ended; a defect is logged with its place, and the other platforms go on."""
    error = task.exception()
    if error is None or isinstance(error, BotError):
        return error
    log.error("%s: a defect", task.get_name().capitalize(), exc_info=error)
    return BotError(f"{task.get_name().capitalize()} ended by a defect ({type(error).__name__}); the log says where")


async def _say(words: str) -> None:
    log.info(words)


def _log_plainly() -> None:
    """Log in one line each to standard error; libraries only when something is wrong."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s", datefmt="%H:%M:%S")
    log.setLevel(logging.INFO)
