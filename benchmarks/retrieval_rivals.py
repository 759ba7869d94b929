"""The same questions over the same texts and vectors, asked of other libraries' hybrid retrievers as they come.

Each keeps texts and vectors in memory, searches by BM25 and by vector for ten each, and fuses them by rank.
Those that are to be measured are installed by hand: nothing else needs them.
"""

import gc
import importlib.util
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import Figures, percentile
from benchmarks.retrieval_corpus import Asked, Documents
from core.ingest.chunk import chunks_of

TOP = 10
QUERIES = 15  # a question takes seconds in some of them


@dataclass(frozen=True)
class Corpus:
    """Texts with their ids and vectors, and the vectors of the questions."""

    ids: list[str]
    texts: list[str]
    vectors: NDArray[np.float32]
    questions: dict[str, list[float]] = field(default_factory=dict)


Ask = Callable[[str], list[str]]


def beside(documents: Documents, asked: Sequence[Asked], ours: Figures) -> Figures:
    """Return the figures of each library that is installed, and how many times as fast ours are."""
    from benchmarks.retrieval import judged

    corpus = corpus_of(documents, asked)
    figures: Figures = {}
    for name, (packages, opened) in RIVALS.items():
        missing = [package for package, module in packages.items() if not _is_there(module)]
        if missing:
            figures[name] = f"not installed: pip install {' '.join(missing)}"
            continue
        begun = time.perf_counter()
        ask = opened(corpus)
        built = time.perf_counter() - begun
        ask(asked[0].query.text)
        walls, cpus, found = [], [], []
        for one in asked[:QUERIES]:
            wall, cpu = time.perf_counter(), time.process_time()
            found.append(ask(one.query.text))
            walls.append((time.perf_counter() - wall) * 1e3)
            cpus.append((time.process_time() - cpu) * 1e3)
        times = {"p50": percentile(walls, 0.5), "p95": percentile(walls, 0.95), "cpu p50": percentile(cpus, 0.5)}
        faster = {key: times[key] / ours["find ms"][key] for key in times}
        figures[name] = {
            "build s": built,
            "query ms": times,
            "ours is so many times as fast": faster,
            "quality": judged(found, asked[:QUERIES]),
        }
        del ask
        gc.collect()
    return {"beside other libraries": figures}


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package above it is missing
        return False


def corpus_of(documents: Documents, asked: Sequence[Asked]) -> Corpus:
    """Return all chunks; the others have no readers, so they search what ours leaves out, too."""
    ids, texts, vectors = [], [], []
    for number, document in enumerate(documents.values()):
        for chunk in chunks_of(document):
            ids.append(chunk.id)
            texts.append(document.text[chunk.start : chunk.end])
        vectors.append(documents.vectors(number))
    return Corpus(ids, texts, np.concatenate(vectors), {one.query.text: one.vector.tolist() for one in asked})


def langchain(corpus: Corpus) -> Ask:
    """Return EnsembleRetriever over BM25Retriever and InMemoryVectorStore."""
    from langchain_classic.retrievers import EnsembleRetriever
    from langchain_community.retrievers import BM25Retriever
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import InMemoryVectorStore

    class Drawn(Embeddings):  # type: ignore[misc]
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return list(corpus.vectors[: len(texts)])

        def embed_query(self, text: str) -> list[float]:
            return corpus.questions[text]

    places = [{"place": place} for place in range(len(corpus.ids))]
    words = BM25Retriever.from_texts(corpus.texts, metadatas=places, k=TOP)
    store = InMemoryVectorStore.from_texts(corpus.texts, Drawn(), metadatas=places)
    near = store.as_retriever(search_kwargs={"k": TOP})
    both = EnsembleRetriever(retrievers=[words, near], weights=[0.5, 0.5])
    return lambda text: [corpus.ids[found.metadata["place"]] for found in both.invoke(text)]


def llama_index(corpus: Corpus) -> Ask:
    """Return QueryFusionRetriever over BM25Retriever and VectorStoreIndex."""
    from llama_index.core import VectorStoreIndex
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.llms import MockLLM
    from llama_index.core.retrievers import QueryFusionRetriever
    from llama_index.core.schema import TextNode
    from llama_index.retrievers.bm25 import BM25Retriever

    class Drawn(BaseEmbedding):  # type: ignore[misc]
        def _get_text_embedding(self, text: str) -> list[float]:
            raise NotImplementedError(text)

        def _get_query_embedding(self, query: str) -> list[float]:
            return corpus.questions[query]

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return corpus.questions[query]

    nodes = [
        TextNode(id_=id_, text=text, embedding=vector.tolist())
        for id_, text, vector in zip(corpus.ids, corpus.texts, corpus.vectors, strict=True)
    ]
    near = VectorStoreIndex(nodes, embed_model=Drawn()).as_retriever(similarity_top_k=TOP)
    words = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=TOP, skip_stemming=True)
    both = QueryFusionRetriever(
        [words, near],
        llm=MockLLM(),
        mode="reciprocal_rerank",
        num_queries=1,
        similarity_top_k=TOP,
        use_async=False,
    )
    return lambda text: [found.node.node_id for found in both.retrieve(text)]


def haystack(corpus: Corpus) -> Ask:
    """Return InMemoryBM25Retriever and InMemoryEmbeddingRetriever, joined by reciprocal rank."""
    from haystack import Document
    from haystack.components.joiners import DocumentJoiner
    from haystack.components.retrievers import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    store = InMemoryDocumentStore()
    store.write_documents(
        [
            Document(id=id_, content=text, embedding=vector.tolist())
            for id_, text, vector in zip(corpus.ids, corpus.texts, corpus.vectors, strict=True)
        ]
    )
    words, near = InMemoryBM25Retriever(store, top_k=TOP), InMemoryEmbeddingRetriever(store, top_k=TOP)
    joiner = DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=TOP)

    def ask(text: str) -> list[str]:
        lists = [words.run(query=text)["documents"], near.run(query_embedding=corpus.questions[text])["documents"]]
        return [found.id for found in joiner.run(documents=lists)["documents"]]

    return ask


# The packages that each consists of, with the module by which it is seen that they are installed.
RIVALS: dict[str, tuple[Mapping[str, str], Callable[[Corpus], Ask]]] = {
    "LangChain": (
        {"langchain-classic": "langchain_classic", "langchain-community": "langchain_community"},
        langchain,
    ),
    "LlamaIndex": (
        {"llama-index-core": "llama_index.core", "llama-index-retrievers-bm25": "llama_index.retrievers.bm25"},
        llama_index,
    ),
    "Haystack": ({"haystack-ai": "haystack"}, haystack),
}
