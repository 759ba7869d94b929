"""A message whose words do not tell what it leans on, read by a model: it writes the question in full, code checks it.

What it carries over must be words of an earlier question, and the question in full must be made of words that the asker
used. A reading that is not so is no reading.
"""

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.conversation import Thread
from core.leaning import is_general, points_back
from core.ports import LanguageModel, ModelRequest
from core.prompts import rewriting_system, rewriting_user
from core.text import normalise, terms, words

_MAX_TOKENS = 200


class Rewriting(BaseModel):
    """What the model says: the words of earlier questions that the message needs, and the question with them in it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    carried: tuple[str, ...] = Field(max_length=4)
    question: str = Field(min_length=1, max_length=600)


async def rewrite(message: str, thread: Thread, model: LanguageModel) -> Rewriting | None:
    """Return the reading of the model if it holds, or None for one that does not. Raises ModelError."""
    request = ModelRequest(
        role="planner",
        system=rewriting_system(),
        user=rewriting_user(message, [turn.standalone for turn in thread.turns]),
        schema=Rewriting.model_json_schema(),
        max_tokens=_MAX_TOKENS,
        name="Rewriting",
    )
    try:
        said = Rewriting.model_validate_json((await model.complete(request)).text)
    except ValidationError:
        return None
    return said if holds(said, message, thread) else None


def holds(said: Rewriting, message: str, thread: Thread) -> bool:
    """Return whether the reading is made of what the asker said, and still asks what the message asks.

    A reading that carries nothing over holds: it says that the message stands alone.
    """
    if not said.carried:
        return True
    earlier = [_folded(turn.standalone) for turn in thread.turns]
    asked, full = set(terms(message)), set(terms(said.question))
    known = asked.union(*(terms(turn.standalone) for turn in thread.turns))
    kept = {term for term in asked if not (is_general(term) or points_back(term))}
    return (
        all(any(_folded(one) in before for before in earlier) for one in said.carried)
        and any(set(terms(one)) - asked for one in said.carried)
        and all(set(terms(one)) <= full for one in said.carried)
        and full <= known
        and kept <= full
    )


def _folded(text: str) -> str:
    """Return the words of the text between spaces, so that only whole words are found in it."""
    return f" {' '.join(words(normalise(text)))} "
