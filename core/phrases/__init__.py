"""Every sentence that Footnote itself says in a reply: a file for each language, named in `_LANGUAGES`."""

from core.phrases import en, ru
from core.text import Language

# Thousands are set apart by a space, and cents by a comma.
_RUSSIAN = str.maketrans({",": "\N{NO-BREAK SPACE}", ".": ","})
_LANGUAGES: dict[Language, dict[str, str]] = {"en": en.PHRASES, "ru": ru.PHRASES}


def phrase(name: str, language: Language, **values: object) -> str:
    """Return the sentence in the language, with its values filled in."""
    return _LANGUAGES[language][name].format(**values)


def dollars(amount: float, language: Language) -> str:
    """Return a sum of US dollars as the language writes it, to the cent."""
    number = f"{amount:,.2f}"
    return f"{number.translate(_RUSSIAN)}\N{NO-BREAK SPACE}$" if language == "ru" else f"${number}"
