"""Every sentence that Footnote itself says in a reply, in each language."""

from core.text import Language

_PHRASES: dict[str, dict[Language, str]] = {
    "from": {"en": "From “{title}”:", "ru": "Из документа «{title}»:"},
    "more": {"en": "…and {count} more.", "ru": "…и ещё {count}."},
    "refusal": {
        "en": "I could not find the answer to this in the documents.",
        "ru": "Не удалось найти ответ на этот вопрос в документах.",
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
    "because_first": {"en": "it is the first question here", "ru": "это первый вопрос здесь"},
    "because_over": {"en": "the earlier conversation is long over", "ru": "прежний разговор давно закончен"},
    "because_whole": {"en": "it names all that it is about", "ru": "в нём названо всё, о чём он"},
    "because_empty": {"en": "it has no subject of its own", "ru": "в нём нет своего предмета"},
    "because_opens": {
        "en": "it opens with “{word}” and continues the question before",
        "ru": "он начинается с «{word}» и продолжает предыдущий",
    },
    "because_lacks": {
        "en": "“{word}” does not say of what, and the question before does",
        "ru": "«{word}» не говорит, чего именно, а предыдущий вопрос говорит",
    },
    "because_read": {
        "en": "the planning model reads it so, with words of an earlier question",
        "ru": "так его читает модель-планировщик, словами из прежних вопросов",
    },
    "because_near": {
        "en": "it is close to the question before and names no subject of its own",
        "ru": "он близок к предыдущему и не называет своего предмета",
    },
    "because_stands": {
        "en": "“{word}” stands for something named before",
        "ru": "«{word}» стоит вместо названного раньше",
    },
    "why_standalone": {"en": "Read as a new question: {because}.", "ru": "Понято как новый вопрос: {because}."},
    "why_follow_up": {
        "en": "Read as a follow-up of “{question}”: {because}.",
        "ru": "Понято как продолжение вопроса «{question}»: {because}.",
    },
    "why_unclear": {
        "en": "Not clear: {because}. It could be: {options}.",
        "ru": "Неясно: {because}. Варианты: {options}.",
    },
    "by_model": {"en": "The planning model chose what to look up.", "ru": "Что искать, решила модель-планировщик."},
    "by_examples": {
        "en": "The question is like one that the documents' owner declared, so their structure was looked up.",
        "ru": "Вопрос похож на объявленный владельцем документов, поэтому ответ взят из их структуры.",
    },
    "by_default": {
        "en": "No declared kind of question fits, so all documents were searched.",
        "ru": "Объявленные виды вопросов не подошли, поэтому поиск шёл по всем документам.",
    },
    "tool_graph_query": {"en": "Looked up in the documents' structure", "ru": "Посмотрели в структуре документов"},
    "tool_document_search": {"en": "Searched all documents", "ru": "Искали по всем документам"},
    "tool_about": {"en": " for “{query}”", "ru": ": «{query}»"},
    "tool_again": {"en": ", because too little was found", "ru": ", потому что нашлось слишком мало"},
    "tool_found": {"en": "{what}: {count} found.", "ru": "{what}, найдено: {count}."},
    "why_read": {"en": "Read: {documents}.", "ru": "Прочитано: {documents}."},
    "why_passages": {"en": "{title} ({count})", "ru": "{title} ({count})"},
    "why_more": {"en": "and {count} more documents", "ru": "и ещё документов: {count}"},
    "why_missing": {
        "en": "Not in what was read: {words}.",
        "ru": "Нет в прочитанном: {words}.",
    },
    "why_quoted": {"en": "“{word}”", "ru": "«{word}»"},
    "why_refused": {
        "en": "Nothing found says enough to answer, so no answer was given.",
        "ru": "Найденного мало для ответа, поэтому ответа нет.",
    },
    "why_answered": {
        "en": "Statements: {claims}, from documents: {sources}, each with its exact words.",
        "ru": "Утверждений: {claims}, документов: {sources}, у каждого есть точная цитата.",
    },
    "why_dropped": {
        "en": "Left out because it could not be confirmed: {count}.",
        "ru": "Не подтвердилось и убрано: {count}.",
    },
    "why_time": {"en": "Time: {steps}", "ru": "Время: {steps}"},
    "step_understand": {"en": "thread and follow-up", "ru": "разговор"},
    "step_plan": {"en": "plan", "ru": "план"},
    "step_search": {"en": "search", "ru": "поиск"},
    "step_draft": {"en": "answer", "ru": "ответ"},
    "step_verify": {"en": "check", "ru": "проверка"},
    "step_render": {"en": "layout", "ru": "вёрстка"},
    "busy": {
        "en": "I am busy right now: you are number {number} in the line. The answer will come here.",
        "ru": "Сейчас много вопросов: вы {number}-й в очереди. Ответ придёт сюда.",
    },
    "too_many_of_yours": {
        "en": "You have {count} questions waiting for an answer already. Please ask this one again when they are done.",
        "ru": "Ваших вопросов уже {count} в очереди. Задайте этот ещё раз, когда на них придут ответы.",
    },
    "too_many_here": {
        "en": "Too many questions from here are waiting already ({count}). Please ask again in a few minutes.",
        "ru": "Отсюда уже слишком много вопросов в очереди ({count}). Спросите ещё раз через несколько минут.",
    },
    "too_many": {
        "en": "Too many questions are waiting already ({count}). Please ask again in a few minutes.",
        "ru": "В очереди уже слишком много вопросов ({count}). Спросите ещё раз через несколько минут.",
    },
    "maybe_sent": {
        "en": "The connection broke while I was sending my answer. If you do not see it above, press the button.",
        "ru": "Связь прервалась, пока я отправлял ответ. Если его нет выше, нажмите кнопку.",
    },
    "show_it": {"en": "Show the answer", "ru": "Показать ответ"},
    "looking": {"en": "Looking through the documents…", "ru": "Смотрю в документах…"},
}


def phrase(name: str, language: Language, **values: object) -> str:
    """Return the sentence in the language, with its values filled in."""
    return _PHRASES[name][language].format(**values)
