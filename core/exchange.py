"""What a message asks of the exchange itself: more of what was all, where it is written, none of what we offered.

Nothing new is to be looked for then, and its own words are no words of a question. They are a closed class.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from core.answer import Answer
from core.context import AnswerContext
from core.conversation import Question, Thread, Turn
from core.courtesy import any_of
from core.followup import MEMORY, Carried, FollowUp, FollowUpDecision, Standalone
from core.listing import asks_for_more
from core.phrases import TONGUES, phrase
from core.render import say
from core.reply import RenderedReply
from core.text import Language, language_of, normalise

# What is asked of it. The last four are answered with the answer once more.
Asked = Literal["more", "neither", "missed", "proof", "sure", "brief", "language"]
_AGAIN = frozenset({"proof", "sure", "brief", "language"})

_BESIDE = (
    r"and|but|so|ok|okay|well|hm+|sorry|please|pls|again|really|exactly|then|now|a|the|it|can you|could you|"
    r"а|и|но|ну|так|ок|хм+|извините|простите|пожалуйста|еще раз|можно|точно|именно|это|все|вообще|же|теперь|"
    r"тогда"
)
# What the forms have in common.
_COMMON = {
    "THIS": r"(?:this|that|it|these|those|the answer|your answer)",
    "ABOUT": r"(?:это|такое|об этом|про это)",
    "WRITTEN": r"(?:написано|сказано|указано|записано|прописано|говорится|стоит)",
    "SHOW": r"(?:какой|каков|где|дай|дайте|покажи|покажите|назови|укажи|укажите)",
    "SHORT": r"(?:коротко|короче|кратко|вкратце|покороче|пократче)",
}
_FORMS: Mapping[Asked, str] = {
    "neither": any_of(
        r"""
        neither(?: of (?:them|these|those|the two))?(?: one)?|none(?: of (?:them|these|those|the above))?
        not (?:those|these|any)|something else|(?:ни (?:тот|та|то),? ни (?:другой|другая|другое))
        ни один(?: из них)?|ни одна(?: из них)?|ни то ни другое|никакой|никакая|никакое|ничего из этого
        ни первое ни второе|ни первый ни второй|ни первая ни вторая|что то другое|другое
        """
    ),
    "missed": any_of(
        r"""
        no|nope|nah|wrong|incorrect
        (?:that|this|it)(?: is|s| was)? (?:not right|wrong|incorrect|not it|not true|false)
        not (?:that|this|it|what i (?:asked|meant|mean|need)|helpful|about that)
        (?:that|this) (?:does not|doesn t|did not|didn t) help
        (?:that|this)(?: is|s) not what i (?:asked|meant|mean|need)|you misunderstood(?: me)?|useless|нет|неа
        неверно|неправильно|не то|не так|не о том|не про то|не про это|не это|ошибка|мимо|не помогло|бред
        (?:я )?не (?:об )?это(?:м|го)? (?:спрашивал[аи]?|просил[аи]?)|(?:ты|вы) (?:меня )?не понял[аи]?
        не по теме
        """
    ),
    "proof": any_of(
        r"""
        where (?:is|was|does|did) THIS (?:written|stated|said|from|come from|say so|say that|documented)
        where (?:is|s) THIS from
        (?:what|which) (?:is|s|are|was) (?:the |your )?(?:source|sources|document|page)(?: of THIS| for THIS)?
        source|sources|says who|who says(?: so| that)?|(?:how|where) do you know(?: THIS)?
        (?:from )?where did you (?:get|find|read|take) THIS(?: from)?
        (?:show|give)(?: me)? (?:the |your )?(?:source|sources|proof|evidence|quote|link)|prove THIS|proof
        (?:on )?what page
        which (?:document|page|file|policy)(?: is THIS(?: from| in)?| says (?:so|that|this|it))?
        where does THIS stand
        откуда(?: (?:это|эти|так\w+|данные|информация|сведения|цифры|ты|вы|взял\w*|знае\w+|известно|следует))+
        где (?:ABOUT )?WRITTEN(?: ABOUT)?|(?:SHOW )?(?:источник|источники|ссылк[аиу]|первоисточник|цитат[ау])
        (?:SHOW )?доказательств[ао]|в каком (?:документе|файле|разделе|пункте|приказе)(?: ABOUT)?(?: WRITTEN)?
        на какой странице(?: (?:это|написано|об этом))*|кто (?:это )?сказал|докажи(?:те)?
        чем (?:это )?подтвержд\w+
        """
    ),
    "sure": any_of(
        r"""
        (?:are )?you sure(?: (?:about|of) THIS)?
        (?:is|was) THIS (?:right|correct|true|certain|accurate|sure|up to date|reliable)|sure|really|for real
        seriously|how sure are you|how (?:certain|reliable) (?:is|are) (?:this|that|it|you)
        (?:can i|should i) trust (?:this|that|it)|(?:ты|вы) уверен[аы]?(?: в этом)?|уверен[аы]?|точно|правда
        это (?:точно|правда|верно|так|правильно)|(?:это )?точно (?:так|правда|верно)|неужели|серьезно
        насколько (?:это )?(?:точно|верно|достоверно|надежно)|действительно
        """
    ),
    "brief": any_of(
        r"""
        in short|in brief|briefly|shorter|tl ?dr|in (?:one|a) (?:word|sentence|line)|in a nutshell|too long
        make it short(?:er)?|shorten THIS|(?:give me )?(?:the )?short (?:version|answer)
        sum THIS up|summarize THIS
        SHORT|в двух словах|одним (?:словом|предложением)|в одном предложении|слишком длинно
        (?:сделай|скажи|ответь|давай)(?:те)? SHORT
        """
    ),
}
_TONGUES: Mapping[Language, str] = {
    "en": r"(?:say (?:it|that|this) |answer |write |tell me |translate (?:it|this|that)? ?)?(?:in|to|into) english|"
    r"(?:скажи|ответь|напиши|переведи)?(?:те)? ?(?:на английск(?:ом|ий)|по английски)",
    "ru": r"(?:say (?:it|that|this) |answer |write |tell me |translate (?:it|this|that)? ?)?(?:in|to|into) russian|"
    r"(?:скажи|ответь|напиши|переведи)?(?:те)? ?(?:на русск(?:ом|ий)|по русски)",
}
_SIGNS = re.compile(r"[\W_]+")
_AROUND = rf"(?:(?:{_BESIDE}|no|нет) )*(?:{{}})(?: (?:{_BESIDE}))*"
_NAMED = re.compile("|".join(_COMMON))
_ASKED = {
    kind: re.compile(_AROUND.format(_NAMED.sub(lambda found: _COMMON[found.group()], form)))
    for kind, form in _FORMS.items()
}
_SPOKEN = {code: re.compile(_AROUND.format(form)) for code, form in _TONGUES.items() if code in TONGUES}
# What is asked of an answer must be a question, or may be one without its sign.
_DOUBTS = re.compile(r"\?")
_ONLY_ASKED = frozenset({"really", "sure", "правда", "точно", "серьезно", "seriously", "for real", "действительно"})
_MOST = 60


def asked_of(question: Question, thread: Thread) -> Asked | None:
    """Return what the message asks of the exchange before it, None when it asks something of the documents."""
    if question.pressed or len(question.text) > _MOST:
        return None
    last = last_of(question, thread)
    if asks_for_more(question.text):
        return None if last and (last.unclear or (last.listed and last.listed.remaining)) else "more"
    if last is None:
        return None
    said = _said(question.text)
    kind = next((one for one, form in _ASKED.items() if form.fullmatch(said)), None)
    if said in _ONLY_ASKED and not _DOUBTS.search(question.text):
        return None
    if last.unclear:
        return "neither" if kind in ("neither", "missed") else None
    return "language" if kind is None and spoken_in(question.text) else None if kind == "neither" else kind


def last_of(question: Question, thread: Thread) -> Turn | None:
    """Return the turn that such a message is about: the one that it replies to, or our last one if that was lately."""
    own = (turn for turn in reversed(thread.turns) if turn.names is None and not _led_nowhere(turn))
    last = thread.answers or next(own, None)
    return last if last and question.asked_at - last.asked_at <= MEMORY else None


def _led_nowhere(turn: Turn) -> bool:
    """Return whether the turn was itself such a message, to which nothing was looked up."""
    said = _said(turn.question)
    nothing = any(_ASKED[kind].fullmatch(said) for kind in ("neither", "missed")) or asks_for_more(turn.question)
    return nothing and not (turn.answered or turn.unclear)


def spoken_in(text: str) -> Language | None:
    """Return the language that the answer is to be in, if the message asks for nothing but one."""
    return next((code for code, form in _SPOKEN.items() if form.fullmatch(_said(text))), None)


def of_exchange(question: Question, thread: Thread) -> FollowUpDecision | None:
    """Return the decision for a message that asks something of the exchange; it leaves the thread where it is."""
    asked, last, language = asked_of(question, thread), last_of(question, thread), question.language
    if asked is None:
        return None
    if last is None:
        return Standalone(question.text, phrase("because_first", language))
    because = phrase(f"because_{'again' if asked in _AGAIN else asked}", language)
    return FollowUp(last.standalone, Carried(last.standalone, last.entities), because, again=asked in _AGAIN)


def said_of_exchange(question: Question, thread: Thread) -> RenderedReply | None:
    """Return what is said at once to a message that asks something of the exchange, None where the answer is."""
    asked, language = asked_of(question, thread), question.language
    if asked is None or asked in _AGAIN:
        return None
    if asked == "more":
        return say(_nothing_more(last_of(question, thread), language), language)
    return say(phrase(asked, language), language)


def _nothing_more(last: Turn | None, language: Language) -> str:
    if last is None:
        return phrase("more_of_nothing", language)
    if not last.answered:
        return phrase("more_of_refusal", language)
    count = len(last.listed.seen) if last.listed else 0
    return phrase("more_all", language, count=count) if count > 1 else phrase("more_one", language)


def as_asked_again(context: AnswerContext, question: Question, thread: Thread) -> AnswerContext:
    """Return the context with when it was asked; of an answer that is given once more, as the message asks for it."""
    context = replace(context, asked_on=question.asked_at.date())
    match asked_of(question, thread):
        case "proof" | "sure":
            return replace(context, verbatim=True)
        case "brief":
            return replace(context, max_words=_BRIEF_WORDS, max_paragraphs=1)
        case "language":
            return replace(context, language=spoken_in(question.text) or context.language)
        case _:
            return context


_BRIEF_WORDS = 40


def said_again(answer: Answer, question: Question, thread: Thread) -> Answer:
    """Return the answer with what is said before it where it is given once more."""
    asked = asked_of(question, thread)
    if answer.is_refusal or asked not in _AGAIN:
        return answer
    if asked in ("proof", "sure"):
        return replace(answer, lead=phrase(f"again_{asked}", answer.language))
    others = [one for one in answer.claims if one.verdict == "quoted" and language_of(one.text) != answer.language]
    notice = phrase("quotes_stay", answer.language)
    return replace(answer, notice=answer.notice or notice) if asked == "language" and others else answer


def _said(text: str) -> str:
    return " ".join(_SIGNS.sub(" ", normalise(text)).split())
