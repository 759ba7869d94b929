"""Every sentence that Footnote itself says in a reply, and the one table of the languages that it speaks.

A language is one file of this folder, named by its code: its `TONGUE` says how it is told and how it writes numbers,
its `PHRASES` are its sentences, and its `REASONS`, where it has any, why documents cannot be read. There is nothing
else to change for another one (docs/languages.md).
"""

from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Self

from core.phrases import en
from core.tongue import Tongue

# What is spoken to those whose language cannot be told, or has no file any more.
DEFAULT = "en"


def read_files() -> dict[str, Tongue]:
    """Return the language of each file of this folder: English first, then those that are told by script alone."""
    files = {one.name: import_module(f"{__name__}.{one.name}") for one in iter_modules(__path__)}
    found = {code: _spoken(code, file) for code, file in files.items()}
    return dict(sorted(found.items(), key=lambda item: (item[0] != DEFAULT, bool(item[1].words), item[0])))


def _spoken(code: str, file: Any) -> Tongue:
    """Return the language with its sentences; one that is not translated yet is said in English."""
    told: Tongue = file.TONGUE
    phrases, reasons = {**en.PHRASES, **file.PHRASES}, getattr(file, "REASONS", {})
    return replace(told, locales=told.locales or (code,), phrases=phrases, reasons=reasons)


TONGUES: dict[str, Tongue] = read_files()


def tongue(language: str) -> Tongue:
    """Return what is known of the language."""
    return TONGUES.get(language) or TONGUES[DEFAULT]


class Counted(int):
    """A number that a sentence may be told by: behind its name it lists the forms of what is counted."""

    _spoken: Tongue

    def __new__(cls, number: int, spoken: Tongue) -> Self:
        """Return the number as that language counts."""
        made = super().__new__(cls, number)
        made._spoken = spoken
        return made

    def __format__(self, spec: str) -> str:
        """Return the form that goes with the number, the number itself where none is given."""
        forms = spec.split("|")
        return forms[min(self._spoken.plural(int(self)), len(forms) - 1)] if len(forms) > 1 else format(int(self), spec)


def phrase(name: str, language: str, **values: object) -> str:
    """Return the sentence in the language, with its values filled in."""
    spoken = tongue(language)
    counted = {key: Counted(one, spoken) if type(one) is int else one for key, one in values.items()}
    return spoken.phrases[name].format(**counted)


def number(written: str, language: str) -> str:
    """Return a number, written as in "1,234.5", as the language writes it."""
    marks = tongue(language)
    return "".join({",": marks.thousands, ".": marks.decimal}.get(char, char) for char in written)


def dollars(amount: float, language: str) -> str:
    """Return a sum of US dollars as the language writes it, to the cent."""
    return tongue(language).dollars.format(number=number(f"{amount:,.2f}", language))


def language_named(locale: str | None) -> str | None:
    """Return the language that a locale such as `ru-RU` or `ru,en;q=0.5` names first; None if we do not speak it."""
    first = (locale or "").strip().lower().replace("_", "-").split(",")[0].split(";")[0].split("-")[0]
    return next((code for code, one in TONGUES.items() if first in one.locales), None)


def language_read(locale: str | None) -> str:
    """Return the language to speak to somebody with this locale."""
    return language_named(locale) or DEFAULT


def language_chosen(locale: str | None) -> str | None:
    """Return the language that somebody has chosen by their locale; None for English, which is what many never chose.

    Their words tell more then.
    """
    found = language_named(locale)
    return None if found == DEFAULT else found
