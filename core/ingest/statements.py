"""What a document states by its form: definitions, short names, people, dates, table rows, list items and links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.facts import Span
from core.ingest.acronyms import acronyms_in, full_name
from core.ingest.document import Block, Document
from core.text import all_terms, sentences, stem

LINKS_TO, DEFINES, ALIAS, DATED, HAS, LISTS = "LINKS_TO", "DEFINES", "ALIAS", "DATED", "HAS", "LISTS"
REPLACED_BY = "REPLACED_BY"
_MAIL = "mailto:"
_PEOPLE = {
    "OWNER": "owner owners maintainer maintainers responsible владелец владельцы ответственный ответственные",
    "LEAD": "lead leader manager head руководитель лид менеджер",
    "AUTHOR": "author authors автор авторы",
    "REVIEWER": "reviewer reviewed_by approver approved_by рецензент согласовал утвердил",
    "CONTACT": "contact contacts контакт контактное_лицо",
    "MEMBER": "members team_members участники команда",
}
_ROLES = {key.replace("_", " "): role for role, keys in _PEOPLE.items() for key in keys.split()}
BUILT_IN = frozenset((LINKS_TO, DEFINES, ALIAS, DATED, HAS, LISTS, REPLACED_BY, *_PEOPLE))
# What such a relation ties together are documents.
BETWEEN_DOCUMENTS = frozenset((LINKS_TO, REPLACED_BY))
# What such a relation leads to is words, never something that has a page or a name.
ENDING_IN_WORDS = frozenset((DEFINES, ALIAS, DATED, LISTS))
_GLOSSARY = frozenset(
    stem(word)
    for word in "glossary terms terminology abbreviations acronyms definitions dictionary vocabulary "
    "глоссарий термины терминология сокращения аббревиатуры определения словарь понятия".split()
)
_TERM_LABELS = frozenset(
    stem(word) for word in "term terms abbreviation acronym word термин сокращение аббревиатура понятие слово".split()
)
_STATED = re.compile(r"(?:^|(?<=· )|(?<=\| ))([^\W\d_][\w -]{0,30}?):[ ]+([^·|\n]{1,300}?)(?= [·|]|$)")
_EXPLAINED = re.compile(r"^([^.:;!?—–\n]{1,80}?)\s*(?::|—|–|\s-)\s+(?=\S)")
_PART = re.compile(r"[^,;]+")
_ASIDE = re.compile(r"\s*[<(].*$")
# In a running text "Team: six engineers" names nobody.
_PERSON = re.compile(r"[A-ZА-ЯЁ@][\w.'’-]*(?: [A-ZА-ЯЁ][\w.'’-]*){0,4}")
_ISO = re.compile(r"^(\d{4}-\d{2}(?:-\d{2})?)(?!\d)|^(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)")
_SPOKEN = re.compile(r"^(?:on\s+)?(\d{1,2})\s+([^\W\d_]{3})[^\W\d_]*\s+(\d{4})(?!\d)")
_UPDATED = re.compile(
    r"\b(last updated|updated|обновлено|последнее обновление):?\s+(?=[\w])([^\n]{8,24})", re.IGNORECASE
)
_MONTHS = {
    name: n % 12 + 1
    for n, name in enumerate(
        "jan feb mar apr may jun jul aug sep oct nov dec янв фев мар апр мая июн июл авг сен окт ноя дек".split()
    )
}
_LONGEST_LINE = 300


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing said at a span: `subject` and `object` in the document's words; no subject is the document itself.

    `label` is the column, the key or the heading; `parent` the block of the list item above.
    """

    relation: str
    subject: str
    object: str
    block: int
    span: Span
    label: str = ""
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class Naming:
    """A name that a document gives: a short form of a full name, or a term that its glossary explains."""

    full: str
    short: str = ""


def statements_of(document: Document) -> tuple[Statement, ...]:
    """Return what the document states, in reading order. A pure function of the document."""
    is_glossary = _speaks_of_terms(document.title)
    parents = _parents(document.blocks)
    return tuple(
        statement
        for n, block in enumerate(document.blocks)
        for statement in _stated(document.text, n, block, parents.get(n), is_glossary=is_glossary)
    )


def namings_of(document: Document, statements: tuple[Statement, ...]) -> tuple[Naming, ...]:
    """Return the names that the statements give: short forms, and the terms of a glossary."""
    is_glossary = _speaks_of_terms(document.title)
    found: dict[Naming, None] = {}
    for one in statements:
        block = document.blocks[one.block]
        if one.relation == ALIAS:
            found[Naming(one.subject, one.object)] = None
        elif one.relation == DEFINES and (is_glossary or _is_of_terms(block)):
            found[Naming(one.subject)] = None
    pairs = [(naming.full, naming.short) for naming in found if naming.short]
    # “AOG (Aircraft on Ground)” explains both names, and is none itself: in texts either would go unnoticed behind it.
    told = {name for full, short in pairs for name in (short, f"{short} ({full})", f"{full} ({short})")}
    return tuple(naming for naming in found if naming.short or naming.full not in told)


