"""The one place that imports LiteLLM, and what keeps it quiet: no network, no prompts in logs, no .env of its own."""

import importlib
import logging
import os
import threading
import warnings
from typing import Any

_LOADING = threading.Lock()
_GUARDS = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else the import fetches a price list and waits for it
    "LITELLM_MODE": "PRODUCTION",  # else the import loads any .env above the working directory
}
_ITS_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")
# httpx logs each address, and some providers take their key in it; openai logs whole requests.
_CLIENT_LOGGERS = ("httpx", "httpcore", "openai")


def load_litellm() -> Any:
    """Return the imported module, guarded. Takes seconds the first time: call it in a thread."""
    with _LOADING:
        os.environ.update(_GUARDS)
        litellm: Any = importlib.import_module("litellm")
        litellm.suppress_debug_info = True
        litellm.turn_off_message_logging = True
        litellm.disable_hf_tokenizer_download = True
        # It has OpenAI's client write packed vectors out again, which wonders at text where it expects a list.
        warnings.filterwarnings("ignore", r"(?s)Pydantic serializer warnings:.*field_name='embedding'", UserWarning)
        # Its types for streams are made with the first one, and its streams read pydantic's models in an old way.
        warnings.filterwarnings("ignore", r"Accessing the 'model_\w*fields' attribute on the", DeprecationWarning)
        warnings.filterwarnings("ignore", r"Item '\w+' on TypedDict class '\w+' is using the `ReadOnly`", UserWarning)
        _silence()
        return litellm


def _silence() -> None:
    for name in _ITS_LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = [logging.NullHandler()]
        logger.propagate = False
        logger.setLevel(logging.CRITICAL)
    for name in _CLIENT_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)
