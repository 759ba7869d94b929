"""A denial that only the claim has: a last look at what the other checks could lay out either way."""

from core.proof.backing import Backing, same_root
from core.proof.denials import Denial, denials, is_adverse, is_negated
from core.proof.modes import says_the_same
from core.proof.opposites import opposites
from core.proof.quantifiers import reach
from core.proof.words import Reading, read
from core.text import stem


def doubt_of_denials(text: str, backing: Backing) -> str | None:
    """Return what the claim denies though its quotes deny nothing, and say it in no other word, or None."""
    claim = read(text)
    own = denials(claim)
    if not own or denials(backing.known):
        return None
    if says_the_same(claim, backing):
        return None
    odd = next((one for one in own if not _is_told_otherwise(one, claim, backing.known)), None)
    return f"it denies something that its quotes do not (“{odd.word} {odd.focus}…”)" if odd else None


def _is_told_otherwise(denial: Denial, claim: Reading, known: Reading) -> bool:
    """Return whether the quotes say by another word what is denied: closed for not open, only for nobody else."""
    near = {
        denial.focus,
        *denial.near,
        *(stem(denial.word) for one in denials(claim) if one.focus == stem(denial.word)),
    }
    return (
        "only" in reach(known)
        or any(is_adverse(one) and not any(same_root(one, own) for own in claim.stems) for one in known.stems)
        or any(opposites(one) & known.stems for one in near)
        or any(is_negated(one, other) or is_negated(other, one) for other in known.stems for one in near)
    )
