"""Scenes for what happens to an answer: facts cut from small pages, drafts on them, verified claims."""

from dataclasses import replace
from typing import Any

from core.answer import Abstain, Answer, Citation, Claim, Draft, DraftClaim, Pointer
from core.context import AnswerContext
from core.facts import Fact, Part, Place, Source, Span
from core.ingest.chunk import chunks_of, passages_in
from core.ingest.graph import place_in
from core.plan import Style
from core.text import Untrusted, language_of, terms
from core.verify import verify
from tests.core.corpus import page

LEAVE = """# Annual leave policy

## Entitlement

A full-time employee gets **27 working days** of paid vacation per calendar year. Public holidays come on top of that \
and are not deducted. After five full years of service you receive one extra day per year.

## Carrying days over

At most 5 days may be carried into the next year, and they lapse on 31 March. Give notice of at least twice the length \
of the absence: a one-week holiday is requested two weeks ahead.

## Busy periods

From 1 February to 15 April no more than two members of Field Operations may be away at the same time.
"""
EXPENSES = """# Expenses policy

## General rules

Submit a claim within 60 days of the purchase. Attach a receipt for every item above €15; a card statement is not a \
receipt. Owen Tressider approves claims above €2,500. If nobody answers, the request goes to the Head of People.

## What we pay

We reimburse, among other things:

- team meals up to €40 per person per quarter;
- professional books up to €60 each without prior approval;
- a mobile phone plan of up to €25 per month for people on the on-call rota.

## What we do not pay

- fines and parking tickets;
- alcohol, except one drink with a customer meal.

## Help

Ask your manager about anything else, or write to claims@quillfern.example.
"""
GATEWAY = """# Provision a gateway

Set GATEWAY_RETRY_LIMIT to 4 before the first start. Hanneke Vroomans signs the gateway off on Tuesday.
"""
ALOR = """# АЛОР

## Достижения

Результаты Дмитрия на проекте АЛОР:

- Снизил задержку раздачи котировок с 480 до 95 миллисекунд по 95-му процентилю.
- Увеличил пропускную способность шины событий с 3 000 до 18 000 сообщений в секунду.
- Перевёл 14 сервисов на PostgreSQL 13 без остановки торгов.
- Сократил ложные срабатывания модели контроля заявок на 37%.
- Сэкономил 2,1 млн рублей в год на серверах за счёт сжатия истории котировок.

## Трудности

Самым трудным оказался перенос таблицы заявок: 1,7 млрд строк. Её копировали 11 ночей подряд по частям. Откатывать \
перенос не пришлось ни разу.

## О проекте

Дмитрий Соколов работал на проекте с марта 2021 по февраль 2023 года. Команда насчитывала восемь разработчиков.
"""
RULES = """# Правила отпуска

## Сроки

Сотрудник получает 28 календарных дней отпуска в год. Заявление подают не позднее чем за 14 дней до начала отпуска. \
На следующий год можно перенести не более 5 дней, они сгорают 31 марта. Если никто не ответил, заявление уходит \
Анне Ветровой. Больничный лист присылают в понедельник.

## Что не оплачивается

- штрафы и парковка;
- алкоголь, кроме одного бокала на встрече с клиентом.
"""
PAGES = {
    "leave.md": LEAVE,
    "expenses.md": EXPENSES,
    "gateway.md": GATEWAY,
    "alor.md": ALOR,
    "rules.md": RULES,
}


def facts_of(name: str, markdown: str | None = None, **known: Any) -> tuple[Fact, ...]:
    """Return the facts of a page, cut as the index cuts it."""
    document = page(name, markdown or PAGES[name], title=None)
    document = replace(document, title=(markdown or PAGES[name]).splitlines()[0].removeprefix("# "), **known)
    facts = []
    for chunk in chunks_of(document):
        span = Span(chunk.start, chunk.end)
        parts = []
        for one in passages_in(chunk, document):
            index = next(i for i in chunk.blocks if document.blocks[i].start <= one.start < document.blocks[i].end)
            block = document.blocks[index]
            kind = "paragraph" if block.kind == "heading" else block.kind
            held = frozenset(terms(one.within(document.text)))
            parts.append(Part(one, kind, index, block.series, tuple(map(Untrusted, block.labels)), NEARBY, held))
        place = place_in(document.blocks[chunk.blocks[0]])
        text = Untrusted(span.within(document.text))
        facts.append(Fact(text, document.source(), span, chunk.id, place, tuple(parts)))
    return tuple(facts)


# A cosine at which a passage bears on what is asked.
NEARBY = 0.6
ENGLISH = (*facts_of("leave.md"), *facts_of("expenses.md"), *facts_of("gateway.md"))
RUSSIAN = (*facts_of("alor.md"), *facts_of("rules.md"))


# It asks in both languages, so that either may answer.
BOTH = "What do the documents say, что в документах?"


def context(*facts: Fact, question: str = BOTH, **known: Any) -> AnswerContext:
    """Return the context of a question with these facts, as many of each thing as anybody asks for."""
    made = AnswerContext(question, facts, language_of(question), Style.BULLETS, "factual", 10, 8, 3, 150)
    return replace(made, **known)


def holding(words: str, facts: tuple[Fact, ...] = ENGLISH + RUSSIAN) -> int:
    """Return the number of the first fact that holds the words."""
    return next(number for number, fact in enumerate(facts, 1) if words in fact.text)


def drafted(text: str, *quotes: str, group: str | None = None) -> Draft:
    """Return a draft of one claim on quotes from the pages, each from the fact that holds it."""
    evidence = tuple(Pointer(holding(quote), quote) for quote in quotes)
    return Draft((DraftClaim(text, evidence, group),), model="scripted")


def judged(draft: Draft, question: str = BOTH, *, last: bool = False) -> Answer:
    """Return the draft verified against all the pages."""
    return verify(draft, context(*ENGLISH, *RUSSIAN, question=question), last=last)


def abstained(*nearest: int) -> Draft:
    """Return a draft that found nothing but names facts to offer."""
    return Draft(abstain=Abstain(nearest))


def cited(
    quote: str, doc: str = "a.md", *, start: int = 0, title: str | None = None, place: Place | None = None, **known: Any
) -> Citation:
    """Return a citation by verifying the quote in a document that has it at a place."""
    source = replace(Source(doc, title or doc), **known)
    span = Span(start, start + len(quote))
    fact = Fact(Untrusted(quote), source, span, f"{doc}-0", place or Place())
    claim = DraftClaim(quote, (Pointer(1, quote),), verbatim=True)
    return verify(Draft((claim,)), context(fact)).claims[0].citations[0]


def stated(text: str, *citations: Citation, **known: Any) -> Claim:
    """Return a verified claim in words of its own, each on a document of its own unless it is given."""
    return replace(Claim(text, citations or (cited(f"“{text}”", f"{text}.md"),), "supported"), **known)


def answered(*claims: Claim, **known: Any) -> Answer:
    """Return a sure answer of these claims."""
    return replace(Answer(claims, "en", confidence=0.9, level="high"), **known)
