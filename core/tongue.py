"""What a language's file in `core/phrases/` says of the language, beside its sentences."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language that Footnote speaks; its code is the name of its file, two letters of ISO 639-1.

    `name`: in English, for prompts and reports. `letters`: one letter of its script, where that is not the Latin one.
    `words`: some dozens of its commonest small words in lower case, which tell it from other languages of its script;
    the first language of a script needs none. `locales`: the codes of languages whose readers it is for, its own alone
    when none is given. `thousands`, `decimal`, `dollars`: how it writes a number, and a sum of US dollars.
    `phrases`: its sentences, by name.
    """

    name: str
    letters: re.Pattern[str] | None = None
    words: Collection[str] = frozenset()
    locales: tuple[str, ...] = ()
    thousands: str = ","
    decimal: str = "."
    dollars: str = "${number}"
    phrases: Mapping[str, str] = field(default_factory=dict)
