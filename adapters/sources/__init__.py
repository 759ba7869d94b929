"""Documents from elsewhere: a web site, a Git repository, whatever a reader of LlamaIndex reads."""

from adapters.sources.git import GitCheckout
from adapters.sources.reader import ReaderSource
from adapters.sources.web import WebSite
from adapters.sources.web_limits import Limits

__all__ = ["GitCheckout", "Limits", "ReaderSource", "WebSite"]
