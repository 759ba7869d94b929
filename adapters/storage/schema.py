"""The whole schema: what migrations lead to."""

from adapters.storage import index_tables, tables
from adapters.storage.columns import metadata

__all__ = ["index_tables", "metadata", "tables"]
