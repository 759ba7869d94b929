"""Answers over an index of many scripts, and over one whose making was cut short: the same, word for word."""

import shutil
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import pytest_asyncio

from adapters.embedding.universal import UniversalEmbedder
from bot.index_run import indexed, indexer_of
from bot.indexing import collection_of
from bot.settings import Settings
from bot.wiring import opened
from tests.corpora import Company, company, shown, sources

PAGES = {
    "vpn.md": "# VPN\n\nThe gateway stands in Berlin. A key is valid for 90 days.\n",
    "отпуск.md": "# Отпуск\n\nСотруднику положено 27 дней отпуска. Заявление пишут за две недели.\n",
    "hebrew.md": "# חופשה\n\nלכל עובד מגיעים 23 ימי חופשה בשנה. את הבקשה מגישים למנהל שבועיים מראש.\n",
    "arabic.md": "# السفر\n\nيدفع المكتب ثمن تذكرة القطار. تُقَدَّم الفاتورة إلى قسم المحاسبة خلال 30 يوما.\n",
    "chinese.md": "# 会议室\n\n大会议室在三楼，可以坐十二个人。预订会议室请找前台。\n",
    "japanese.md": "# 駐車場\n\n駐車場の鍵は受付にあります。夜は十時に閉まります。\n",
    "korean.md": "# 출장\n\n출장 보고서는 돌아온 뒤 5일 안에 제출합니다. 영수증을 함께 냅니다.\n",
}
QUESTIONS = {
    "Where does the gateway stand?": "vpn.md",
    "Сколько дней отпуска положено сотруднику?": "отпуск.md",
    "כמה ימי חופשה מגיעים לעובד?": "hebrew.md",
    "متى تقدم الفاتورة إلى قسم المحاسبة؟": "arabic.md",
    "大会议室在几楼？": "chinese.md",
    "駐車場の鍵はどこにありますか": "japanese.md",
    "출장 보고서는 언제 제출합니까?": "korean.md",
}


@dataclass
class Watched:
    """The real encoder; before each call the data folder is copied, which is what a death at that moment leaves."""

    real: UniversalEmbedder
    data: Path
    left: list[Path] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.real.id

    @property
    def dimension(self) -> int:
        return self.real.dimension

    async def prepare(self) -> None:
        await self.real.prepare()

    async def embed(self, texts: Sequence[str], purpose: str = "passage") -> list[list[float]]:
        copy = self.data.with_name(f"{self.data.name} {len(self.left)}")
        self.left.append(Path(shutil.copytree(self.data, copy)))
        return await self.real.embed(texts, purpose)


async def index(folder: Path, data: Path, embedder: UniversalEmbedder | Watched) -> int:
    """Index the folder; return how many passages were made."""
    settings = Settings(FOOTNOTE_DATA_DIR=data, planner_model=(), answer_model=())  # type: ignore[call-arg]
    async with opened(settings) as fresh:
        stores = replace(fresh, embedder=embedder)
        indexer = indexer_of(stores, settings, lambda *_: None)
        report = await indexed(collection_of(folder), indexer, stores, settings)
    assert () == report.problems
    return report.counts["chunks"]


@dataclass(frozen=True)
class Office:
    """An indexed folder, and what deaths while it was indexed would have left."""

    folder: Path
    company: Company
    left: list[Path]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def office(tmp_path_factory: pytest.TempPathFactory, embedder: UniversalEmbedder) -> AsyncIterator[Office]:
    """Give a folder of pages in seven scripts, indexed page by page."""
    place = tmp_path_factory.mktemp("office")
    folder, data = place / "pages", place / "data"
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / name).write_text(text, "utf-8")
    watched = Watched(embedder, data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.ingest.rows.CHUNKS_AT_ONCE", 1)
        await index(folder, data, watched)
    async with company(data, embedder) as opened_:
        yield Office(folder, opened_, watched.left)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("question", "page"), QUESTIONS.items())
async def test_every_script_is_found(office: Office, question: str, page: str) -> None:
    """Whatever is written from right to left or without spaces is found by its words, and quoted."""
    record = await office.company.ask(question)

    assert sources(record) == [page]
    assert not record.answer.is_refusal


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("moment", [1, 3, 5])
async def test_a_run_that_died_and_went_on_answers_the_same(
    office: Office, embedder: UniversalEmbedder, moment: int
) -> None:
    """The data folder of any moment of a run is made whole by the next one: not a word of an answer differs."""
    left = office.left[moment]
    assert await index(office.folder, left, embedder) == len(PAGES)
    async with company(left, embedder) as again:
        for question in QUESTIONS:
            assert shown(await again.ask(question)) == shown(await office.company.ask(question))
