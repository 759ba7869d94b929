"""How the C library keeps what threads have freed: in a few places instead of in one for each of them."""

import ctypes
import sys
from collections.abc import Collection

# glibc gives each thread a place of its own, up to eight for each core, and what is freed in one serves no other: each
# grows to the most that one thread ever needed at once. Threads of ours wait for one lock (the interpreter's) as it is.
_PLACES = 2
_ARENA_MAX = -8
# With it the operator has said another number.
_VARIABLE = "MALLOC_ARENA_MAX"


def share_what_is_freed(variables: Collection[str] = ()) -> bool:
    """Let the threads that are still to come share a few places; return whether the C library is one that does.

    `variables`: the names of those that are set in the environment.
    """
    if sys.platform != "linux" or _VARIABLE in variables:
        return False
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    return set_option is not None and set_option(_ARENA_MAX, _PLACES) == 1
