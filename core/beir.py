"""Documents, questions and judgements as BEIR lays them out: two files of JSON lines, one of tab-separated values."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from core.errors import IngestError

_COLUMNS = 3
# Grades are small numbers; what is longer was meant for another column.
_GRADE_LENGTH = 6


@dataclass(frozen=True, slots=True)
class Record:
    """A document or a question."""

    id: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Collection:
    """What is searched, what is asked, and for each question how relevant which documents are.

    `problems`: lines that could not be used, and ids that lead nowhere; the rest is whole.
    """

    documents: Mapping[str, Record]
    questions: Mapping[str, Record]
    grades: Mapping[str, Mapping[str, int]]
    problems: tuple[IngestError, ...] = ()


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a file, by the name under which it is spoken of."""

    name: str
    lines: Iterable[bytes]

    def numbered(self) -> Iterator[tuple[str, bytes]]:
        """Yield the lines that are not empty, each with where it stands."""
        for number, line in enumerate(self.lines, 1):
            if text := line.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else line.strip():
                yield f"{self.name}, line {number}", text


def read_collection(corpus: Lines, queries: Lines, qrels: Lines) -> Collection:
    """Return everything that can be read; never raises. Questions that nothing is relevant for are left out."""
    problems: list[IngestError] = []
    documents = _records(corpus, problems)
    questions = _records(queries, problems)
    grades = _grades(qrels, problems)
    problems += _strangers(qrels.name, documents, questions, grades)
    judged = {id_: given for id_, given in grades.items() if id_ in questions and any(n > 0 for n in given.values())}
    problems += [
        IngestError(queries.name, f"no relevant document is named for question {id_!r}, so it is not counted")
        for id_ in questions
        if id_ not in judged
    ]
    return Collection(documents, {id_: questions[id_] for id_ in judged}, judged, tuple(problems))


def _records(lines: Lines, problems: list[IngestError]) -> dict[str, Record]:
    found: dict[str, Record] = {}
    for where, line in lines.numbered():
        try:
            record = _record(where, line)
        except IngestError as error:
            problems.append(error)
            continue
        if record.id in found:
            problems.append(IngestError(where, f"the id {record.id!r} stands above already: the first one counts"))
        found.setdefault(record.id, record)
    return found


def _record(where: str, line: bytes) -> Record:
    try:
        known = json.loads(line)
    except (ValueError, RecursionError):
        known = None
    if not isinstance(known, dict):
        raise IngestError(where, 'is no JSON object: write {"_id": "…", "text": "…"} on one line')
    id_, text, title = (known.get(key, "") for key in ("_id", "text", "title"))
    if isinstance(id_, int) and not isinstance(id_, bool):
        id_ = str(id_)
    if not (isinstance(id_, str) and id_.strip()):
        raise IngestError(where, "has no _id: give it one")
    if not (isinstance(text, str) and isinstance(title or "", str) and (text + (title or "")).strip()):
        raise IngestError(where, "has no text: write some into it or remove it")
    return Record(_plain(id_).strip(), _plain(text), _plain(title or ""))


def _plain(text: str) -> str:
    """Return the text without halves of characters, which no file can hold."""
    return text.encode(errors="replace").decode()


def _grades(lines: Lines, problems: list[IngestError]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for number, (where, line) in enumerate(lines.numbered()):
        columns = [column.strip() for column in line.decode(errors="replace").split("\t")]
        grade = _grade(columns[-1]) if len(columns) == _COLUMNS else None
        if grade is not None:
            given = found.setdefault(columns[0], {})
            if given.setdefault(columns[1], grade) != grade:
                problems.append(IngestError(where, "judges a pair that stands above: the first judgement counts"))
        elif number or len(columns) != _COLUMNS:  # the first line may name the columns
            problems.append(IngestError(where, "is no judgement: write question, document and grade between tabs"))
    return found


def _grade(column: str) -> int | None:
    is_number = column.removeprefix("-").isdecimal() and len(column) <= _GRADE_LENGTH
    return int(column) if is_number else None


def _strangers(
    name: str,
    documents: Mapping[str, Record],
    questions: Mapping[str, Record],
    grades: Mapping[str, Mapping[str, int]],
) -> Iterator[IngestError]:
    """Yield the ids that the judgements name and no file holds."""
    for id_ in grades:
        if id_ not in questions:
            yield IngestError(name, f"judges the question {id_!r}, which is not among the questions")
    for id_ in dict.fromkeys(id_ for given in grades.values() for id_ in given):
        if id_ not in documents:
            yield IngestError(name, f"judges the document {id_!r}, which is not in the corpus: it counts as not found")
