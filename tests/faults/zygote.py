"""A process that has everything imported and forks a worker whenever one is asked for.

python -m tests.faults.zygote

Each line on standard input asks for something, as JSON: `{"start": {…}}` forks a worker with that order,
`{"kill": pid}`, `{"stop": pid}`, `{"freeze": pid}` and `{"thaw": pid}` send SIGKILL, SIGTERM, SIGSTOP and SIGCONT to
one that still runs. Each line on standard output says what happened: `{"started": pid}` and
`{"ended": pid, "status": …}`.
"""

import ctypes
import gc
import json
import os
import select
import signal
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

from tests.faults import worker

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Serve until standard input ends; whoever still runs then dies."""
    die_with_parent(os.getppid())
    waking, woken = os.pipe()
    os.set_blocking(waking, False)
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    worker.warm_up()
    gc.collect()
    gc.freeze()
    running: set[int] = set()
    try:
        _serve(waking, running)
    finally:
        for pid in running:
            os.kill(pid, signal.SIGKILL)


def die_with_parent(parent: int) -> None:
    """Let the kernel kill this process when its parent is gone."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _serve(waking: int, running: set[int]) -> None:
    asked = b""
    while True:
        ready, _, _ = select.select([0, waking], [], [])
        if waking in ready:
            os.read(waking, 4096)
            _reap(running)
        if 0 in ready:
            more = os.read(0, 65536)
            if not more:
                return
            *lines, asked = (asked + more).split(b"\n")
            for line in lines:
                _do(json.loads(line), running)


def _do(order: dict[str, Any], running: set[int]) -> None:
    match order:
        case {"start": spec}:
            pid = _fork(spec)
            running.add(pid)
            _say({"started": pid})
        case {"kill": pid} if pid in running:
            os.kill(pid, signal.SIGKILL)
        case {"stop": pid} if pid in running:
            os.kill(pid, signal.SIGTERM)
        case {"freeze": pid} if pid in running:
            os.kill(pid, signal.SIGSTOP)
        case {"thaw": pid} if pid in running:
            os.kill(pid, signal.SIGCONT)


def _fork(spec: dict[str, Any]) -> int:
    assert threading.active_count() == 1
    me = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        die_with_parent(me)
        _leave_behind(Path(spec["log"]))
        worker.work(spec)
        status = 0
    except BaseException:  # noqa: BLE001 - it is the end of the process, and this is what it leaves
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def _leave_behind(log: Path) -> None:
    """Drop what belongs to the parent: its signals, its input and its output."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(nothing, 0)
    os.dup2(written, 1)
    os.dup2(written, 2)


def _reap(running: set[int]) -> None:
    for pid in list(running):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            running.discard(pid)
            _say({"ended": pid, "status": os.waitstatus_to_exitcode(status)})


def _say(words: dict[str, Any]) -> None:
    os.write(1, json.dumps(words).encode() + b"\n")


if __name__ == "__main__":
    main()
