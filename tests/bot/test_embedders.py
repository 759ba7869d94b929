"""Which encoder the settings name."""

from pathlib import Path
from typing import Any

import pytest

from adapters.embedding.universal import UniversalEmbedder
from adapters.llm.embedding import LiteLLMEmbedder
from bot.settings import Settings
from bot.wiring import make_embedder
from core.errors import ConfigError


def settings(**known: Any) -> Settings:
    """Return settings that name nothing else."""
    return Settings(_env_file=None, **known)  # type: ignore[call-arg]


def test_without_a_setting_the_built_in_encoder_is_used() -> None:
    """Nothing is needed to try it."""
    assert isinstance(make_embedder(settings()), UniversalEmbedder)


def test_a_model_of_a_provider() -> None:
    """Its name, its prefix and the wanted length are part of what the stored vectors depend on."""
    named = settings(embedding_model="openai/text-embedding-3-small", embedding_dimensions=256)
    prefixed = settings(embedding_model="openai/text-embedding-3-small", embedding_passage_prefix="отрывок: ")
    made = [make_embedder(each) for each in (named, prefixed)]

    assert [True, True] == [isinstance(one, LiteLLMEmbedder) for one in made]
    assert made[0].id != made[1].id
    assert "text-embedding-3-small" in made[0].id


def test_a_folder_that_holds_no_model_is_refused(tmp_path: Path) -> None:
    """In a sentence, before anything is indexed."""
    with pytest.raises(ConfigError, match=r"embedder\.json"):
        make_embedder(settings(embedding_folder=tmp_path))


def test_two_encoders_are_one_too_many(tmp_path: Path) -> None:
    """Nobody would know which one made the vectors."""
    with pytest.raises(ConfigError, match="EMBEDDING_MODEL and EMBEDDING_FOLDER"):
        make_embedder(settings(embedding_model="openai/x", embedding_folder=tmp_path))
