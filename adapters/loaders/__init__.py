"""Documents from a folder: Markdown, plain text, HTML, PDF and Word."""

from adapters.loaders.corpus import Corpus, load_corpus
from adapters.loaders.file import LOADER_VERSION, load_file

__all__ = ["LOADER_VERSION", "Corpus", "load_corpus", "load_file"]
