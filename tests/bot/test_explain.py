"""`footnote explain`: how a question was understood and answered, for a person to read."""

import json
import re

import pytest

from tests.bot.terminal import footnote


@pytest.mark.usefixtures("handbook_data")
def test_a_follow_up_is_told_with_its_reason() -> None:
    """What it was read as and why, what was searched and read, what came of it, and the time of each step."""
    told = footnote("explain", "And who approves it?", "--after", "How many days a week may I work from home?")

    lines = told.out.splitlines()
    assert "It goes on from “How many days a week may I work from home?”: “it” stands for" in lines[1]
    assert re.search(r"^• Passages read: Remote work policy × \d", told.out, re.MULTILINE)
    assert re.fullmatch(r"• It took \d.*\.", lines[-1])


@pytest.mark.usefixtures("handbook_data")
def test_what_is_missing_is_told_in_the_askers_words() -> None:
    """The words of a question that stand nowhere in what was read are named as they were typed, in its language."""
    told = footnote("explain", "Сколько стоит аренда дирижабля?").out

    assert "Нигде в прочитанном нет: «аренда», «дирижабля»." in told
    assert "Найденного мало для ответа" in told


@pytest.mark.usefixtures("handbook_data")
@pytest.mark.parametrize("question", ["How many vacation days do I get?", "Кто главный в Лидсе?"])
def test_nothing_but_words_is_told(question: str) -> None:
    """No identifiers, scores or names of the program's own."""
    told = footnote("explain", question).out

    assert not re.search(r"\b(?:\w+_\w+|GENERAL|[0-9a-f]{8,}|[\w-]+\.md|0\.\d+)\b", told)


@pytest.mark.usefixtures("handbook_data")
def test_the_whole_result_is_printed_for_programs() -> None:
    """With --json it is the result contract, with the decision in it."""
    told = json.loads(footnote("explain", "When do those days expire?", "--after", "How many days?", "--json").out)

    assert "follow_up" == told["follow_up"]["decision"]


def test_without_an_index_it_says_what_to_do() -> None:
    """As every command does."""
    told = footnote("explain", "How many vacation days do I get?")

    assert 1 == told.status
    assert "footnote index FOLDER" in told.err
