"""The graph of a generation, in memory."""
