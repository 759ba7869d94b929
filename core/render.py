"""From a verified answer to the neutral tree: bullets, groups or a table above, numbered evidence below."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from core.answer import Answer, Citation, Claim
from core.conversation import Listed
from core.facts import Place
from core.phrases import phrase
from core.plan import Style
from core.reply import (
    Action,
    Bullets,
    Evidence,
    Line,
    Node,
    Note,
    Paragraph,
    RenderedReply,
    Table,
    Tasks,
    Text,
    plain,
    words_of,
)
from core.text import Language, Untrusted

_MAX_TABLE_COLUMNS = 6
_MIN_TABLE_ROWS = 2
# Older pages are mentioned, not told.
_MAX_OLDER, _MAX_OLDER_WORDS = 1, 160
# Addresses told under one place of a document.
_MOST_LEADS = 20
_BACKTICKS = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def render(answer: Answer, style: Style, listed: Listed | None = None) -> RenderedReply:
    """Return the reply: the claims in the style asked for, each with its footnotes, and the evidence once each.

    `listed`: the list that it shows the beginning of; one press shows more.
    """
    answer = replace(answer, claims=_together(answer.claims))
    numbers = numbered(answer)
    nodes: list[Node] = []
    if answer.is_refusal:
        nodes += _refusal(answer, numbers)
    else:
        nodes += _lead(answer)
        nodes += _body(answer.claims, style, numbers) if answer.claims else ()
        if answer.remaining:
            nodes.append(_said(phrase("more", answer.language, count=answer.remaining)))
        nodes += _older(answer, numbers)
        if answer.rejected:
            nodes.append(_said(phrase("unconfirmed", answer.language), quiet=True))
    if answer.notice:
        nodes.append(_said(answer.notice, quiet=True))
    evidence = tuple(
        _evidence(number, [c for c in numbers if numbers[c] == number], answer.language)
        for number in dict.fromkeys(numbers.values())
    )
    checks, is_refusal = _checked(answer), answer.is_refusal
    return RenderedReply(tuple(nodes), evidence, answer.language, _more(answer, listed), checks, is_refusal)


def say(text: str, language: Language) -> RenderedReply:
    """Return a reply of one sentence of our own, without evidence."""
    return RenderedReply((_said(text),), (), language)


def text_of(reply: RenderedReply) -> str:
    """Return the answer as plain text, footnote marks as superscript digits."""
    return "\n".join(line for node in reply.nodes for line in _lines(node))


def place_of(place: Place, language: Language = "en") -> str:
    """Return where in a document something stands: its headings, or its page."""
    parts = [plain(heading) for heading in place.headings]
    if place.page is not None:
        parts.append(phrase("page", language, page=place.page))
    return " › ".join(parts)


def numbered(answer: Answer) -> dict[Citation, int]:
    """Return the shown citations with their numbers: one place of a document is one entry (R-17)."""
    cited = [citation for claim in answer.claims for citation in claim.citations]
    cited += [*answer.older[:_MAX_OLDER], *answer.nearest]
    places: dict[tuple[str, Place], int] = {}
    return {
        citation: places.setdefault((citation.source.doc_id, citation.place), len(places) + 1) for citation in cited
    }


def _checked(answer: Answer) -> tuple[str, ...]:
    """Return how many of the statements hold, as verification counted them; nothing where none is made."""
    kept, left = len(answer.claims), len(answer.rejected)
    if answer.is_refusal or not kept:
        return ()
    name = ("confirmed_one" if kept == 1 else "confirmed_all") if not left else "confirmed_but_one"
    name = "confirmed_some" if left > 1 else name
    return (phrase(name, answer.language, kept=kept, all=kept + left, left=left),)


def _said(text: str, *, quiet: bool = False) -> Paragraph:
    return Paragraph((Text(text, "quiet" if quiet else "plain"),))


def _lead(answer: Answer) -> list[Node]:
    if answer.lead:
        return [_said(plain(Untrusted(answer.lead)))]
    titles = dict.fromkeys(citation.source.title for claim in answer.claims for citation in claim.citations)
    quoted = all(claim.verdict == "quoted" for claim in answer.claims)
    if quoted and len(titles) == 1 and not any(claim.group for claim in answer.claims):
        return [_said(phrase("from", answer.language, title=plain(Untrusted(next(iter(titles))))))]
    return []


def _older(answer: Answer, numbers: dict[Citation, int]) -> Iterator[Node]:
    """Yield in one quiet line what an older page says otherwise, or one of less authority."""
    most = max((one.source.authority for claim in answer.claims for one in claim.citations), default=0)
    for citation in answer.older[:_MAX_OLDER]:
        quote = plain(citation.quote)
        short = quote if len(quote) <= _MAX_OLDER_WORDS else quote[:_MAX_OLDER_WORDS].rsplit(" ", 1)[0] + "…"
        name = "older_says" if citation.source.authority >= most else "lesser_says"
        said = phrase(
            "draft_says" if citation.source.authority < 0 else name, answer.language, quote=short.rstrip(";, ")
        )
        yield Paragraph((Text(said, "quiet"), Note(numbers[citation])))


def _more(answer: Answer, listed: Listed | None) -> tuple[Action, ...]:
    if listed is None or not answer.remaining:
        return ()
    count = min(answer.remaining, listed.plan.limits.max_items)
    return (Action("more", phrase("show_more", answer.language, count=count), listed.key),)


def _refusal(answer: Answer, numbers: dict[Citation, int]) -> list[Node]:
    nodes: list[Node] = [_said(answer.lead or phrase("refusal", answer.language))]
    if answer.nearest:
        nodes += [] if answer.lead else [_said(phrase("nearest", answer.language))]
        told = [(Text(_row_in_words(plain(one.quote), one.columns)), Note(numbers[one])) for one in answer.nearest]
        nodes.append(Bullets(tuple(told)))
    return nodes


def _body(claims: tuple[Claim, ...], style: Style, numbers: dict[Citation, int]) -> Iterable[Node]:
    columns = claims[0].columns
    alike = len(claims) >= _MIN_TABLE_ROWS and all(claim.columns == columns for claim in claims)
    groups = {claim.group for claim in claims}
    if alike and 0 < len(columns) <= _MAX_TABLE_COLUMNS and len(groups) == 1:
        heading = [Paragraph((Text(plain(Untrusted(group)), "strong"),)) for group in groups if group]
        return [*heading, _table(claims, numbers)]
    if style is Style.SHORT:
        return [Paragraph(_line(claim, numbers)) for claim in claims]
    return _groups(claims, numbers)


def _groups(claims: tuple[Claim, ...], numbers: dict[Citation, int]) -> Iterable[Node]:
    for (group, is_code), members in groupby(claims, key=lambda claim: (claim.group, _is_code(claim))):
        heading = (Text(plain(Untrusted(group)), "strong"),) if group else None
        if not is_code:
            yield Bullets(tuple(_line(claim, numbers) for claim in members), heading)
            continue
        if heading:
            yield Paragraph(heading)
        yield from (Paragraph(_line(claim, numbers)) for claim in members)


def _is_code(claim: Claim) -> bool:
    """Return whether the claim is nothing but code of a document, whose lines are not to be touched."""
    return claim.verdict == "quoted" and bool(claim.citations) and all(one.is_code for one in claim.citations)


def _together(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Return the claims with those of one group side by side, so that footnotes count up as they are read."""
    groups = list(dict.fromkeys(claim.group for claim in claims))
    return tuple(sorted(claims, key=lambda claim: groups.index(claim.group)))


