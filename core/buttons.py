"""What every platform does alike with a reply's actions: long options are spelled out above short buttons."""

from dataclasses import replace

from core.reply import Action, Paragraph, RenderedReply, Text

# What a phone shows of a button's words in one line; longer options are listed, and numbered on their buttons.
SHORT = 36
_CUT = "…"


def spelled_out(reply: RenderedReply) -> RenderedReply:
    """Return the reply with buttons that can be read whole: options too long for that stand in the text, numbered."""
    choices = [action for action in reply.actions if action.kind == "choose"]
    if all(len(action.label) <= SHORT for action in choices):
        return reply
    listed = tuple(Paragraph((Text(f"{n}. {action.label}"),)) for n, action in enumerate(choices, 1))
    numbers = {action.value: n for n, action in enumerate(choices, 1)}
    actions = tuple(_numbered(each, numbers[each.value]) if each.kind == "choose" else each for each in reply.actions)
    return replace(reply, nodes=(*reply.nodes, *listed), actions=actions)


def told(reply: RenderedReply) -> str:
    """Return the options as lines of plain text, for those who hear a message or see no buttons."""
    choices = (action.label for action in reply.actions if action.kind == "choose")
    return "\n".join(f"{n}. {label}" for n, label in enumerate(choices, 1))


def _numbered(action: Action, number: int) -> Action:
    label = f"{number}. {action.label}"
    return replace(action, label=label if len(label) <= SHORT else label[: SHORT - 1].rstrip() + _CUT)
