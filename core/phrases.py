"""Every sentence that Footnote itself says in a reply, in each language."""

from core.text import Language

_PHRASES: dict[str, dict[Language, str]] = {
    "from": {"en": "From “{title}”:", "ru": "Из документа «{title}»:"},
    "more": {"en": "…and {count} more.", "ru": "…и ещё {count}."},
    "refusal": {
        "en": "I could not find the answer to this in the documents.",
        "ru": "В документах нет ответа на этот вопрос.",
    },
    "nearest": {"en": "The nearest thing I found:", "ru": "Ближайшее, что нашлось:"},
    "unconfirmed": {
        "en": "Part of the answer could not be confirmed in the documents and was left out.",
        "ru": "Часть ответа не подтвердилась документами и убрана.",
    },
    "quotes_only": {
        "en": "The model that writes answers could not be reached, so these are the documents' own words.",
        "ru": "Модель, которая пишет ответы, сейчас недоступна, поэтому это слова самих документов.",
    },
    "empty": {
        "en": "Ask me a question about the documents, for example: “How many vacation days do I get?”",
        "ru": "Задайте вопрос по документам, например: «Сколько дней отпуска мне положено?»",
    },
    "too_long": {
        "en": "That is {length} characters; I take questions of up to {limit}. What would you like to know, in short?",
        "ru": "Это {length} знаков, а я читаю вопросы до {limit}. Что вы хотите узнать, если коротко?",
    },
    "no_index": {
        "en": "I have no documents yet. Whoever runs me can add them with: footnote index FOLDER",
        "ru": "У меня пока нет документов. Их добавляют командой: footnote index ПАПКА",
    },
    "failed": {
        "en": "Something on my side failed, so I have no answer this time. Please ask again in a minute; "
        "if it goes on, give this reference to whoever runs me: {reference}",
        "ru": "У меня произошёл сбой, ответа пока нет. Спросите ещё раз через минуту; если не поможет, "
        "передайте этот номер тому, кто меня обслуживает: {reference}",
    },
    "sources": {"en": "Sources", "ru": "Источники"},
    "page": {"en": "page {page}", "ru": "стр. {page}"},
    "updated": {"en": "updated {date}", "ru": "обновлено {date}"},
    "outdated": {"en": "outdated: a newer page replaces it", "ru": "устарело: есть более новый документ"},
    "confidential": {"en": "confidential", "ru": "конфиденциально"},
    "looking": {"en": "Looking through the documents…", "ru": "Смотрю в документах…"},
}


def phrase(name: str, language: Language, **values: object) -> str:
    """Return the sentence in the language, with its values filled in."""
    return _PHRASES[name][language].format(**values)
