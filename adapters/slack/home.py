"""The Home tab: what the bot knows, how to ask, what it is known to answer, and for administrators its latest week.

docs.slack.dev/reference/views/home-tab-views: up to 100 blocks; what is shown here stays far below that.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from adapters.slack import rich_text
from adapters.slack.rich_text import Json
from core.feedback import reason_in_words
from core.kinds import known_kind, word_for
from core.phrases import dollars, phrase
from core.text import Language, clean
from core.visiting import Day, Introduction, Week

VIEW_BLOCKS = 100
_MOST_KINDS, _MOST_QUESTIONS = 12, 10
_LINE_CHARS = 200
_BARS = 20
# The kind of a page that says none.
_PLAIN = "document"
_CUT = "…"


def home_view(shown: Introduction, bot: str, language: Language) -> Json:
    """Return the view for one person, in their language; `bot` is the user that people mention."""
    blocks = [*_known(shown, language), *_how(bot, language), *_questions(shown.questions, language)]
    if shown.week:
        blocks += _week(shown.week, language)
    return rich_text.whole({"type": "home", "blocks": blocks[:VIEW_BLOCKS]})


def closed_view(objection: str, language: Language) -> Json:
    """Return the view for somebody who is not answered: the sentence why, by its name."""
    return {"type": "home", "blocks": [_text(phrase(objection, language))]}


def _known(shown: Introduction, language: Language) -> Iterator[Json]:
    yield _header(phrase("home_knows", language))
    if not shown.documents:
        yield _text(phrase("home_nothing", language))
        return
    kinds = sorted(_called(shown.kinds, language).items(), key=lambda each: (-each[1], each[0]))[:_MOST_KINDS]
    listed = ", ".join(f"{kind} {count}" for kind, count in kinds)
    name = "home_documents" if listed else "home_documents_alike"
    yield _text(phrase(name, language, count=shown.documents, kinds=listed))
    if shown.built_at:
        yield _quiet(phrase("home_built", language, at=f"{shown.built_at:%Y-%m-%d %H:%M} UTC"))


def _called(kinds: Mapping[str, int], language: Language) -> Counter[str]:
    """Return how many there are of each kind, by its word in the language; that of plain pages says nothing."""
    counts = Counter[str]()
    for kind, count in kinds.items():
        known = known_kind(kind)
        if known != _PLAIN:
            counts[clean(word_for(known or kind, language))] += count
    return counts


def _how(bot: str, language: Language) -> Iterator[Json]:
    yield _header(phrase("home_how", language))
    mention: Json = {"type": "user", "user_id": bot}
    items = [
        [mention, *rich_text.text(" " + phrase("home_mention", language))],
        rich_text.text(phrase("home_direct", language)),
        rich_text.text(phrase("home_ask", language)),
        rich_text.text(phrase("home_shortcut", language)),
    ]
    yield _bullets(items)


def _questions(questions: Sequence[str], language: Language) -> Iterator[Json]:
    if questions:
        yield _header(phrase("home_try", language))
        yield _bullets(rich_text.text(_cut(question)) for question in questions[:_MOST_QUESTIONS])
        yield _quiet(phrase("home_tried", language))


def _week(week: Week, language: Language) -> Iterator[Json]:
    yield {"type": "divider"}
    yield _header(phrase("home_week", language))
    yield _chart(week, language)
    if any(day.answered or day.refused for day in week.days):
        yield _quiet(phrase("home_days", language, days="; ".join(_in_words(day, language) for day in week.days)))
    answered, refused = sum(day.answered for day in week.days), sum(day.refused for day in week.days)
    cost = sum(day.cost for day in week.days)
    yield _text(phrase("home_sums", language, answered=answered, refused=refused, cost=dollars(cost, language)))
    yield _text(phrase("home_health", language, waiting=week.waiting, problems=week.problems))
    if week.unanswered:
        yield _text(phrase("home_unanswered", language), bold=True)
        yield _bullets(rich_text.text(_cut(question)) for question in week.unanswered)
    if week.complaints:
        yield _text(phrase("home_complaints", language), bold=True)
        yield _bullets(
            rich_text.text(_cut(f"{each.question} — {_reason(each.reason, language)}")) for each in week.complaints
        )
    yield _quiet(phrase("home_private", language))


def _reason(reason: str | None, language: Language) -> str:
    return reason_in_words(reason, language) if reason else phrase("home_no_reason", language)


def _chart(week: Week, language: Language) -> Json:
    """Return the days as bars of characters: what was answered solid, what was not hollow, never less than one each."""
    most = max(1, *(day.answered + day.refused for day in week.days)) if week.days else 1
    day, answered, refused = (phrase(f"home_{name}", language) for name in ("day", "answered", "not"))
    lines = [f"{day}   █ {answered}   ░ {refused}"]
    for each in week.days:
        bar = "█" * _length(each.answered, most) + "░" * _length(each.refused, most)
        lines.append(f"{each.day:%m-%d}  {bar:<{_BARS + 2}} {each.answered + each.refused}")
    return {"type": "rich_text", "elements": [rich_text.preformatted("\n".join(lines))]}


def _in_words(day: Day, language: Language) -> str:
    """Return what a bar shows for those to whom characters are read aloud."""
    return phrase("home_on_day", language, day=f"{day.day:%m-%d}", answered=day.answered, refused=day.refused)


def _length(count: int, most: int) -> int:
    return max(1, round(_BARS * count / most)) if count else 0


def _header(said: str) -> Json:
    return {"type": "header", "text": {"type": "plain_text", "text": said, "emoji": False}}


def _text(said: str, *, bold: bool = False) -> Json:
    return {"type": "rich_text", "elements": [rich_text.section(rich_text.text(said, bold=bold))]}


def _quiet(said: str) -> Json:
    return {"type": "context", "elements": [{"type": "plain_text", "text": said, "emoji": False}]}


def _bullets(items: Iterable[Sequence[Json]]) -> Json:
    sections = [rich_text.section(parts) for parts in items]
    return {"type": "rich_text", "elements": [{"type": "rich_text_list", "style": "bullet", "elements": sections}]}


def _cut(said: str) -> str:
    line = " ".join(clean(said).split()) or _CUT
    return line if len(line) <= _LINE_CHARS else line[: _LINE_CHARS - 1] + _CUT
