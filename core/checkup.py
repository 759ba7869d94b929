"""What a look at a platform finds: each thing that can be wrong, what follows from it, and the fix."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "note", "problem"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: `found`, and unless it is all right what follows from it and what to do."""

    state: State
    subject: str
    found: str
    consequence: str = ""
    fix: str = ""
