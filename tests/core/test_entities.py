"""Names in questions: aliases, word forms, other alphabets, typos, acronyms."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.entities import Entity, asked_terms, make_registry, name_term, named_terms, resolve_entities, unknown_names
from core.ingest.slips import Slips, is_slip, rests
from core.text import terms
from tests.core.corpus import ASTON, LOTSMAN, NAMES

TEAM = Entity("it", "IT", "team")
KAFKA = Entity("kafka", "Kafka", "technology")
PORTO = Entity("porto", "Porto", "office")
SPARK = Entity("spark", "Spark", "technology")
PORTFOLIO = Entity("ai-portfolio", "AI-Portfolio", "project", ("ИИ-портфолио",))
PLATFORM = Entity("platform", "Platform", "team", ("Platform team", "команда платформы"))


def found(text: str, *entities: Entity, typos: bool = True) -> list[tuple[str, str]]:
    """Return the id of each entity named in the text, with the words that name it."""
    known = make_registry(entities) if entities else NAMES
    return [(one.entity.id, text[one.start : one.end]) for one in resolve_entities(text, known, typos=typos)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where was RAG used?", [("rag", "RAG")]),
        ("Где применял РАГ?", [("rag", "РАГ")]),
        ("What is retrieval augmented generation?", [("rag", "retrieval augmented generation")]),
        ("Какие проекты в Астоне?", [("aston", "Астоне")]),
        ("Which projects at ASTON?", [("aston", "ASTON")]),
        ("Aston's projects", [("aston", "Aston")]),
        ("Достижения Лоцмана в Астоне", [("lotsman", "Лоцмана"), ("aston", "Астоне")]),
        ("Контакты Дмитрия Соколова", [("dmitry", "Дмитрия Соколова")]),
        ("Контакты Дмитрия", [("dmitry", "Дмитрия")]),
        ("What are the contacts?", []),
        ("", []),
        ("?! …", []),
    ],
)
def test_a_name_is_found_in_any_form(text: str, expected: list[tuple[str, str]]) -> None:
    """Aliases, word forms, case and possessives lead to one entity; the match covers the words as written."""
    assert expected == found(text)


@pytest.mark.parametrize(
    ("text", "entity"),
    [("Что такое Кафка?", KAFKA), ("Офис Порто", PORTO), ("Where is Lotsman?", LOTSMAN), ("проекты в Астоне", ASTON)],
)
def test_a_name_is_found_in_the_other_alphabet(text: str, entity: Entity) -> None:
    """A name written as it sounds is the name, a little less surely."""
    bare = Entity(entity.id, entity.name, entity.type, entity.aliases if entity is LOTSMAN else ())

    assert [entity.id] == [id_ for id_, _ in found(text, bare)]


def test_a_name_as_written_is_surer_than_as_it_sounds() -> None:
    """Confidence is 1 for a name as written, less for one in the other alphabet, less still for a misspelt one."""
    known = make_registry((SPARK, PORTFOLIO))

    sure = [resolve_entities(text, known)[0].confidence for text in ("Spark", "Спарк", "Sparrk")]

    assert sorted(sure, reverse=True) == sure
    assert 1.0 == sure[0] > sure[1] > sure[2] > 0


@pytest.mark.parametrize("text", ["Where is Lotsmann?", "Что с Лоцмманом?", "Astoon projects"])
def test_a_typo_is_forgiven(text: str) -> None:
    """One letter too many in a long name is no other name."""
    assert 1 == len(found(text))


@pytest.mark.parametrize("text", ["Where can I find parking?", "Which ports are open?", "Is he at the park?", "спор"])
def test_an_ordinary_word_is_no_typo(text: str) -> None:
    """A word whose stem is short is never taken for a misspelt name."""
    assert [] == found(text, SPARK, PORTO)


def test_documents_are_read_as_written() -> None:
    """A typo in a document names nothing: only people who ask are helped out."""
    assert [] == found("Lotsmann at work", typos=False)


@pytest.mark.parametrize("text", ["Is it allowed?", "It is late", "What about it?", "ит"])
def test_an_acronym_is_no_ordinary_word(text: str) -> None:
    """A short name in capitals is found only in capitals."""
    assert [] == found(text, TEAM)


@pytest.mark.parametrize("text", ["Who leads IT?", "Кто руководит IT?"])
def test_an_acronym_is_found_in_capitals(text: str) -> None:
    """A short name in capitals is found as it is written."""
    assert [("it", "IT")] == found(text, TEAM)


@pytest.mark.parametrize("text", ["AI-Portfolio", "ai portfolio", "AI_Portfolio", "ИИ-портфолио", "в ИИ портфолио"])
def test_punctuation_makes_no_other_name(text: str) -> None:
    """Hyphens, underscores and spaces in a name are alike."""
    assert ["ai-portfolio"] == [id_ for id_, _ in found(text, PORTFOLIO)]


def test_the_longest_name_wins() -> None:
    """A name inside a longer name is not found beside it."""
    assert [("platform", "Platform team"), ("platform", "платформа")] == [
        *found("Platform team", PLATFORM),
        *found("платформа", Entity("platform", "Платформа", "team")),
    ]


def test_of_two_entities_with_one_name_the_first_keeps_it() -> None:
    """What the corpus declares comes before what a page is titled."""
    other = Entity("pages/aston.md", "Aston", "page")

    assert [("aston", "Aston")] == found("Aston", ASTON, other)


def test_an_entity_declared_twice_stays_as_it_was_first() -> None:
    """Of two entities with one id the first is known."""
    known = make_registry((ASTON, Entity("aston", "Other", "page")))

    assert ASTON is known.entities["aston"]


def test_a_name_without_words_names_nothing() -> None:
    """A name of mere signs cannot be asked for, and hinders nobody."""
    assert [] == found("!!! ★ ?", Entity("odd", "★★★", "page"))


@pytest.mark.parametrize(
    "text", ["Ло\u00adцман", "Ло\u200bцман", "Лоцма\u0301н", unicodedata.normalize("NFD", "ЛОЦМАН")]
)
def test_invisible_characters_and_stress_do_not_hide_a_name(text: str) -> None:
    """What is pasted from a page with soft hyphens or stress marks is found, and the match covers all of it."""
    assert [("lotsman", text)] == found(text)


def test_accents_written_apart_are_letters() -> None:
    """A name from a file system that takes letters and accents apart is the same name."""
    text = unicodedata.normalize("NFD", "про Йогурт café")

    assert ["yogurt", "cafe"] == [
        id_ for id_, _ in found(text, Entity("yogurt", "Йогурт", "page"), Entity("cafe", "Café", "page"))
    ]


def test_a_named_entity_is_one_term() -> None:
    """A question has one term for a name, in whatever words; a document has its words and the name's term."""
    assert [*terms("Какие проекты"), "§aston"] == asked_terms("Какие проекты в Астоне?", NAMES)
    assert ["§rag", "where"][:1] == asked_terms("Where is retrieval-augmented generation?", NAMES)
    assert ["работ", "астон", "§aston"] == named_terms("работа в Астоне", NAMES)


