"""The names of a corpus without its texts."""

from pathlib import Path

import pytest

from adapters.loaders import load_corpus
from core.entities import make_registry
from core.ingest.domain import read_domain
from core.ingest.graph import entities_of, with_names
from core.ingest.names import digest_of, named, registry_of

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize("example", ["handbook", "portfolio"])
def test_the_registry_is_that_of_the_documents(example: str) -> None:
    """Equal to what answering makes of the whole documents, in English and in Russian."""
    corpus = load_corpus(EXAMPLES / example)
    declared = read_domain(corpus.domain).entities
    documents = with_names(sorted(corpus.documents, key=lambda one: one.id), declared)
    whole = make_registry(entities_of(documents, declared))

    assert whole == registry_of([named(one) for one in reversed(corpus.documents)], declared)


def test_the_digest_tells_names_apart() -> None:
    """It does not depend on the order, nor on a text that names nothing."""
    corpus = [named(one) for one in load_corpus(EXAMPLES / "portfolio").documents]

    assert digest_of(corpus) == digest_of(reversed(corpus))
    assert digest_of(corpus) != digest_of(corpus[1:])
