"""What processes use of the machine, read from the kernel."""

import os
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_PROC = Path("/proc")


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0))


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process so far, all its threads together; 0 once it is gone."""
    fields = _stat(pid)
    return sum(map(int, fields[11:13])) / _TICK if fields else 0.0


def cpu_seconds_of_family(pid: int) -> float:
    """Return the CPU seconds of a process, of the children it has now and of those that have ended."""
    fields = _stat(pid)
    ended = sum(map(int, fields[13:15])) / _TICK if fields else 0.0
    return cpu_seconds(pid) + ended + sum(map(cpu_seconds, children(pid)))


def children(pid: int) -> list[int]:
    """Return the processes that a process has started and that still run."""
    found = []
    for path in _PROC.glob("[0-9]*"):
        fields = _stat(int(path.name))
        if fields and int(fields[1]) == pid:
            found.append(int(path.name))
    return found


def resident_mib(pid: int) -> float:
    """Return the mebibytes of memory that a process holds now; 0 once it is gone."""
    try:
        pages = int((_PROC / str(pid) / "statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * _PAGE / 2**20


def machine_seconds() -> float:
    """Return the CPU seconds that everything on the machine has used so far."""
    user, nice, system, _, _, interrupts, soft = map(int, (_PROC / "stat").read_text().split()[1:8])
    return (user + nice + system + interrupts + soft) / _TICK


def _stat(pid: int) -> list[str]:
    """Return the fields behind the name, the state first; none once the process is gone."""
    try:
        return (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
