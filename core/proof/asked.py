"""What a claim owes to its question: that somebody asks whether, when or why a thing is so does not make it so."""

from collections.abc import Iterator, Sequence

from core.proof.backing import Backing, held_of
from core.proof.coverage import held_share, parted, weight_of
from core.proof.lexicon import light, meaning
from core.proof.names import is_verbal
from core.proof.numbers import amounts
from core.proof.words import Reading, Word, read

# Share of a sentence's weight that the documents alone must hold, and of one that adds nothing to the question.
MIN_FOUNDED, MIN_REPEATED = 0.3, 0.6
# Share of the words that a claim has from its question which the documents must hold, too. Chosen on XQuAD
# (benchmarks/presumed), where it refuses half of the statements that answer with another fact of the passage, beside
# those that are refused anyhow, and one in ten of the true ones.
MIN_ASKED = 0.4


def fault_of_asking(text: str, backing: Backing) -> str | None:
    """Return that the claim rests on the question and hardly on its quotes, or None."""
    claim = read(text)
    if not _is_founded(claim, backing):
        return "it repeats the question, and its quotes do not say so"
    asked, own = held_of(backing.granted.stems), backing.documented
    # Whether a name may be said of these quotes has been seen to.
    words = [
        word for word in claim.content if asked.holds(word) and not (_is_name(word, backing) and not own.holds(word))
    ]
    weighs = any(weight_of(word) == 1 for word in words)
    if weighs and not backing.asks_whether and held_share(words, 0, own) < MIN_ASKED:
        alone = [word.text for word in words if not own.holds(word)]
        return f"its quotes say little of what was asked ({', '.join(alone[:4])})"
    return None


def doubt_of(text: str, backing: Backing) -> str | None:
    """Return the word of a claim that only the question says, or None.

    The claim may be true for all that, in words that no list knows for the same: its quote is the safer answer.
    """
    alone = asked_alone(text, backing)
    if alone and backing.asks_whether:
        return f"“{alone[0].text}” is what was asked, and its quotes do not say so"
    if value := _value_of(text, alone):
        return f"its quotes do not say that this is the {value.text}"
    return _presumed(read(text), frozenset(alone), backing) if alone else None


def asked_alone(text: str, backing: Backing) -> list[Word]:
    """Return the words of a text that the question has and the documents have in no form, nor their opposites."""
    return [word for word in read(text).content if _is_asked_alone(word, backing)]


def _value_of(text: str, alone: Sequence[Word]) -> Word | None:
    """Return the thing that a sentence gives a number for, if only the question speaks of it.

    Asked for a budget, “the budget is eight people” is no answer made of a team of eight. It begins the sentence, or is
    the last that is said before the number.
    """
    claim = read(text)
    for amount in (one for one in amounts(claim) if ":" not in one.shown):
        sentence = claim.words[amount.place].sentence
        words = [word for word in claim.content if word.sentence == sentence]
        before = [word for word in words if claim.words.index(word) < amount.place and not is_verbal(word)]
        found = next((word for word in (*words[:1], *before[-1:]) if word in alone), None)
        if found:
            return found
    return None


def _is_founded(claim: Reading, backing: Backing) -> bool:
    """Return whether each sentence rests on the documents too, and does not only repeat the question.

    One that adds nothing of theirs to the question is held by them alone, or by nothing.
    """
    asked, own = held_of(backing.granted.stems), backing.documented
    for words, numbers in parted(claim):
        adds = numbers or any(weight_of(word) == 1 and own.holds(word) and not asked.holds(word) for word in words)
        if held_share(words, numbers, own) < (MIN_FOUNDED if adds else MIN_REPEATED):
            return False
    return True


def _is_asked_alone(word: Word, backing: Backing) -> bool:
    if word.kind != "word" or not word.says or not word.spoken:
        return False
    if _is_name(word, backing):
        return False
    own = backing.documented
    return word.stem in backing.granted.stems and not own.holds(word) and not own.opposes(word)


def _is_name(word: Word, backing: Backing) -> bool:
    return word.capital and (not word.opens or word.stem in backing.vocabulary.names)


def _presumed(claim: Reading, alone: frozenset[Word], backing: Backing) -> str | None:
    """Return the word of the question that stands where the quotes have another one: “sold” for “built”."""
    there: dict[tuple[str, str], list[Word]] = {}
    for word, before, after in _placed(backing.quoted):
        if all(one is None or one.clause == word.clause for one in (before, after)):
            there.setdefault((_key(before), _key(after)), []).append(word)
    mine = held_of(claim.stems | backing.granted.stems)
    for word, before, after in _placed(claim):
        if word in alone and (before or after):
            for other in there.get((_key(before), _key(after)), ()):
                if other.kind == "word" and not other.numeral and not mine.holds(other):
                    return f"it says “{word.text}”, as was asked, where its quotes say “{other.text}”"
    return None


def _placed(reading: Reading) -> Iterator[tuple[Word, Word | None, Word | None]]:
    """Yield the words that say something, each with the one before and the one behind it in its sentence."""
    words = [word for word in reading.words if word.kind != "sign" and (word.kind != "word" or _says(word))]
    for place, word in enumerate(words):
        before, after = words[place - 1] if place else None, words[place + 1] if place + 1 < len(words) else None
        yield (
            word,
            before if before and before.sentence == word.sentence else None,
            after if after and after.sentence == word.sentence else None,
        )


def _says(word: Word) -> bool:
    return word.tells and word.stem not in light()


def _key(word: Word | None) -> str:
    return meaning(word.stem) if word else ""
