"""Index runs that die: readers keep a whole index, and the next run makes what a clean one does."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_killed_run_is_made_good(tmp_path: Path) -> None:
    """Pages in both languages come, go, change, move and get new names between a run, its death and the next one.

    A few deaths in a process of its own, as it forks; `benchmarks/index.py --kills N` has as many as one wants.
    """
    command = [sys.executable, "-m", "benchmarks.index", "--documents", "0", "--texts", "0", "--kills", "3", "--json"]
    done = subprocess.run(  # noqa: S603 - our own code
        [*command, "--folder", str(tmp_path)], capture_output=True, text=True, check=False, cwd=ROOT, timeout=500
    )

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["kill -9"]["kills"] == 3