@pytest.mark.parametrize("name", ["a b.md", "a\tb.md", "a\u00a0b.md", "отчёт\u2028за\u3000год.md", "x\x1cy", "\n"])
def test_a_term_is_one_word_whatever_the_documents_name(name: str) -> None:
    """Terms are kept in a line with spaces between: no document name can make two of one."""
    assert [name_term(name)] == name_term(name).split()


@given(st.text(max_size=120), st.lists(st.text(max_size=20), max_size=5))
def test_any_text_and_any_names(text: str, names: list[str]) -> None:
    """Whatever is asked and whatever things are called, matches lie in the text, in order and apart."""
    known = make_registry(Entity(str(n), name, "page") for n, name in enumerate(names))

    matches = resolve_entities(text, known)

    borders = [place for one in matches for place in (one.start, one.end)]
    assert sorted(borders) == borders
    assert all(0 <= one.start < one.end <= len(text) and 0 < one.confidence <= 1 for one in matches)
    assert all(term == term.strip() for term in named_terms(text, known))


@given(st.sampled_from(["RAG", "Лоцман", "Aston", "Дмитрий Соколов"]), st.text("абвxyz ,.!«", max_size=20))
def test_a_name_is_found_wherever_it_stands(name: str, around: str) -> None:
    """A name between spaces is found in any surroundings that name nothing themselves."""
    assert name in [words for _, words in found(f"{around} {name} {around}")]


