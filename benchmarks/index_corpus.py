"""A folder of made-up documents in English and Russian for the benchmark of index runs, alike for one seed."""

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

SECTIONS = 6
_NOUNS = {
    "en": "gateway invoice report server budget key release ticket vendor policy meeting backup office laptop contract "
    "deadline dashboard pipeline database customer queue printer schedule form account region router guide".split(),
    "ru": "шлюз счёт отчёт сервер бюджет ключ релиз заявка поставщик правило встреча копия офис ноутбук договор срок "
    "панель конвейер база клиент очередь принтер расписание форма запись регион маршрут руководство".split(),
}
_VERBS = {
    "en": "checks opens sends closes updates moves signs reviews restores counts prints orders plans tests".split(),
    "ru": "проверяет открывает отправляет закрывает обновляет переносит подписывает смотрит считает заказывает".split(),
}
_WHEN = {
    "en": "every morning|before the release|after the review|on Fridays|within two days|twice a year".split("|"),
    "ru": "каждое утро|перед выпуском|после проверки|по пятницам|за два дня|дважды в год".split("|"),
}
_PEOPLE = "Ada Lovelace|Ivan Petrov|Мария Смирнова|Олег Кузнецов|Grace Hopper|Anna Schmidt".split("|")
_HEADINGS = {
    "en": "Overview|How it works|Who is responsible|Limits|Steps|Contacts".split("|"),
    "ru": "Обзор|Как это работает|Кто отвечает|Ограничения|Шаги|Контакты".split("|"),
}


def write_corpus(folder: Path, documents: int, sections: int = SECTIONS, seed: int = 7) -> None:
    """Write so many documents of so many sections, every second one in Russian, a hundred to a folder."""
    for number in range(documents):
        path = folder / f"{number // 100:03}" / f"page-{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(number, sections, seed), encoding="utf-8")


def page(number: int, sections: int = SECTIONS, seed: int = 7) -> str:
    """Return one document: up to six sections of about 400 characters, the fifth a list and the sixth a table."""
    chance = random.Random(f"{seed}/{number}")  # noqa: S311 - the same every time, and nothing secret
    language = ("en", "ru")[number % 2]
    noun = chance.choice(_NOUNS[language])
    return (
        f"# {noun.capitalize()} {number}\n\n"
        + "\n\n".join(islice(_sections(language, chance, number), sections))
        + "\n"
    )


def _sections(language: str, chance: random.Random, number: int) -> Iterator[str]:
    for place, heading in enumerate(_HEADINGS[language]):
        match place:
            case 4:
                body = "\n".join(f"- {sentence(language, chance)}" for _ in range(4))
            case 5:
                rows = [f"| {chance.choice(_PEOPLE)} | room {chance.randrange(90)} |" for _ in range(3)]
                body = "\n".join(("| Who | Where |", "|---|---|", *rows))
            case _:
                body = " ".join(sentence(language, chance) for _ in range(6))
        yield f"## {heading}\n\n{body}" + (f" Code {language.upper()}-{number}." if place == 0 else "")


def sentence(language: str, chance: random.Random) -> str:
    """Return a sentence of some 70 characters with a name or a number now and then."""
    first, second = (chance.choice(_NOUNS[language]) for _ in range(2))
    who = chance.choice(_PEOPLE)
    when, verb = chance.choice(_WHEN[language]), chance.choice(_VERBS[language])
    number = chance.randrange(1_000)
    if language == "en":
        return f"{who} {verb} the {first} of the {second} {number} {when}."
    return f"{who} {verb} {first} и {second} {number} {when}."
