"""Every sentence that Footnote itself says in a reply: a file for each language, named in `_LANGUAGES`."""

from core.phrases import en, ru
from core.text import Language

_LANGUAGES: dict[Language, dict[str, str]] = {"en": en.PHRASES, "ru": ru.PHRASES}


def phrase(name: str, language: Language, **values: object) -> str:
    """Return the sentence in the language, with its values filled in."""
    return _LANGUAGES[language][name].format(**values)
