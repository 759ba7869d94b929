"""Claims proven while a model is still writing: each is told as soon as it is whole and holds, and never taken back."""

from collections.abc import Iterable
from dataclasses import replace

from core.answer import Answer, Claim, Draft, DraftClaim
from core.answering import claims_begun, settled
from core.bounded import within_bounds
from core.context import AnswerContext
from core.ports import Hear
from core.relevance import answers
from core.telling import Proven, Tell, nobody
from core.verify import claim_key, verify

# Braces looked at in one reply: an answer has 25 claims of five objects at most. A reply with more is not read on.
_MOST_ENDS = 600


class ClaimReader:
    """Reads the claims of a reply that is still being written, each once it is whole."""

    def __init__(self) -> None:
        self._text = ""
        self._read = 0
        self._ends = 0

    def read(self, text: str) -> tuple[DraftClaim, ...]:
        """Return the claims that are whole by now and were not before; `text` is the reply from its beginning.

        A text that does not go on from the last one is another reply, and is read from its beginning.
        """
        if not text.startswith(self._text):
            self._text, self._read, self._ends = "", 0, 0
        at, self._text = len(self._text), text
        whole: tuple[DraftClaim, ...] = ()
        while (at := text.find("}", at) + 1) and self._ends < _MOST_ENDS:
            self._ends += 1
            # A claim is whole where the list of claims and the reply could end behind it.
            whole = claims_begun(f"{text[:at]}]}}") or whole
        fresh, self._read = whole[self._read :], max(self._read, len(whole))
        return fresh


class Stream:
    """Proves the claims of a reply while it is written, and tells of those that hold once one of them answers."""

    def __init__(self, context: AnswerContext, tell: Tell) -> None:
        self._context = context
        self._tell = tell
        self._reader = ClaimReader()
        self.claims: tuple[Claim, ...] = ()

    @property
    def hear(self) -> Hear | None:
        """What hears the reply so far, if anybody is to be told.

        A list that is completed from the documents' structure gets its order only with its last item.
        """
        listed = self._context.lists and self._context.structural
        return None if self._tell is nobody or listed else self._heard

    def _heard(self, text: str) -> None:
        fresh = self._reader.read(text)
        if not fresh:
            return
        proven = verify(Draft(settled(fresh, self._context)), self._context, last=False).claims
        # One beside the point may yet stand beside one that answers, but only when that is known.
        held = [one for one in proven if self.claims or answers((one,), self._context)]
        known = self.claims
        self.claims, _ = within_bounds((*known, *held), self._context, told=known)
        if self.claims != known:
            self._tell(Proven(self.claims, self._context.style))


def holding(answer: Answer, told: tuple[Claim, ...]) -> Answer:
    """Return the answer, which holds what was told, in the order in which it was.

    It does so by itself unless the reply broke off, another model was asked, or the model thought better of it at the
    end. What is added then is proven like the rest.
    """
    wanted, own = [claim_key(claim) for claim in told], [claim_key(claim) for claim in answer.claims]
    if _in_order(wanted, own):
        return answer
    others = (claim for claim, key in zip(answer.claims, own, strict=True) if key not in wanted)
    return replace(answer, claims=(*told, *others), lead=None, is_refusal=False, nearest=())


def _in_order(wanted: Iterable[object], own: Iterable[object]) -> bool:
    """Return whether all that is wanted stands there, in its order."""
    left = iter(own)
    return all(key in left for key in wanted)
