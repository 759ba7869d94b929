"""Buttons: what a press brings, who pressed, what the reply offers, and what comes of it."""

from dataclasses import dataclass
from typing import get_args

from core.conversation import Audience, Clarification, MessageRef, Pressed, Reading
from core.reply import Action, ActionKind, RenderedReply
from core.text import Language

# What the button brings that stops an answer in the making, before a colon and the number of what asked.
HALT = "halt"


@dataclass(frozen=True, slots=True)
class Alone:
    """That a press is of something which only the presser sees.

    `message`: what a question that it asks has for its message, to be answered to them alone; `aloud`: for everybody
    who reads there, which is `everyone`.
    """

    message: str
    aloud: str
    everyone: Audience


@dataclass(frozen=True, slots=True)
class Press:
    """A button of ours that a person pressed, the message it stands in, and everybody who reads there.

    `by` is the person with their platform and workspace; `id` is the same when one press is told of twice; `reads` the
    language that they have chosen on the platform, if they have. `at_door`: it is not known yet whether they may ask.
    """

    button: str
    message: MessageRef
    person: str
    audience: Audience
    by: str = ""
    id: str = ""
    alone: Alone | None = None
    reads: Language | None = None
    at_door: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """What the reply to a question offers; `text` is the question, `root` what its reply stands under besides.

    `in_full`: what the question asks without what came before it.
    """

    question: str
    thread: str
    root: str | None
    text: str
    actions: tuple[Action, ...]
    unclear: Clarification | None = None
    in_full: str = ""

    def action(self, kind: ActionKind, value: str) -> Action | None:
        """Return the action that is offered by this kind and value, or None for one that is not any more."""
        return next((each for each in self.actions if (each.kind, each.value) == (kind, value)), None)

    def asked_by(self, action: Action) -> tuple[str, Pressed | None]:
        """Return the question that the action asks, in full, and that it was the action that asked it."""
        match action.kind:
            case "choose" | "more" as kind:
                reading = self._reading(action)
                entities = reading.entities if reading else ()
                text = reading.question if reading else action.label
                return text, Pressed(kind, action.value, self.question, entities)
            case _:
                return action.label, None

    def _reading(self, action: Action) -> Reading | None:
        choices = [each for each in self.actions if each.kind == "choose"]
        readings = self.unclear.readings if self.unclear else ()
        return next((one for each, one in zip(choices, readings, strict=False) if each == action), None)


@dataclass(frozen=True, slots=True)
class Heard:
    """The press did something; `reply` is for the one who pressed alone, `passing`: nobody need confirm it."""

    reply: RenderedReply | None = None
    passing: bool = False


@dataclass(frozen=True, slots=True)
class OutOfDate:
    """The button means nothing any more; `said`: the sentence of ours that tells so."""

    said: str = "out_of_date"


PressOutcome = Heard | OutOfDate


def button_of(action: Action) -> str:
    """Return what the action's button brings when it is pressed: at most 47 bytes."""
    return f"{action.kind}:{action.value}"


def read_button(button: str) -> tuple[ActionKind, str] | None:
    """Return the kind and the value of the action whose button brings this, or None for another button."""
    kind, colon, value = button.partition(":")
    known: ActionKind | None = next((each for each in get_args(ActionKind) if each == kind), None)
    return (known, value) if known and colon else None
