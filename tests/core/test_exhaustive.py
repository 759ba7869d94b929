"""Who asks for everything gets all that was found, a few passages at a time, to the end."""

from dataclasses import replace

import pytest

from core.exhaustive import asks_for_all
from core.phrases import phrase
from core.render import text_of
from core.text import language_of
from tests.core.scenes import facts_of
from tests.core.test_followup_nothing import Searching
from tests.core.test_pipeline import Memory, ask, ports, question

VANS = "# Van handbook\n" + "".join(
    f"\n## Chapter {chapter}\n\n"
    + " ".join(
        f"Rule {rule} of chapter {chapter} says: vans of depot {chapter}{rule} are cleaned by {rule}:{chapter}0."
        for rule in range(1, 7)
    )
    + "\n"
    for chapter in range(1, 6)
)
PORT = "# Порт\n" + "".join(
    f"\n## Причал {number}\n\n"
    + " ".join(f"Разгрузка судов у причала {number} в смену {shift} ведёт {number}{shift}." for shift in range(1, 9))
    + "\n"
    for number in range(1, 6)
)


@pytest.mark.parametrize(
    ("page", "asked", "more"),
    [
        (VANS, "Tell me everything about cleaning of courier vans", "more"),
        (PORT, "Расскажи всё про разгрузку судов", "ещё"),
    ],
)
async def test_everything_is_told_to_the_end(page: str, asked: str, more: str) -> None:
    """The first answer says how much is left, and whoever asks for more gets it, until every sentence was shown."""
    facts = [
        replace(one, parts=tuple(replace(part, similarity=0.6) for part in one.parts)) for one in facts_of("a.md", page)
    ]
    given, language = ports(Searching(passages=facts), memory=Memory()), language_of(asked)
    record = await ask(given, question(asked))
    told, left = [claim.text for claim in record.answer.claims], record.answer.remaining
    assert (3, True) == (len(told), left > 3)
    assert phrase("more", language, count=left) in text_of(record.reply)
    for number in range(2, 9):
        record = await ask(given, question(more, number))
        told += [claim.text for claim in record.answer.claims]
        if not record.answer.remaining:
            break

    said = " ".join(told)
    assert left + 3 == len(told)
    assert all(sentence.split(" and ")[0][:40] in said for fact in facts for sentence in str(fact.text).split(". "))


@pytest.mark.parametrize(
    ("text", "all_"),
    [
        ("tell me everything about the port", True),
        ("What is all you know about Petra?", True),
        ("расскажи все о порте", True),
        ("Что всё, что ты знаешь про порт?", True),
        ("List all warehouses", False),
        ("Who approves all claims?", False),
        ("Все ли сотрудники получают премию?", False),
        ("Какие все склады?", False),
    ],
)
def test_who_asks_for_all_of_a_thing(text: str, all_: bool) -> None:  # noqa: FBT001 - a table
    """Not who asks for a list, or says "all" of something."""
    assert all_ is asks_for_all(text)
