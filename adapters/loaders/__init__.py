"""Documents from a folder or any other source: text, web pages, PDF, office files, tables, data, mails and archives."""

from adapters.loaders.assemble import LOADER_VERSION
from adapters.loaders.corpus import Corpus, load_corpus
from adapters.loaders.file import load_file
from adapters.loaders.folder import FolderSource
from adapters.loaders.item import documents_in, unique

__all__ = ["LOADER_VERSION", "Corpus", "FolderSource", "documents_in", "load_corpus", "load_file", "unique"]
