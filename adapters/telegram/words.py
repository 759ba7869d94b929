"""What the bot says in Telegram about how to ask."""

from typing import Literal

from core.commands import menu
from core.phrases import phrase
from core.text import Language

HintKind = Literal["help", "only_text", "only_words", "empty"]


def commands(language: Language, *, admin: bool = False, pairs: bool = False) -> list[tuple[str, str]]:
    """Return the menu of commands: each with a sentence, those of everybody or also those of admins.

    `pairs`: there are people to be let in.
    """
    sentences = [("ask", phrase("ask_command", language))]
    sentences += [(verb.name, phrase(verb.sentence, language)) for verb in menu("telegram", admin=admin)]
    if admin and pairs:
        sentences.append(("pair", phrase("command_pair", language)))
    return [(name, said[:1].upper() + said[1:]) for name, said in sentences]


def hint(kind: HintKind, language: Language, username: str) -> str:
    """Return the sentence that helps somebody to ask."""
    name = "empty" if kind == "empty" else f"telegram_{kind}"
    return phrase(name, language, username=username)