def _stated(text: str, n: int, block: Block, parent: int | None, *, is_glossary: bool) -> Iterator[Statement]:
    shown = block.span.within(text)
    heading = block.headings[-1] if block.headings else ""
    yield from _links(text, n, block)
    if block.kind == "code":
        return
    if block.kind == "item":
        yield Statement(LISTS, "", shown, n, block.span, heading, parent)
    if block.kind == "row":
        yield from _row(shown, n, block)
    if block.kind in ("field", "paragraph", "item", "quote"):
        yield from _fields(shown, n, block)
    if block.kind in ("paragraph", "item"):
        yield from _definition(shown, n, block, is_glossary=is_glossary or _is_of_terms(block))
    for full, short, start, _ in acronyms_in(shown):
        yield Statement(ALIAS, full, short, n, _sentence(shown, start, block))


def _links(text: str, n: int, block: Block) -> Iterator[Statement]:
    """Yield where the block leads: to a document, to the one that takes this one's place, or to somebody's letters."""
    key = block.span.within(text).partition(":")[0].casefold() if block.kind == "field" else ""
    for link in block.links:
        label = link.span.within(text)
        if link.target.casefold().startswith(_MAIL):
            yield Statement("CONTACT", "", label, n, link.span, key or "e-mail")
        elif key == "replaced by":
            yield Statement(REPLACED_BY, "", link.target, n, block.span, key)
        else:
            yield Statement(LINKS_TO, "", link.target, n, link.span, label)


def _sentence(shown: str, place: int, block: Block) -> Span:
    found = next(((start, end) for start, end in sentences(shown) if start <= place < end), (0, len(shown)))
    return Span(block.start + found[0], block.start + found[1])


def _row(shown: str, n: int, block: Block) -> Iterator[Statement]:
    first, *cells = shown.split(" | ")
    if first.strip() and cells and _is_term_label(block):
        yield Statement(DEFINES, first, cells[0], n, block.span, block.labels[0])
        if full := full_name(first, cells[0]):
            yield Statement(ALIAS, full, first, n, block.span)
    for label, cell in zip(block.labels[1:], cells, strict=False):
        if first.strip() and cell.strip() and label:
            yield Statement(HAS, first, cell.strip(), n, block.span, label)


def _fields(shown: str, n: int, block: Block) -> Iterator[Statement]:
    if len(shown) <= _LONGEST_LINE or block.kind == "field":
        for found in _STATED.finditer(shown):
            yield from _field(found[1], found[2], n, block)
    for found in _UPDATED.finditer(shown) if block.kind != "field" else ():
        if date := _date(found[2]):
            yield Statement(DATED, "", date, n, _sentence(shown, found.start(), block), found[1])


def _field(key: str, value: str, n: int, block: Block) -> Iterator[Statement]:
    folded = key.strip().casefold()
    if folded in _ROLES:
        for part in _PART.findall(re.sub(r" (?:and|и|&) ", ", ", value)):
            person = _ASIDE.sub("", part).strip(" .")
            if person and (block.kind == "field" or _PERSON.fullmatch(person)):
                yield Statement(_ROLES[folded], "", person, n, block.span, key.strip())
    elif block.kind == "field" and (date := _date(value.strip())):
        yield Statement(DATED, "", date, n, block.span, key.strip())


def _date(value: str) -> str:
    """Return the date at the beginning of the value as YYYY-MM-DD or YYYY-MM, or nothing."""
    if found := _ISO.match(value):
        return found[1] or f"{found[4]}-{int(found[3]):02}-{int(found[2]):02}"
    spoken = _SPOKEN.match(value)
    month = _MONTHS.get(spoken[2].casefold()) if spoken else None
    return f"{spoken[3]}-{month:02}-{int(spoken[1]):02}" if spoken and month else ""


def _definition(shown: str, n: int, block: Block, *, is_glossary: bool) -> Iterator[Statement]:
    explained = _EXPLAINED.match(shown[:_LONGEST_LINE]) if is_glossary and not block.term else None
    term = shown[: block.term] if block.term else explained[1] if explained else ""
    meaning = shown[len(term) :].lstrip(" :—–-")
    if not term.strip() or not meaning:
        return
    yield Statement(DEFINES, term.strip(), meaning, n, block.span)
    opening = re.split(r"[,.;(]", meaning, maxsplit=1)[0]
    if (full := full_name(term.strip(), opening)) and full == opening.strip():
        yield Statement(ALIAS, full, term.strip(), n, block.span)


def _is_of_terms(block: Block) -> bool:
    return any(map(_speaks_of_terms, block.headings[-1:])) or _is_term_label(block)


def _is_term_label(block: Block) -> bool:
    return bool(block.labels) and set(all_terms(block.labels[0])[:1]) <= _TERM_LABELS and bool(block.labels[0])


def _speaks_of_terms(title: str) -> bool:
    return not _GLOSSARY.isdisjoint(all_terms(title[:_LONGEST_LINE])[:4])


def _parents(blocks: tuple[Block, ...]) -> dict[int, int]:
    """Return for each nested item the block of the item that it stands under."""
    parents: dict[int, int] = {}
    above: list[int] = []
    for n, block in enumerate(blocks):
        if block.kind == "item":
            while above and blocks[above[-1]].depth >= block.depth:
                above.pop()
            if above:
                parents[n] = above[-1]
            above.append(n)
        elif block.depth == 0 or block.kind == "heading":
            above.clear()
    return parents