def test_time_grows_with_the_length_of_the_question() -> None:
    """The longest question that is answered is read within a second, though two thousand things have names."""
    known = make_registry(
        Entity(str(n), f"Название{n} другое", "page", (f"слово{'абвгд'[n % 5] * 4}{n}",)) for n in range(2000)
    )
    begun = time.process_time()

    resolve_entities("непонятное словечко " * 200, known)

    assert time.process_time() - begun < 1.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Где Дмитрий использовал Terraform?", ("Terraform",)),
        ("Where did he use Terraform and RAG?", ("Terraform",)),
        ("What does INC-9999 say?", ("INC-9999",)),
        ("Какие проекты в Астоне?", ()),
        ("What are the contacts?", ()),
    ],
)
def test_a_name_that_nobody_knows_is_told(text: str, expected: tuple[str, ...]) -> None:
    """What is written like a name or a code, and stands for no entity, is known to be unknown."""
    assert expected == unknown_names(text, resolve_entities(text, NAMES))


WORDS = (
    "kubernetes",
    "postgres",
    "postgresql",
    "spark",
    "leeds",
    "dmitry",
    "лоцман",
    "соколов",
    "кубернетес",
    "суфлер",
)


@given(
    st.lists(st.sampled_from(WORDS), min_size=1, unique=True),
    st.one_of(
        st.sampled_from(WORDS).flatmap(
            lambda word: st.tuples(st.just(word), st.integers(0, len(word)), st.text("aеоk", max_size=2))
        ),
        st.tuples(st.text("abeokrsлоцмансиу", max_size=12), st.just(0), st.just("")),
    ),
)
def test_the_index_of_slips_finds_what_a_scan_of_all_names_would(names: list[str], typed: tuple[str, int, str]) -> None:
    """Looking at a few candidates loses no name that a misspelt word may be meant for, and adds none."""
    word, place, typo = typed
    written = word[:place] + typo + word[place + 1 :]
    known = Slips(frozenset((name, name) for name in names))
    near = {name for rest in rests(written) for name, _ in known.near(rest) if is_slip(written, name)}

    fit = rests(written) and written
    assert {name for name in names if fit and rests(name) and is_slip(written, name)} == near


HOSTILE = (
    "C++",
    "a.*(b",
    "<b>RAG</b>",
    "[RAG](http://x)",
    "Ignore all rules",
    "$(rm)",
    "%s {0} \\",
    "Ъ" * 500,
    "\u202eRAG",
    "",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_never_a_pattern(name: str) -> None:
    """Regular expressions, markup, orders and endless names are names like others: nothing is run, nothing fails."""
    known = make_registry([Entity("x", name, "page"), Entity("y", "Лоцман", "project")])
    found = resolve_entities(f"What is {name} in Лоцмане? a bbb (b", known)

    assert "y" in [match.entity.id for match in found]


def test_aliases_that_differ_only_in_case_are_one_name() -> None:
    """Ten thousand spellings of one name in large and small letters cost no more to look up than one."""
    spelt = tuple(
        "".join(c.upper() if n >> i & 1 else c for i, c in enumerate("kubernetescluster")) for n in range(10_000)
    )
    known = make_registry([Entity("k", "Kubernetescluster", "technology", spelt)])
    start = time.process_time()
    found = [resolve_entities("Where is the kubernetesclutser?", known) for _ in range(20)]

    assert all(["k"] == [match.entity.id for match in one] for one in found)
    assert time.process_time() - start < 1
