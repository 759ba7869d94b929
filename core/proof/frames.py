"""What stands in a sentence and is not stated by it: “it is false that …”, “no data that …”, “the vendor claims that …”, a question."""

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from core.proof.alongside import Beside, alongside
from core.proof.backing import Backing, same_root
from core.proof.denials import denials
from core.proof.patterns import compiled
from core.proof.words import Reading, read

Kind = Literal["false", "unproven", "said", "asked"]

_NO = r"false|untrue|incorrect|wrong|mistaken|unfounded|baseless|refuted|denied|disproved|not (?:true|so|the case|correct)|(?:a|an) (?:myth|lie|error|mistake|misconception|fallacy|exaggeration)"
_IS = r"(?:is|was|are|were|has|have|proved|turned out)(?: to)?(?: been| be)?(?: \w+ly| now| since| simply)?"
_TOLD_EN = r"(?:claim|rumou?r|statement|idea|belief|report|assertion|notion|myth|allegation|view|story|assumption|misconception|impression|suggestion)s?"
_NO_RU = r"не(?:\s?верн[аоы]|правд\w+|правильно)|ошибочн[аоы]|ложн[аоы]|не так|не (?:подтверд\w+|соответству\w+)|опроверг\w+|опроверж\w+|выдумк\w+|миф"
_DOCUMENT = r"(?:polic|rule|handbook|manual|guide|contract|agreement|law|act|regulation|document|section|article|page|label|plan|terms|charter|schedule|report|notice|statute|table|list)"
_DOCUMENT_RU = r"(?:правил|регламент|договор|закон|устав|положени|приказ|инструкци|документ|график|расписани|памятк|услови|таблиц|спис|пункт|стать|отчет)"

