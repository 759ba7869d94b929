"""A reply's actions, alike for every platform."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.telegram.body import MAX_CALLBACK_BYTES
from adapters.telegram.body import parts_of as telegram_parts
from core.buttons import SHORT, spelled_out, told
from core.press import button_of, read_button
from core.render import say
from core.reply import MAX_VALUE_BYTES, Action, RenderedReply

KINDS = st.sampled_from(["choose", "more", "why"])
VALUES = st.text(max_size=MAX_VALUE_BYTES).filter(lambda value: len(value.encode("utf-8", "ignore")) <= MAX_VALUE_BYTES)


def offering(*labels: str) -> RenderedReply:
    """Return a reply that offers these."""
    said = say("Which one do you mean?", "en")
    actions = tuple(Action("choose", label, str(number)) for number, label in enumerate(labels, 1))
    return RenderedReply(said.nodes, (), "en", actions)


def test_short_options_are_buttons_as_they_are() -> None:
    """What can be read on a button needs no other place."""
    reply = offering("Дмитрий Орлов", "Dmitry Petrov")

    assert reply == spelled_out(reply)
    assert "1. Дмитрий Орлов\n2. Dmitry Petrov" == told(reply)


def test_long_options_stand_in_the_text_and_their_numbers_on_the_buttons() -> None:
    """No word of an option is lost where a button cannot show it."""
    long = "How long does that take? (Сколько длится согласование отпуска в Порту?)"
    reply = spelled_out(offering("Short", long))

    assert f"2. {long}" == reply.nodes[2].line[0].text  # type: ignore[union-attr]
    assert ["1. Short", "2. How long does that take? (Скольк…"] == [action.label for action in reply.actions]
    assert all(len(action.label) <= SHORT for action in reply.actions)


@settings(derandomize=True, deadline=None)
@given(KINDS, VALUES.filter(lambda value: "\ud800" > value or value > "\udfff"))
def test_a_button_fits_into_what_telegram_brings_and_is_read_back(kind: str, value: str) -> None:
    """At most 64 bytes, in whatever alphabet, and the kind and the value come back as they were."""
    try:
        action = Action(kind, "x", value)  # type: ignore[arg-type]
    except UnicodeEncodeError:
        return
    pressed = button_of(action)

    assert 1 <= len(pressed.encode()) <= MAX_CALLBACK_BYTES
    assert (kind, value) == read_button(pressed)


@pytest.mark.parametrize("value", ["x" * 41, "я" * 21])
def test_a_value_that_telegram_could_not_bring_is_a_mistake(value: str) -> None:
    """It is refused where it is made, and not when the reply is to be sent."""
    with pytest.raises(ValueError, match="at most 40 bytes"):
        Action("more", "x", value)


@settings(derandomize=True, deadline=None, max_examples=50)
@given(st.lists(st.text(min_size=1, max_size=200).filter(str.strip), min_size=2, max_size=4))
def test_every_option_has_its_button_in_telegram(labels: list[str]) -> None:
    """Whatever the options are called, each can be pressed, under the last message of the answer."""
    *_, last = telegram_parts(offering(*labels))
    buttons = [button for row in last.body["keyboard"]["inline_keyboard"] for button in row]

    assert [f"choose:{n}" for n in range(1, len(labels) + 1)] == [button["callback_data"] for button in buttons]
    assert all(button["text"].strip() for button in buttons)
