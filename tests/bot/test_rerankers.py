"""Which reranker and which engine the settings name."""

from pathlib import Path

import pytest

from adapters.llm.reranking import LiteLLMReranker
from bot.wiring import make_reranker, opened
from core.errors import ConfigError
from tests.bot.test_embedders import settings


def test_without_a_setting_nothing_reranks() -> None:
    """The search's own order stands."""
    assert make_reranker(settings()) is None


def test_a_reranker_of_a_provider() -> None:
    """It is known by its name."""
    made = make_reranker(settings(rerank_model="cohere/rerank-v3.5", rerank_api_key="ключ"))

    assert isinstance(made, LiteLLMReranker)
    assert "cohere/rerank-v3.5" == made.id


def test_a_folder_that_holds_no_reranker_is_refused(tmp_path: Path) -> None:
    """In a sentence, before anybody asks."""
    with pytest.raises(ConfigError, match=r"RERANK_FOLDER: .*reranker\.json.* --reranker"):
        make_reranker(settings(rerank_folder=tmp_path))


def test_two_rerankers_are_one_too_many(tmp_path: Path) -> None:
    """Nobody would know which one judged."""
    with pytest.raises(ConfigError, match="RERANK_MODEL and RERANK_FOLDER"):
        make_reranker(settings(rerank_model="cohere/x", rerank_folder=tmp_path))


@pytest.mark.parametrize(("named", "expected"), [({}, False), ({"lexical_engine": "lance"}, True)])
async def test_words_are_searched_where_the_setting_says(
    tmp_path: Path, named: dict[str, str], *, expected: bool
) -> None:
    """In memory unless LanceDB is named."""
    async with opened(settings(FOOTNOTE_DATA_DIR=tmp_path, **named)) as stores:
        assert expected is stores.index.full_text
