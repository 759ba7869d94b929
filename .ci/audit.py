"""Whether a public database knows of faults in the locked versions: `python .ci/audit.py`, status 1 when it does.

pip-audit says "no known vulnerabilities" also of packages that it could not ask about. Here these are told, and without
the network, where all are, the status is 0 all the same: what nobody could ask about is no fault of a change.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

# It is no part of Footnote, so it stands in no lock file.
PIP_AUDIT = "pip-audit==2.10.1"
_OPTIONS = ("--require-hashes", "--disable-pip", "--progress-spinner", "off", "--format", "json")
# Whoever waits for a change to pass does not wait longer for a network that does not answer.
_SECONDS = 120.0
_UNASKED = (
    "{count} of {all} locked packages could not be asked about: "
    "the public database did not answer, or does not know them."
)
_CLEAN = "No known fault in {count} locked packages."


def told(report: dict[str, Any]) -> tuple[str, bool]:
    """Return what pip-audit's report says, in words, and whether a locked version has a known fault."""
    packages = report["dependencies"]
    skipped = [one for one in packages if "skip_reason" in one]
    lines = [
        f"{one['name']} {one['version']}: {fault['id']}, mended in {' '.join(fault['fix_versions']) or 'no version'}"
        for one in packages
        for fault in one.get("vulns", ())
    ]
    asked = len(packages) - len(skipped)
    closing = [_CLEAN.format(count=asked)] if asked and not lines else []
    closing += [_UNASKED.format(count=len(skipped), all=len(packages))] if skipped else []
    return "\n".join((*lines, *closing)), bool(lines)


def main() -> None:
    """Ask, and say what was told."""
    uv, lock = Path(sys.executable).parent / "uv", Path(__file__).parent.parent / "requirements.lock"
    asking = (str(uv), "tool", "run", "--quiet", PIP_AUDIT, "--requirement", str(lock), *_OPTIONS)
    try:
        asked = subprocess.run(asking, capture_output=True, text=True, check=False, timeout=_SECONDS)  # noqa: S603
        report = json.loads(asked.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        # Without uv, without a registry to have pip-audit from, or with a network that swallows what is sent.
        print(f"The locked packages were not audited, as pip-audit gave no report ({type(error).__name__}).")
        return
    words, is_faulty = told(report)
    print(words)
    sys.exit(is_faulty)


if __name__ == "__main__":
    main()
