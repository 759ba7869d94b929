"""Raised and lowered digits: how they read in a text that can raise none, so that none melts into a number."""

import re
from collections.abc import Set as AbstractSet

_RAISED = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_LOWERED = str.maketrans("0123456789+-−", "₀₁₂₃₄₅₆₇₈₉₊₋₋")
_NUMBER = re.compile(r"[+−-]?\d{1,9}")
_DECIMAL = re.compile(r"[+−-]?\d{1,9}[.,]\d{1,9}")
_IN_BRACKETS = re.compile(r"\[[^\W_]{1,3}\]")
_LABEL = re.compile(r"[^\W_]{1,3}|[*†‡§]{1,3}")
# A base: ten by itself, or a unit or a variable of one or two letters. The first power is never written.
_BASE = re.compile(r"(?:(?:^|[\s×·*(=~≈])10|(?<![^\W_])[^\W\d_]{1,2}|\d[^\W\d_]{1,2})$")
_SUM_BEFORE = re.compile(r"[€$£¥₽₴₸]\s?\d[\d\s.,]{0,20}$")
_NUMBER_BEFORE = re.compile(r"\d[\d\s.,]{0,20}$")
_SIGN_AFTER = re.compile(r"\s?[€$£¥₽₴₸]")
_MONEY_AFTER = re.compile(
    r"\s?(?:[€$£¥₽₴₸]|(?:EUR|USD|GBP|RUB|euros?|dollars?|pounds?|rou?bles?|евро)\b|руб|р\.|доллар)", re.IGNORECASE
)
_WITH_CENTS = re.compile(r"\d[.,]\d{2}$")
_CENTS = re.compile(r"\d{2}")


def raised(mark: str, before: str, after: str, notes: AbstractSet[str] = frozenset()) -> str:
    """Return how a raised mark between two texts reads: a power as ⁵, cents behind a point, the mark of a note not.

    `notes` are the labels of the notes that the document has. Letters stay as they are: 1st, ™.
    """
    label = mark.strip()
    if _IN_BRACKETS.fullmatch(label):
        return ""
    power = bool(_BASE.search(before)) and label != "1"
    if after.startswith(("/", "⁄")):
        return f" {label}" if before[-1:].isdigit() else label
    if _names_notes(label, notes) and not power:
        return ""
    if _SUM_BEFORE.search(before) or (_NUMBER_BEFORE.search(before) and _money_follows(after, power=power)):
        return _beside_a_sum(label, before)
    return _as_digits(label, _RAISED, "^")


def lowered(mark: str, before: str) -> str:
    """Return how a lowered mark reads: behind a letter as a plain one (H2O), behind a digit as ₂."""
    label = mark.strip()
    return _as_digits(label, _LOWERED, "_") if before[-1:].isdigit() else label


def label_of(mark: str) -> str:
    """Return the label that a raised mark at the beginning of a block gives a note, or nothing when it gives none."""
    label = mark.strip().strip("[]()")
    return label if _LABEL.fullmatch(label) else ""


def _names_notes(label: str, notes: AbstractSet[str]) -> bool:
    names = [name for part in re.split(r"[,;\s]+", label) if (name := label_of(part))]
    return bool(names) and notes >= set(names)


def _money_follows(after: str, *, power: bool) -> bool:
    """Return whether a currency follows; a power of ten may be of euros, but none stands close before their sign."""
    return bool((_SIGN_AFTER if power else _MONEY_AFTER).match(after))


def _beside_a_sum(label: str, before: str) -> str:
    """Return what is raised behind a sum of money: its cents, or the mark of a note, which is none of the sum."""
    if not _NUMBER.fullmatch(label):
        return label
    if _CENTS.fullmatch(label) and not _WITH_CENTS.search(before):
        return ("." if _SUM_BEFORE.search(before) else ",") + label
    return ""


def _as_digits(label: str, digits: dict[int, int], sign: str) -> str:
    if _NUMBER.fullmatch(label):
        return label.translate(digits)
    return f"{sign}{label}" if _DECIMAL.fullmatch(label) else label