def _line(claim: Claim, numbers: dict[Citation, int]) -> Line:
    words = (Text(plain(Untrusted(claim.text)), "code"),) if _is_code(claim) else _coded(_worded(claim))
    return (*words, *_address(claim), *_notes(claim, numbers))


def _address(claim: Claim) -> tuple[Text, ...]:
    """Return the address behind a quote that is nothing but a link, as «GitHub» among contacts."""
    leads = [lead for one in claim.citations for lead in one.leads]
    if claim.verdict != "quoted" or len(leads) != 1 or leads[0][0] != _worded(claim):
        return ()
    return (Text(": "), Text(leads[0][1], "code"))


def _coded(text: str) -> tuple[Text, ...]:
    """Return the words with what stands between single backticks as code."""
    pieces = _BACKTICKS.split(text)
    return tuple(Text(piece, "code" if at % 2 else "plain") for at, piece in enumerate(pieces) if piece)


def _notes(claim: Claim, numbers: dict[Citation, int]) -> tuple[Note, ...]:
    return tuple(Note(number) for number in dict.fromkeys(numbers[citation] for citation in claim.citations))


def _worded(claim: Claim) -> str:
    """Return the claim's words; a single row of a table is told with its column names."""
    text = plain(Untrusted(claim.text))
    if not claim.columns:
        return text.rstrip(";, ")
    return _row_in_words(text, claim.columns)


