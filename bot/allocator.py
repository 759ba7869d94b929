"""How the C library keeps what was freed: in a few places, not one for each thread, and nothing large at all."""

import ctypes
import sys
from collections.abc import Collection

# glibc gives each thread a place of its own, up to eight for each core, and what is freed in one serves no other: each
# grows to the most that one thread ever needed at once. Threads of ours wait for one lock (the interpreter's) as it is.
_PLACES = 2
# What is larger is given back to the system as soon as it is freed. Left alone, glibc keeps whatever is as large as
# something that was freed before, up to 32 MB: making the index over 260,000 vectors held 700 MB, and now 490.
_LARGE = 4_000_000
# The numbers of these options in glibc, and with which variables the operator has said something else.
_ARENA_MAX, _MMAP_THRESHOLD, _TRIM_THRESHOLD = -8, -3, -1
_SAID_BY = {
    _ARENA_MAX: "MALLOC_ARENA_MAX",
    _MMAP_THRESHOLD: "MALLOC_MMAP_THRESHOLD_",
    _TRIM_THRESHOLD: "MALLOC_TRIM_THRESHOLD_",
}


def share_what_is_freed(variables: Collection[str] = ()) -> bool:
    """Let the threads that are still to come share a few places, and nothing large be kept; return whether they will.

    `variables`: the names of those that are set in the environment. Only one C library can be told.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if set_option is None:
        return False
    options = {_ARENA_MAX: _PLACES, _MMAP_THRESHOLD: _LARGE, _TRIM_THRESHOLD: _LARGE}
    told = [name for name in options if _SAID_BY[name] not in variables and set_option(name, options[name]) == 1]
    return _ARENA_MAX in told
