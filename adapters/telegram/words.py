"""What the bot says in Telegram about how to ask."""

from typing import Literal

from core.commands import menu
from core.phrases import phrase
from core.text import Language

HintKind = Literal["help", "only_text", "only_words", "empty"]

_ASK: dict[Language, str] = {"en": "Ask a question about the documents", "ru": "Задать вопрос по документам"}


def commands(language: Language, *, admin: bool = False, pairs: bool = False) -> list[tuple[str, str]]:
    """Return the menu of commands: each with a sentence, those of everybody or also those of admins.

    `pairs`: there are people to be let in.
    """
    sentences = [(verb.name, phrase(verb.sentence, language)) for verb in menu(admin=admin)]
    if admin and pairs:
        sentences.append(("pair", phrase("command_pair", language)))
    return [("ask", _ASK[language]), *((name, said[:1].upper() + said[1:]) for name, said in sentences)]


_HELP: dict[Language, str] = {
    "en": "Hello! I answer questions from the documents I was given, and under each answer I show the exact words that "
    "prove it.\n\nJust write your question here, for example: “How many vacation days do I get?” Then ask on: I "
    "remember what we are talking about.\n\nIn a group, mention me (@{username}) or write /ask and your question; to "
    "ask further, reply to my answer.",
    "ru": "Здравствуйте! Я отвечаю на вопросы по документам, которые мне дали, и под каждым ответом показываю точные "
    "слова, которые его подтверждают.\n\nПросто напишите вопрос, например: «Сколько дней отпуска мне положено?» Потом "
    "можно спрашивать дальше: я помню, о чём речь.\n\nВ группе упомяните меня (@{username}) или напишите /ask и "
    "вопрос; чтобы уточнить, ответьте на моё сообщение.",
}
_ONLY_TEXT: dict[Language, str] = {
    "en": "I understand only text so far. Please write your question in words.",
    "ru": "Пока я понимаю только текст. Напишите, пожалуйста, вопрос словами.",
}
_ONLY_WORDS: dict[Language, str] = {
    "en": "I answer what you wrote under it; pictures and files themselves I cannot read here.",
    "ru": "Я отвечаю на подпись: сами картинки и файлы я здесь прочитать не могу.",
}


def hint(kind: HintKind, language: Language, username: str) -> str:
    """Return the sentence that helps somebody to ask."""
    match kind:
        case "help":
            return _HELP[language].format(username=username)
        case "only_text":
            return _ONLY_TEXT[language]
        case "only_words":
            return _ONLY_WORDS[language]
        case "empty":
            return phrase("empty", language)
