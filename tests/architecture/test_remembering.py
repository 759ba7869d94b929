"""What functions remember of what they have met is bounded, so that memory levels off however long the bot answers."""

import ast

from tests.architecture.test_layers import name_of, tree_of, under

# Of words that are met in questions and documents. A word takes some hundred bytes in each function that remembers it.
MOST_WORDS = 20_000
# Of texts as they were read, each with all its words: some ten kilobytes, and each of forty functions keeps others.
MOST_READ = 256
# What is told by the names and titles of an index alone is made again for a new one: all of them, whatever is asked.
OF_THE_INDEX = {
    "core/entities.py: _keys",
    "core/entities.py: _stem_with",
    "core/ingest/addresses.py: title_key",
}


def test_what_is_remembered_is_bounded() -> None:
    """No function remembers more words than levels off early, or keeps more of the texts that were read for proof."""
    found = {
        f"{name_of(path)}: {node.name}": (bound, "Reading" in ast.unparse(node.args))
        for path in under("core", "adapters", "bot")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef) and (bound := _bound(node)) is not None
    }
    too_many = {
        name: bound
        for name, (bound, of_texts) in found.items()
        if name not in OF_THE_INDEX and bound > (MOST_READ if of_texts else MOST_WORDS)
    }

    assert too_many == {}
    assert found.keys() >= OF_THE_INDEX


def _bound(function: ast.FunctionDef) -> int | None:
    """Return how much the function remembers by its decorator; None where that is not said as a number."""
    for call in function.decorator_list:
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "lru_cache":
            said = {word.arg: word.value for word in call.keywords}.get("maxsize")
            return said.value if isinstance(said, ast.Constant) and isinstance(said.value, int) else None
    return None
