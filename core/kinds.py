"""What kinds of entity are called when a person reads or writes of them, in each language."""

import re

from core.text import Language, all_terms, normalise, stem

# The first of each is what we say ourselves. A kind that a corpus declares besides goes by its own name.
_WORDS: dict[str, dict[Language, tuple[str, ...]]] = {
    "person": {"en": ("person", "colleague", "employee"), "ru": ("человек", "сотрудник", "коллега")},
    "company": {"en": ("company", "firm"), "ru": ("компания", "фирма")},
    "project": {"en": ("project",), "ru": ("проект",)},
    "product": {"en": ("product",), "ru": ("продукт",)},
    "technology": {"en": ("technology", "tool"), "ru": ("технология", "инструмент")},
    "system": {"en": ("system", "service"), "ru": ("система", "сервис")},
    "customer": {"en": ("customer", "client"), "ru": ("клиент", "заказчик")},
    "team": {"en": ("team",), "ru": ("команда",)},
    "office": {"en": ("office",), "ru": ("офис",)},
    "policy": {"en": ("policy",), "ru": ("политика", "правила")},
    "incident": {"en": ("incident",), "ru": ("инцидент",)},
    "release": {"en": ("release",), "ru": ("релиз",)},
    "document": {"en": ("document", "page"), "ru": ("документ", "страница")},
}
_KINDS = {stem(word): kind for kind, languages in _WORDS.items() for words in languages.values() for word in words}
# Those of our Russian words of which there are "many", and how others end that are declined by their ending alone.
_MANY_OF = """
люди людей сотрудники сотрудников коллеги коллег компании компаний фирмы фирм проекты проектов продукты продуктов
технологии технологий инструменты инструментов системы систем сервисы сервисов клиенты клиентов заказчики заказчиков
команды команд офисы офисов политики политик правила правил инциденты инцидентов релизы релизов документы документов
страницы страниц
""".split()
_COUNTED = dict(zip(_MANY_OF[::2], _MANY_OF[1::2], strict=True))
_LISTED = dict(zip(_MANY_OF[1::2], _MANY_OF[::2], strict=True))
_COUNTED_ENDING = re.compile(r"и[ия](?=\s*$)")


def counted_form(word: str) -> str:
    """Return the form of a Russian plural behind "сколько": «проектов» of «проекты»; "" where it is not known."""
    bare = word.rstrip()
    if known := _COUNTED.get(normalise(bare)):
        return f"{known}{word[len(bare) :]}"
    return _COUNTED_ENDING.sub("ий", word) if _COUNTED_ENDING.search(normalise(word)) else ""


def listed_form(word: str) -> str:
    """Return the form of our Russian words behind "какие", of the one behind "сколько"; another word as it is."""
    return _LISTED.get(normalise(word), word)


def word_for(kind: str, language: Language) -> str:
    """Return the word for a kind in the language, else in English; the kind as it is declared where there is none."""
    known = _WORDS.get(kind)
    return known.get(language, known["en"])[0] if known else kind.replace("_", " ").replace("-", " ")


def kind_of(word: str) -> str:
    """Return the kind that a word of a text stands for; the word itself, folded, where it is none that we know."""
    found = all_terms(word)
    return _KINDS.get(found[0], found[0]) if len(found) == 1 else ""


def known_kind(word: str) -> str | None:
    """Return the kind that a word of a text stands for, if we know the word ourselves."""
    return _KINDS.get(stem(normalise(word)))


def is_kind(word: str, kind: str) -> bool:
    """Return whether the word stands for the kind, in whatever form."""
    named = kind_of(word)
    return named in {kind, kind_of(kind)} or all_terms(kind) == [named]


def is_known_kind(stemmed: str) -> bool:
    """Return whether a search term is a word for a kind that we know ourselves."""
    return stemmed in _KINDS


def words_of_kind(kind: str) -> frozenset[str]:
    """Return the search terms of what a thing of this kind is called."""
    return frozenset(word for word, named in _KINDS.items() if named == kind) | {*all_terms(kind)}