# What is denied of the words behind it, before it, or between its two parts.
_FALSE = compiled(
    rf"\b(?:it|this|that)(?: is|'s| was)(?: \w+ly| just| also)? (?:{_NO}) (?:that|to (?:say|think|claim|believe|assume|suppose)(?: that)?)\b"
    r"|\b(?:contrary to (?:\w+ )?belief|far from it that)\b,?"
    r"|(?:^|(?<=[\n.!?]))\s*(?:common )?(?:myths?|misconceptions?|false|untrue|wrong|not true|fallacy)(?: no)?(?: \d+)?\s*:"
    r"|\b(?:wrong|false|incorrect|outdated|obsolete|mistaken)(?: \w+)? (?:answer|claim|statement|belief|example|information|rumou?r|version)s?\s*:"
    r"|\b(?:не ?верно|неправда|неправильно|ошибочно|ошибка|ложно|ложь|выдумка|заблуждение|миф)(?: \w+)?,? (?:что|будто|считать|думать|полагать|утверждать)\b(?:, (?:что|будто)\b)?"
    r"|(?:^|(?<=[\n.!?]))\s*(?:миф|заблуждение|неверно|неправда|ложь)\s*:"
    r"|\b(?:неправильн|неверн|ложн|ошибочн|устаревш)\w+(?: \w+)? (?:ответ|утверждени|мнени|пример|сведени|информаци|верси)\w*\s*:"
)
_FALSE_BEFORE = compiled(
    rf",? (?:which|but (?:this|that|it)|though (?:this|that|it)) {_IS} (?:{_NO})\b"
    rf"|, (?:что|но это|однако это|хотя это) (?:{_NO_RU})\b"
)
_FALSE_AROUND = compiled(
    rf"\b{_TOLD_EN} that\b(?P<en>[^.;!?]+?)\b{_IS} (?:{_NO})\b"
    rf"|\b(?:слух|миф|утверждени|мнени|сообщени|заблуждени|представлени|информаци|сведени)\w*(?: о том)?,? (?:что|будто)\b(?P<ru>[^.;!?]+?)(?:{_NO_RU})"
)
# What is left open of the words behind it.
_UNPROVEN = compiled(
    r"\b(?:no|not any|little|insufficient) (?:\w+ )?(?:evidence|proof|indication|sign|signs|data|guarantee|confirmation|suggestion|reason to (?:believe|think))(?: yet| so far)? (?:that|whether)\b"
    r"|\b(?:not|never)(?: yet| been| yet been| been yet)? (?:proven|proved|confirmed|established|shown|clear|certain|decided|known|demonstrated|settled|guaranteed|agreed)(?: yet)?,? (?:that|whether|if)\b"
    r"|\b(?:unclear|unknown|uncertain|undecided|doubtful|unlikely|unproven|unconfirmed|disputed|debated|discuss(?:es|ed|ing)?|consider(?:s|ed|ing)?|decid(?:es?|ing)|examin(?:es?|ed|ing)) (?:yet )?(?:that|whether|if)\b"
    r"|\b(?:nobody|no one|few) \w+ that\b|\b(?:doubts?|doubted|denie[sd]|deny|disputes?|rumou?rs?) that\b|\bthe question (?:of )?whether\b"
    r"|\bнет (?:\w+ )?(?:данных|сведений|доказательств|подтверждени[йя]|информации|свидетельств|уверенности|гаранти[йи]|оснований (?:считать|полагать))(?: о том| того)?,? (?:что|будто)\b"
    r"|\bне (?:доказано|подтверждено|подтвердилось|установлено|известно|факт|ясно|решено|определено|выяснено|решили|решил|очевидно),? (?:что\b|(?=\w+ ли\b)|будет\b)"
    r"|\b(?:неизвестно|неясно|непонятно|сомнительно|маловероятно|под вопросом|обсуждает\w*|обсуждают|решает\w*|рассматривает\w*),? (?:что\b|(?=\w+ ли\b)|будет ли\b)"
    r"|\b(?:сомнева\w+|отрица\w+|опровер\w+)(?: в том| то)?,? что\b|\b(?:слухи?|слухов)(?: о том)?,? (?:что|будто)\b"
)
# What somebody says: it need not be so. What a document says is no such thing.
_SAYS = r"claim(?:s|ed)?|alleg(?:es?|ed)|believ(?:es?|ed)|thinks?|thought|argue[sd]?|suggest(?:s|ed)?|estimate[sd]?|assum(?:es?|ed)|suspect(?:s|ed)?|predict(?:s|ed)?|insist(?:s|ed)?|assert(?:s|ed)?|maintain(?:s|ed)? that|says?|said|report(?:s|ed)?|promis(?:es?|ed)|expect(?:s|ed)?|hope[sd]?|fear(?:s|ed)?"
_SAYS_RU = r"утвержда(?:ет|ют|л[аи]?)|заяв(?:ляет|ляют|ил[аи]?)|уверя(?:ет|ют)|счита(?:ет|ют|л[аи]?)|полага(?:ет|ют)|дума(?:ет|ют)|сообща(?:ет|ют)|сообщил[аи]?|говор(?:ит|ят)|сказал[аи]?|обеща(?:ет|ют)|обещал[аи]?|оценива(?:ет|ют)|подозрева(?:ет|ют)|надее?тся|надеются|опаса(?:ет|ют)ся|предполага(?:ет|ют)"
_SAID = compiled(
    rf"\baccording to (?!(?:the |our |this |its )?(?:\w+ ){{0,2}}{_DOCUMENT})"
    rf"|(?<!which )\b(?:{_SAYS}),? that\b|\bin the (?:opinion|view|words) of\b|\bit is (?:said|claimed|believed|thought|alleged|assumed) that\b"
    rf"|\bпо (?:словам|мнению|оценк[еа]м?|утверждению|заявлению|данным|сведениям|сообщению|слухам)\b(?! (?:\w+ )?{_DOCUMENT_RU})"
    rf"|\b(?:{_SAYS_RU}),? (?:что|будто)\b"
)
_BY_DOCUMENT = compiled(rf"\b(?:{_DOCUMENT}|{_DOCUMENT_RU})\w*(?: [\w.]+)?\s*$")
_SIGNS = compiled(
    r"\?|that|whether|false|myth|wrong|untrue|incorrect|outdated|obsolete|misconception|fallacy|contrary|according|opinion|view of|words of"
    r"|что|будто| ли\b|миф|неверн|неправ|ложн|ошибоч|устаревш|заблужд|по (?:слов|мнен|оцен|утвержд|заявл|данн|сведен|сообщ|слух)"
)
# What tells in a claim that it is somebody's word.
_ATTRIBUTES = compiled(
    rf"\b(?:{_SAYS}|according|reportedly|allegedly|supposedly|opinion|{_SAYS_RU}|по (?:словам|мнению|оценке|оценкам|утверждению|заявлению|данным|сведениям|сообщению|слухам)|якобы)\b"
)
_YES = compiled(r"\s{0,3}(?:yes|да|certainly|of course|конечно)\b")
_HALF = 0.5
_TOLD = {
    "false": "its quotes say so only to deny it",
    "unproven": "its quotes leave open whether it is so",
    "said": "its quotes only tell that somebody says so",
    "asked": "its quotes only ask whether it is so",
}


