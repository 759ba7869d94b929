"""Documents from a folder or any other source: text, web pages, PDF, office files, tables, data, mails and archives."""

from adapters.loaders.assemble import LOADER_VERSION, digest_of
from adapters.loaders.corpus import Corpus, collection_of, domain_of, link_base_of, load_corpus
from adapters.loaders.file import load_file
from adapters.loaders.folder import DOMAIN, FolderSource
from adapters.loaders.guard import Workers
from adapters.loaders.item import documents_in, shown, unique

__all__ = [
    "DOMAIN",
    "LOADER_VERSION", "Corpus", "FolderSource", "Workers", "collection_of", "digest_of", "documents_in", "domain_of",
    "link_base_of",
    "load_corpus", "load_file", "shown", "unique",
]  # fmt: skip
