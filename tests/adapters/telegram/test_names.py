"""What people are called in what an administrator is told of them."""

import pytest

from core.conversation import Command
from core.reply import Bullets, Paragraph, RenderedReply, Text
from core.text import Language
from tests.adapters.telegram.scene import ANNA, BORIS, chatting
from tests.platforms.telegram import entity_texts

STRANGER = 4242
LINE = (Text("12:00 · "), Text(str(BORIS), about=f"telegram:{BORIS}"), Text(" · ok"))
OTHER = (Text(str(STRANGER), about=f"telegram:{STRANGER}"), Text(" · ok"))
ASKED = (Text("Of "), Text(f"telegram:{BORIS}", about=f"telegram:{BORIS}"), Text("?"))
GROUP = (Text("in "), Text("telegram:-5", about="telegram:-5"))


async def told(language: Language, *, name: str = "Boris", trouble: int | None = None) -> tuple[str, list[str]]:
    """Return what a command is answered that names Boris, a stranger and a group, and the words of it that are code."""

    async def done(_: Command) -> RenderedReply:
        return RenderedReply((Bullets((LINE, OTHER)), Paragraph(ASKED), Paragraph(GROUP)), (), language)

    async with chatting() as (tg, desk):
        tg.add_user(BORIS, name)
        desk.commanded = done  # type: ignore[method-assign, assignment]
        if trouble:
            tg.fail_next("getChat", status=trouble)
        await tg.say(ANNA, ANNA, "/log")
        [said] = await tg.wait_for_messages(ANNA, count=1)
    return said.text, [words for kind, words, _ in entity_texts(said) if kind == "code"]


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_people_are_named_with_their_number(language: Language) -> None:
    """By the number they can be forgotten; whom the bot has never met, and groups, are named by that alone."""
    text, _ = await told(language)

    assert text == f"• 12:00 · Boris ({BORIS}) · ok\n• {STRANGER} · ok\n\nOf Boris ({BORIS})?\n\nin telegram:-5"


@pytest.mark.parametrize("trouble", [400, 403, 429, 500])
async def test_without_a_name_the_number_does(trouble: int) -> None:
    """The list is not kept back for a name."""
    text, _ = await told("en", trouble=trouble)

    assert text.startswith(f"• 12:00 · {BORIS} · ok\n• {STRANGER} · ok")


@pytest.mark.parametrize(
    ("name", "shown", "dead"),
    [
        ("@everyone", "@everyone", ["@everyone", "@everyone"]),
        ("Anna\n(admin)\u202e", "Anna (admin)", []),
        ("Я" * 64, "Я" * 39 + "…", []),
    ],
)
async def test_a_name_is_only_words(name: str, shown: str, dead: list[str]) -> None:
    """Anybody can call themselves anything."""
    text, code = await told("ru", name=name)

    assert text.startswith(f"• 12:00 · {shown} ({BORIS}) · ok")
    assert dead == code
