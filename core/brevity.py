"""What a short question asks for, without the words that only ask: "И какой там стек?" of a project is its "стек"."""

from collections.abc import Collection
from functools import lru_cache

from core.text import terms, words

# A question of more words is told apart from others by how it is put, too.
_MOST = 2


@lru_cache(maxsize=1_024)
def in_brief(masked: str, kinds: Collection[str]) -> str:
    """Return the one or two words of a masked question that say what it asks for, with the kinds of its names.

    Nothing for a question of more words, for one that says nothing beside names, and for one that is as short itself.
    """
    names = {kind for each in kinds for kind in words(each)}
    said = [word for word in words(masked) if word in names or terms(word)]
    asked = [word for word in said if word not in names]
    if not (names and 1 <= len(asked) <= _MOST):
        return ""
    brief = " ".join(dict.fromkeys((*asked, *(word for word in said if word in names))))
    return "" if brief == masked else brief
