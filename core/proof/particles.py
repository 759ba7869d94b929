"""English verbs with a small word that turns them round: signed in and signed out, switched on and switched off."""

from collections.abc import Sequence

from core.proof.alongside import alongside
from core.proof.backing import Backing
from core.proof.words import Word, read

_ROUND = {"in": "out", "out": "in", "on": "off", "off": "on", "up": "down", "down": "up"}


def doubt_of_particles(text: str, backing: Backing) -> str | None:
    """Return which verb of the claim goes with a small word that is the opposite of the one in its quotes, or None."""
    claim = read(text)
    if claim.lows.isdisjoint(_ROUND):
        return None
    for beside in alongside(claim, backing.quoted):
        # Of “on at 6 and off at 9” either may be told.
        there_too = {word.low for word in beside.other}
        for here, there in beside.pairs:
            said, held = _behind(here, beside.own), _behind(there, beside.other)
            if said and held == _ROUND[said] and said not in there_too:
                verb, other = beside.own[here], beside.other[there]
                return f"it says “{verb.text} {said}”, its quotes “{other.text} {held}”"
    return None


def _behind(place: int, sentence: Sequence[Word]) -> str | None:
    following = sentence[place + 1] if place + 1 < len(sentence) else None
    return following.low if following and following.low in _ROUND else None