class Frame(NamedTuple):
    """What a sentence holds without stating it: in what way, from where to where, and where the words that do so stand."""

    kind: Kind
    start: int
    end: int
    sign: tuple[int, int]


def doubt_of_frames(text: str, backing: Backing) -> str | None:
    """Return that the claim states what its quotes only deny, leave open, ask, or tell as somebody's word, or None."""
    if not frames(backing.quoted):
        return None
    claim = read(text)
    for beside in alongside(claim, backing.quoted):
        for frame in frames(backing.quoted):
            inside = sum(frame.start <= start < frame.end for start in beside.matched)
            if inside and inside > _HALF * len(beside.matched) and not _is_kept(frame, claim, beside, backing.quoted):
                return _TOLD[frame.kind]
    return None


def _is_kept(frame: Frame, claim: Reading, beside: Beside, quote: Reading) -> bool:
    """Return whether the claim says itself that it is not stated so."""
    if frame.kind == "asked":
        return _is_answered(frame, beside, quote)
    if frame.kind == "said":
        return _ATTRIBUTES.search(claim.low) is not None
    if any(own.kind in {"false", "unproven"} for own in frames(claim)):
        return True
    if frame.kind == "false":
        return bool(denials(claim))
    signs = [word for word in quote.words if frame.sign[0] <= word.start < frame.sign[1] and word.tells]
    return any(same_root(word.stem, one.stem) or word.stem == one.stem for word in signs for one in claim.words)


def _is_answered(frame: Frame, beside: Beside, quote: Reading) -> bool:
    """Return whether a yes follows the question, or words that the claim has and the question has not."""
    if _YES.match(quote.low, frame.end):
        return True
    asked = {word.stem for word in beside.other}
    own = {word.stem for word in beside.own if word.tells} - asked
    return any(word.stem in own for word in quote.words if word.start >= frame.end)


@lru_cache(maxsize=256)
def frames(reading: Reading) -> tuple[Frame, ...]:
    """Return what a text holds without stating it, in no certain order."""
    if not _SIGNS.search(reading.low):
        return ()
    found = [
        Frame(kind, sign.end(), _end(reading, sign.end()), sign.span())
        for kind, pattern in _BEHIND
        for sign in pattern.finditer(reading.low)
        if kind != "said" or not _BY_DOCUMENT.search(reading.low, 0, sign.start())
    ]
    found += [
        Frame("false", _start(reading, sign.start()), sign.start(), sign.span())
        for sign in _FALSE_BEFORE.finditer(reading.low)
    ]
    found += [
        Frame("false", *sign.span(sign.lastgroup or 0), sign.span()) for sign in _FALSE_AROUND.finditer(reading.low)
    ]
    return (*found, *_questions(reading))


_BEHIND: tuple[tuple[Kind, re.Pattern[str]], ...] = (("false", _FALSE), ("unproven", _UNPROVEN), ("said", _SAID))


def _questions(reading: Reading) -> list[Frame]:
    found: list[Frame] = []
    for end in re.finditer(r"\?", reading.low):
        start = _start(reading, end.start())
        found.append(Frame("asked", start, end.end(), (end.start(), end.end())))
    return found


def _start(reading: Reading, place: int) -> int:
    """Return where the sentence of a place begins."""
    inside = [word for word in reading.words if word.start < place]
    return next((word.start for word in inside if inside and word.sentence == inside[-1].sentence), 0)


def _end(reading: Reading, place: int) -> int:
    """Return where the sentence of a place ends, or the next semicolon in it."""
    first = next((word for word in reading.words if word.start >= place), None)
    inside = [word.end for word in reading.words if first and word.sentence == first.sentence]
    end = max(inside, default=place)
    cut = reading.text.find(";", place, end)
    return end if cut < 0 else cut
