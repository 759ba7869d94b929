"""What is being done as Slack's own plan of tasks, and as lines where a workspace takes none.

docs.slack.dev/reference/block-kit/blocks/plan-block and task-card-block. Slack's own streams take tasks too, but a plan
stands in any message as well, and is changed with it.
"""

from adapters.slack import rich_text
from adapters.slack.rich_text import Json
from core.reply import Task, Tasks, TaskState

_STATUS: dict[TaskState, str] = {"waiting": "pending", "doing": "in_progress", "done": "complete"}
_SIGNS = {"pending": "○", "in_progress": "▸", "complete": "✓"}


def planned(tasks: Tasks) -> tuple[Json, ...]:
    """Return the tasks as blocks: the plan, and a note under it. Words in them are only ever words."""
    cards = [_card(number, task) for number, task in enumerate(tasks.tasks, 1)]
    plan = {"type": "plan", "title": tasks.title, "tasks": cards}
    return (plan, {"type": "context", "elements": [_plain(tasks.note)]}) if tasks.note else (plan,)


def in_lines(block: Json) -> Json:
    """Return a plan as a block that every Slack takes: its title, and a line for each task."""
    lines = [rich_text.section(rich_text.text(block["title"], bold=True))]
    lines += [rich_text.section(rich_text.text(_line(card))) for card in block["tasks"]]
    return {"type": "rich_text", "elements": lines}


def _plain(said: str) -> Json:
    return {"type": "plain_text", "text": said, "emoji": False}


def _card(number: int, task: Task) -> Json:
    card: Json = {"type": "task_card", "task_id": str(number), "title": task.title, "status": _STATUS[task.state]}
    if task.detail:
        section = rich_text.section(rich_text.text(task.detail))
        card["details"] = {"type": "rich_text", "elements": [section]}
    return card


def _line(card: Json) -> str:
    detail = "".join(rich_text.words(part) for part in card.get("details", {}).get("elements", ()))
    said = f"{_SIGNS[card['status']]} {card['title']}"
    return f"{said}: {detail}" if detail else said
