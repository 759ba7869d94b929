"""What threads have freed is kept in few places, where the C library would keep some for each of them."""

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no such places")

ROOT = Path(__file__).parents[2]
# Twelve threads that each have something at once; the C library then tells how many places it has.
THREADS = """
import ctypes, sys, threading
from pathlib import Path
from bot.allocator import share_what_is_freed

print(share_what_is_freed(sys.argv[2:]))
together = threading.Barrier(12)

def hold():
    held = bytearray(5_000)
    together.wait()

threads = [threading.Thread(target=hold) for _ in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
c = ctypes.CDLL(None)
c.fopen.restype = ctypes.c_void_p
told = c.fopen(sys.argv[1].encode(), b"w")
c.malloc_info(0, ctypes.c_void_p(told))
c.fclose(ctypes.c_void_p(told))
"""


def _places(folder: Path, *variables: str) -> tuple[str, int]:
    """Return what `share_what_is_freed` said in a process of its own, and how many places its threads then had."""
    told = folder / "told.xml"
    # What the operator says to the C library itself counts as well; here the process starts without it.
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_"))}
    said = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", THREADS, str(told), *variables],
        cwd=ROOT,
        env=clean,
        capture_output=True,
        text=True,
        check=True,
    )
    return said.stdout.strip(), len(re.findall(r"<heap nr=", told.read_text()))


def test_threads_share_what_is_freed(tmp_path: Path) -> None:
    """However many threads there are, two places hold what they have freed."""
    said, places = _places(tmp_path)

    assert said == "True"
    assert places <= 2


def test_the_operator_may_say_another_number(tmp_path: Path) -> None:
    """`MALLOC_ARENA_MAX` in the environment counts: here the C library was not told, and each thread has its own."""
    said, places = _places(tmp_path, "HOME", "MALLOC_ARENA_MAX")

    assert said == "False"
    assert places > 2


# Large pieces, as large as one that was freed before, with something small behind each; then the large ones are freed.
LARGE = """
import sys
from pathlib import Path
from bot.allocator import share_what_is_freed

def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 // 1_000_000

share_what_is_freed(sys.argv[1:])
one = bytearray(b"x") * 20_000_000
del one
before = held()
pieces = [(bytearray(b"x") * 19_000_000, bytearray(b"x") * 2_000) for _ in range(6)]
small = [piece for _, piece in pieces]
most = held()
del pieces
print(most - before, held() - before)
"""


@pytest.mark.parametrize(
    ("variables", "kept"), [((), range(20)), (("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"), range(60, 140))]
)
def test_what_is_large_is_given_back(variables: tuple[str, ...], kept: range) -> None:
    """What an index run needed for a moment is free for others after it; unless the operator says otherwise."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_"))}
    said = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", LARGE, *variables], cwd=ROOT, env=clean, capture_output=True, text=True, check=True
    )
    most, after = map(int, said.stdout.split())

    assert most > 100
    assert after in kept
