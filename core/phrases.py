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
    "older_says": {"en": "An older page says: “{quote}”", "ru": "В более старом документе сказано: «{quote}»"},
    "show_more": {"en": "Show {count} more", "ru": "Показать ещё {count}"},
    "list_changed": {
        "en": "The documents have changed since, so this is what you have not seen of the list as it is now.",
        "ru": "Документы с тех пор изменились, поэтому здесь то, чего вы ещё не видели в нынешнем списке.",
    },
    "list_done": {
        "en": "The documents have changed since, and the list as it is now holds nothing that you have not seen.",
        "ru": "Документы с тех пор изменились, и в нынешнем списке нет ничего, чего вы ещё не видели.",
    },
    "list_all": {"en": "That was the whole list.", "ru": "Это был весь список."},
    "list_gone": {
        "en": "That list is no longer at hand. Please ask the question again.",
        "ru": "Этого списка уже нет под рукой. Задайте вопрос ещё раз, пожалуйста.",
    },
    "because_gone": {
        "en": "it asks for the rest of a list that is no longer at hand",
        "ru": "это просьба показать остаток списка, которого уже нет под рукой",
    },
    "because_list": {
        "en": "it asks for the rest of the list above",
        "ru": "это просьба показать остаток списка выше",
    },
    "by_list": {
        "en": "The same look-up as before goes on with what was not shown yet.",
        "ru": "Тот же поиск, что и раньше, продолжается с ещё не показанного.",
    },
    "unconfirmed": {
        "en": "Part of the answer could not be confirmed in the documents and was left out.",
        "ru": "Часть ответа не подтвердилась документами и убрана.",
    },
    "quotes_only": {
        "en": "No model could write this answer, so these are the documents' own words.",
        "ru": "Этот ответ не смогла написать ни одна модель, поэтому это слова самих документов.",
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
    "because_unclear": {
        "en": "it can be read in several ways, and the documents answer each differently",
        "ru": "его можно понять по-разному, и документы отвечают на каждый вариант своё",
    },
    "because_chosen": {
        "en": "you chose this when I asked what you mean",
        "ru": "вы выбрали это в ответ на мой уточняющий вопрос",
    },
    "because_meant": {
        "en": "of all that go by this name, only “{label}” fits",
        "ru": "из всех, кого так называют, подходит только «{label}»",
    },
    "because_replies": {
        "en": "it replies to the answer to that question",
        "ru": "это ответ на сообщение о нём",
    },
    "because_piece": {
        "en": "it is a piece of a question, and the rest was asked before",
        "ru": "это часть вопроса, остальное спрошено раньше",
    },
    "because_near": {
        "en": "it is close to the question before and names no subject of its own",
        "ru": "он близок к предыдущему и не называет своего предмета",
    },
    "because_stands": {
        "en": "“{word}” stands for something named before",
        "ru": "«{word}» стоит вместо названного раньше",
    },
    "why_understood": {"en": "What I understood", "ru": "Как я понял вопрос"},
    "why_looked": {"en": "Where I looked", "ru": "Где я искал"},
    "why_came": {"en": "What came of it", "ru": "Что вышло"},
    "why_standalone": {"en": "It is a new question: {because}.", "ru": "Это новый вопрос: {because}."},
    "why_follow_up": {
        "en": "It goes on from “{question}”: {because}.",
        "ru": "Он продолжает вопрос «{question}»: {because}.",
    },
    "why_unclear": {
        "en": "It is not clear: {because}. It could be: {options}.",
        "ru": "Неясно: {because}. Варианты: {options}.",
    },
    "why_asked_back": {
        "en": "I asked which one is meant before I answer.",
        "ru": "Прежде чем отвечать, я спросил, что имеется в виду.",
    },
    "why_names": {"en": "Names I know in it: {names}.", "ru": "Знакомые имена в нём: {names}."},
    "by_model": {"en": "The planning model chose where to look.", "ru": "Где искать, решила модель-планировщик."},
    "by_examples": {
        "en": "Answers to questions like this have a set place in the documents, so I looked there.",
        "ru": "У ответов на такие вопросы есть своё место в документах, там я и смотрел.",
    },
    "by_default": {
        "en": "Answers to a question like this have no set place, so I searched everywhere.",
        "ru": "У ответов на такие вопросы нет своего места в документах, поэтому я искал везде.",
    },
    "tool_graph_query": {"en": "The structure of the documents", "ru": "Структура документов"},
    "tool_document_search": {
        "en": "A search of all documents for “{query}”",
        "ru": "Поиск по всем документам: «{query}»",
    },
    "find_section": {"en": "“{heading}” on the page of {of}", "ru": "«{heading}» на странице «{of}»"},
    "find_mentions": {"en": "The places that mention {of}", "ru": "Места, где упомянуто «{of}»"},
    "find_overview": {"en": "The page of {of}", "ru": "Страница «{of}»"},
    "find_field": {"en": "The details on the page of {of}", "ru": "Сведения на странице «{of}»"},
    "find_also": {"en": ", as far as {of} is concerned", "ru": ", только о «{of}»"},
    "again_little": {"en": ", because that was too little", "ru": ", потому что этого было мало"},
    "again_nothing": {"en": ", because that gave nothing", "ru": ", потому что ничего не нашлось"},
    "again_missing": {
        "en": ", because something that was asked for was still missing",
        "ru": ", потому что не нашлось чего-то из вопроса",
    },
    "tool_trouble": {
        "en": "{what}{again}: it did not work in full (passages found: {count}).",
        "ru": "{what}{again}: получилось не до конца (найдено отрывков: {count}).",
    },
    "tool_found": {
        "en": "{what}{again} (passages found: {count}).",
        "ru": "{what}{again} (найдено отрывков: {count}).",
    },
    "tool_nothing": {"en": "{what}{again}: nothing found.", "ru": "{what}{again}: ничего не нашлось."},
    "why_read": {"en": "Read: {documents}.", "ru": "Прочитано: {documents}."},
    "why_passages": {"en": "{title} ({count})", "ru": "{title} ({count})"},
    "why_more": {"en": "and {count} more", "ru": "и ещё документов: {count}"},
    "why_other": {
        "en": "{count} documents that I may not name here",
        "ru": "документы, которых здесь не назвать: {count}",
    },
    "why_and_more": {"en": " and {count} more", "ru": " и ещё {count}"},
    "why_missing": {
        "en": "Nowhere in what I read: {words}.",
        "ru": "Нигде в прочитанном нет: {words}.",
    },
    "why_quoted": {"en": "“{word}”", "ru": "«{word}»"},
    "why_refused": {
        "en": "What I found does not say enough, so I gave no answer.",
        "ru": "Найденного мало для ответа, поэтому ответа нет.",
    },
    "why_answered": {
        "en": "Statements confirmed word for word: {claims}; documents that prove them: {sources}.",
        "ru": "Утверждений, подтверждённых дословно: {claims}; документов с этими словами: {sources}.",
    },
    "why_dropped": {
        "en": "Statements left out because nothing confirmed them: {count}.",
        "ru": "Утверждений убрано, потому что ничто их не подтвердило: {count}.",
    },
    "why_time": {"en": "It took {total}{steps}.", "ru": "Заняло {total}{steps}."},
    "why_rest": {"en": "the rest hardly any", "ru": "остальное почти ничего"},
    "why_unknown": {
        "en": "I have no record of how this was answered: it was not answered from documents, or the record has been "
        "removed since.",
        "ru": "У меня нет записи о том, как я отвечал: ответ был не из документов, или запись уже удалена.",
    },
    "why_nothing": {
        "en": "I have not answered anything here yet.",
        "ru": "Я здесь ещё ни на что не отвечал.",
    },
    "mode_is": {"en": "Here I answer {who}.", "ru": "Здесь я отвечаю {who}."},
    "mode_set": {"en": "From now on I answer here {who}.", "ru": "Теперь я отвечаю здесь {who}."},
    "mode_mention": {
        "en": "whoever mentions me, and whoever goes on in a thread with me",
        "ru": "тем, кто меня упомянет, и тем, кто продолжает разговор со мной",
    },
    "mode_gate": {
        "en": "whoever mentions me, and questions to everybody that the documents surely answer",
        "ru": "тем, кто меня упомянет, и на вопросы ко всем, на которые точно есть ответ в документах",
    },
    "mode_all": {"en": "every message", "ru": "на каждое сообщение"},
    "mode_direct": {
        "en": "We are alone here, so I answer everything.",
        "ru": "Мы здесь одни, поэтому я отвечаю на всё.",
    },
    "mode_unknown": {
        "en": "I know these modes: {modes}. Write one of them.",
        "ru": "Я знаю такие режимы: {modes}. Напишите один из них.",
    },
    "mode_refused": {
        "en": "Only my administrators can change that. Whoever runs me names them in ADMINS; you are {person}.",
        "ru": "Менять это могут только мои администраторы, их называет в ADMINS мой хозяин; вы — {person}.",
    },
    "mode_nobody": {
        "en": "writing without your name, so write as yourself",
        "ru": "пишете не от своего имени, напишите от своего",
    },
    "seconds": {"en": "{count} s", "ru": "{count} с"},
    "milliseconds": {"en": "{count} ms", "ru": "{count} мс"},
    "step_understand": {"en": "reading the question", "ru": "разбор вопроса"},
    "step_plan": {"en": "planning", "ru": "план"},
    "step_search": {"en": "looking", "ru": "поиск"},
    "step_draft": {"en": "writing", "ru": "ответ"},
    "step_verify": {"en": "checking", "ru": "проверка"},
    "step_render": {"en": "layout", "ru": "оформление"},
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
    "reading_alone": {"en": "It is a new question", "ru": "Это новый вопрос"},
    "reading_goes_on": {"en": "It goes on from “{question}”", "ru": "Это продолжение: «{question}»"},
    "which_one": {"en": "Which one do you mean?", "ru": "Что вы имеете в виду?"},
    "choose_by_number": {
        "en": "Type its number, or ask something else.",
        "ru": "Напишите номер — или задайте другой вопрос.",
    },
    "chosen": {"en": "✓ {label}", "ru": "✓ {label}"},
    "type_more": {"en": "type more", "ru": "напишите «ещё»"},
    "out_of_date": {
        "en": "This button is out of date. Please ask your question again.",
        "ru": "Эта кнопка уже не действует. Задайте, пожалуйста, вопрос ещё раз.",
    },
    "looking": {"en": "Looking through the documents…", "ru": "Смотрю в документах…"},
}


def phrase(name: str, language: Language, **values: object) -> str:
    """Return the sentence in the language, with its values filled in."""
    return _PHRASES[name][language].format(**values)
