"""What people had said in a thread when somebody asked us there."""

from dataclasses import dataclass
from datetime import datetime

from core.text import Language, Untrusted


@dataclass(frozen=True, slots=True)
class Remark:
    """What somebody said, and when; `by_app`: no person did, but a form, an alert or another bot."""

    text: str
    at: datetime
    by_app: bool = False


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a question: the thread among people that it was asked in.

    `remarks`: what they had said, oldest first; None until the thread has been read. `spoken`: the language that the
    asker reads, where they wrote no words. `brought`: somebody else's words that the asker sent along, to be held
    against the documents.
    """

    remarks: tuple[Remark, ...] | None = None
    spoken: Language | None = None
    brought: Untrusted | None = None
