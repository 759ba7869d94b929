"""How many of something there are, as the command line says it."""


def counted(number: int, thing: str) -> str:
    """Return the number with its noun: "1 document", "2,000 documents"."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