def _row_in_words(text: str, columns: Sequence[str]) -> str:
    """Return a row of a table with the names of its columns; what is none, as it is."""
    if not columns:
        return text
    first, *rest = text.split(" | ")
    names = (plain(Untrusted(name)) for name in columns[1:])
    cells = [f"{name}: {cell}" if name else cell for name, cell in zip(names, rest, strict=False) if cell]
    return f"{first} — {', '.join(cells)}" if cells else first


def _table(claims: tuple[Claim, ...], numbers: dict[Citation, int]) -> Table:
    rows = []
    for claim in claims:
        cells: list[Line] = [(Text(cell),) for cell in plain(Untrusted(claim.text)).split(" | ")]
        cells[0] = (*cells[0], *_notes(claim, numbers))
        rows.append(tuple(cells))
    return Table(tuple(plain(Untrusted(name)) for name in claims[0].columns), tuple(rows))


def _evidence(number: int, citations: Sequence[Citation], language: Language) -> Evidence:
    source, place = citations[0].source, citations[0].place
    remarks = [phrase("outdated", language)] if source.superseded else []
    remarks += [phrase("draft", language)] if source.authority < 0 else []
    remarks += [phrase("confidential", language)] if "confidential" in source.labels else []
    quote, code = _quoted(citations)
    return Evidence(
        number=number,
        title=plain(Untrusted(source.title)),
        place=place_of(place, language) or source.doc_id,
        quote=quote,
        code=code,
        link=source.link,
        updated=phrase("updated", language, date=source.updated) if source.updated else None,
        remark=", ".join(remarks) or None,
        leads=tuple(dict.fromkeys(lead for one in _in_order(citations) for lead in one.leads))[:_MOST_LEADS],
    )


def _quoted(citations: Sequence[Citation]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the cited words of one place, a line each, and where in them code begins and ends."""
    quote, code = "", list[tuple[int, int]]()
    for words, is_code in _quotes(citations):
        quote += "\n" if quote else ""
        code += [(len(quote), len(quote) + len(words))] if is_code else []
        quote += words
    return quote, tuple(code)


def _quotes(citations: Sequence[Citation]) -> tuple[tuple[str, bool], ...]:
    """Return the cited words of one place in reading order, each with whether they are code.

    Those that a longer quote holds are left out.
    """
    ordered = _in_order(citations)
    whole = [c for c in ordered if not any(o.span != c.span and o.span.contains(c.span) for o in ordered)]
    return tuple({plain(citation.quote): citation.is_code for citation in whole}.items())


def _in_order(citations: Sequence[Citation]) -> list[Citation]:
    return sorted(citations, key=lambda citation: citation.span.start)


def _lines(node: Node) -> list[str]:
    match node:
        case Paragraph(line):
            return [words_of(line)]
        case Bullets(items, heading):
            return ([f"{words_of(heading)}:"] if heading else []) + [f"• {words_of(item)}" for item in items]
        case Table(header, rows):
            return [" | ".join(header)] + [" | ".join(words_of(cell) for cell in row) for row in rows]
        case Tasks(line=line):
            return [line]
