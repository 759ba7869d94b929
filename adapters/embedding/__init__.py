"""Text to vectors: the embedded multilingual encoder."""
