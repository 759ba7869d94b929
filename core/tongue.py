"""What a language's file in `core/phrases/` says of the language, beside its sentences."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field


def one_or_many(count: int) -> int:
    """Return which of the two forms of a noun goes with the number, from 0: that of one thing, or of several."""
    return 0 if count == 1 else 1


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language that Footnote speaks; its code is the name of its file, two letters of ISO 639-1.

    `name`: in English, for prompts and reports. `letters`: one letter of its script, where that is not the Latin one.
    `words`: some dozens of its commonest small words in lower case, which tell it from other languages of its script;
    the first language of a script needs none. `locales`: the codes of languages whose readers it is for, its own alone
    when none is given. `thousands`, `decimal`, `dollars`: how it writes a number, and a sum of US dollars.
    `phrases`: its sentences, by name; `reasons`: why documents cannot be read, by the English sentence. `plural`: which
    form of a noun goes with a number, from 0, of those that stand with `|` between them behind the name of a value, as
    in `{count:item|items}`; the last is for all others.
    """

    name: str
    letters: re.Pattern[str] | None = None
    words: Collection[str] = frozenset()
    locales: tuple[str, ...] = ()
    thousands: str = ","
    decimal: str = "."
    dollars: str = "${number}"
    plural: Callable[[int], int] = one_or_many
    phrases: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
