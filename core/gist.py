"""What a message asks, without what people say around it: greetings, thanks, calls to others, pasted addresses.

A clause is left out only when all its words are of a closed class that is about the exchange itself: who is asked, by
whom, how politely, and that it is a question. What is left keeps the asker's words, and their order.
"""

import re
from collections.abc import Iterator

from core.leaning import is_general, turns_away
from core.text import STOP_WORDS, normalise, terms

# Longer messages are pasted text, in which every sentence may count.
_MOST = 2_000

# What a clause must hold one of to be about the exchange.
_TELLING = frozenset(
    """
hi hello hey hiya greetings yo thanks thank thx ty cheers appreciate appreciated grateful cc fyi question questions
query sorry apologies excuse pardon help ping bump urgent urgently asap friend curious wondering bother rush hurry ask
asking asked asks know knows idea ideas please pls plz morning afternoon evening find found look looked search searched
привет приветик приветствую здравствуйте здравствуй салют хай добрый доброе доброго спасибо спс благодарю благодарен
благодарна признателен признательна признательны вопрос вопросик вопросы извините извини простите прости пожалуйста
плиз пж пжл подскажите подскажи подскажет подскажете скажите скажи помогите помоги помочь помощь поможете срочно знает
знаете знаешь знаю спросить спрашиваю узнать уточнить копия копии интересно любопытно нашел нашла найти искал искала
""".split()
)
# What may stand beside them.
_BESIDE = frozenset(
    """
team all everyone everybody anyone anybody someone somebody folks guys people colleagues friends dear there here bot
day days week weekend advance lot lots many very bit quick short small little stupid dumb silly simple basic one last
another today yesterday now soon again maybe kindly time minute moment attention best good great nice new newbie could
couldn't can't cannot don't i'm i've i'd channel anywhere nowhere already still forgot forget remember well worries no
asap possible possibly just sure let monday tuesday wednesday thursday friday
всем всех коллеги ребята народ друзья господа команда день дня утро утра вечер вечера времени суток заранее большое
огромное буду будем быстрый маленький короткий глупый простой один одна еще сегодня вчера сейчас опять снова может
нибудь канал канале нигде срочный возник появился есть сложно трудно если добры будьте ответ помощь за внимание совет
хотел хотела хочу могу можете можешь можно сможете друга подруги ребят кто-нибудь кто-то кто-либо тут здесь нужен
нужна нужно понедельника вторника среды четверга пятницы
""".split()
)
# Whole clauses of their own, some of them with words that ask elsewhere.
_SAID = re.compile(
    r"(?:and |so |а |и |ну )?(?:how are you(?: all| doing| today| everyone)*|what['’]?s up|how(?: is|['’]s) it going|"
    r"(?:i )?hope (?:you|everyone|everybody|all|this|it)\b.{0,60}|as soon as possible|"
    r"(?:if|when) possible|if (?:you|anyone|anybody|someone) (?:knows?|can|could|may|minds?)(?: help)?|"
    r"if (?:you do not|you don['’]t) mind|"
    r"(?:i am |i['’]m )?not sure (?:if|whether|that) (?:this|it)(?: is|['’]s) the (?:right|best|correct) \w+|"
    r"when(?:ever)? (?:you|anyone|somebody) (?:have|has|had|get|gets|got) (?:a |some )?(?:minute|time|moment|chance|"
    r"sec\w*)|"
    r"who knows|who can (?:help|tell|say)(?: me| us)?|"
    r"как (?:у вас |твои |ваши )?(?:дела|жизнь|настроение|поживаете)|как можно (?:скорее|быстрее)|кто знает|"
    r"кто (?:может )?(?:подскаж\w+|подсказать|помо\w+)(?: мне| нам)?|когда будет (?:время|минут\w+)|"
    r"если (?:вам |тебе |вас |тебя |это )?(?:не (?:сложно|трудно|затруднит)|можно)|если (?:кто |вы |ты )?(?:знает\w*|"
    r"знаешь|в курсе)|"
    r"не (?:уверена?|знаю),? (?:туда ли|сюда ли|там ли|здесь ли)(?: \w+)?|"
    r"надеюсь,? (?:у вас|вы|все)\b.{0,60})"
)
_SOMEBODY = re.compile(r"\bкто-(?:нибудь|то|либо)\b")
_ASK = (
    r"(?:what|which|who|whom|whose|when|where|why|how|(?:(?:о|об|в|во|на|за|с|у|к|из|от|до|для|по)\s+)?(?:что|чего|"
    r"чему|"
    r"чем|кто|кого|кому|кем|ком|когда|где|куда|откуда|почему|зачем|как|как(?:ой|ая|ое|ие|их|ую|им|ими|ом|ого|ому|ов|"
    r"ова|овы)|сколько|скольки|чей|чья|чье|чьё|чьи))\b"
)
_ASKS = re.compile(rf"\b{_ASK}")
_MAY = r"(?:is|are|was|were|am|do|does|did|can|could|may|must|will|would|should|has|have|можно|нужно|надо|есть)\b"

_PING = r"@[\w.'’-]*\w"
_LINK = r"<?(?:\w+://|www\.)\S+|\b[\w-]+(?:\.[\w-]+)+/\S*"
_TOKEN = re.compile(rf"(?P<link>{_LINK})|(?P<ping>{_PING})|(?P<word>\w+(?:[-'’]\w+)*)")
_EMOJI = re.compile(r"(?<!\S):[a-z][a-z0-9_+'-]{0,40}:(?!\S)|(?<!\S):[+-]1:(?!\S)")
_PINGS = re.compile(rf"(?<!\S){_PING}")
_COURTEOUS = re.compile(
    r"\s*,?\s*(?<!\w)(?:пожалуйста|пожалуста|пжлст|плиз|pls|plz)(?!\w)(?:\s*,(?=\s*\w))?", re.IGNORECASE
)
# Behind these somebody may be called by their name.
_CALLS = frozenset(
    "hi hello hey thanks thank thx cc fyi ping привет спасибо здравствуйте здравствуй копия приветствую".split()
)
_MOST_NAMES = 3

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|\s*\n\s*")
_HEAD = re.compile(r"(?P<clause>[^,;:!()–—]{1,200}?)\s*(?:[,;:!]+|\s[-–—](?=\s))\s*(?=\S)")
_TAIL = re.compile(r"(?:[,;(]|\s[-–—]\s)\s*(?P<clause>[^,;:()–—]{1,200})$")
_BUT = re.compile(r"(?:but|но)\s+(?=\S)", re.IGNORECASE)
_END = re.compile(r"[\s?!.…)]*$")

_GROUP = r"(?:there|team|all|folks|guys|everyone|everybody|bot|dear|всем|коллеги|ребят[аы]?|народ|друзья|господа|бот)"
_GREETING = (
    r"(?:hi|hiya|hello|hey|yo|good (?:morning|afternoon|evening|day)|привет\w*|здравствуй(?:те)?|салют|хай|"
    r"добр(?:ый|ое|ого) (?:день|утро|вечер|дня|утра|вечера))"
)
_OF_PEOPLE = (
    r"(?:(?:my|our|a|one of our|some|the) (?:\w+ )?(?:boss|manager|colleagues?|team(?:mates?)?|friends?|customers?|"
    r"clients?|guests?|visitors?|users?|lead|wife|husband|director)|someone|somebody|people|they|we|he|she|"
    r"(?:мой|моя|мои|наш|наша|наши|один из наших) (?:\w+ )?\w+|меня|нас|коллег[аи]|начальни\w+|клиент\w*|гост[ьи]|"
    r"сотрудники?|люди|кто-то|он|она|они)"
)
_NAME = r"(?-i:[A-ZА-ЯЁ][\w-]+(?: [A-ZА-ЯЁ][\w-]+)?)"
_REPORTING = (
    r"(?:(?:also |just |now )?(?:wants?|would like|['’]d like|needs?|wanted) to (?:know|ask|find out|understand)|asks?|"
    r"(?:is|are|was|were|keeps?) (?:asking|wondering)|asked|wonders?|"
    r"(?:сейчас |тут |тоже )?(?:спрашива\w+|спросил[аи]?|интересу\w+ся|уточня\w+|"
    r"(?:хоч|хот)\w+ (?:знать|узнать|спросить|понять|уточнить)|прос\w+ (?:узнать|спросить|уточнить)))(?: me| us| you|"
    r" меня| нас| тут| всех)?"
)
_WISHING = (
    r"(?:(?:can|could|would|will) (?:you|any ?one|any ?body|some ?one|some ?body) (?:\w+ )?(?:tell|remind|inform|"
    r"explain"
    r"|let|say|help)(?: to)?(?: me| us)?(?: know| understand| find out)?|"
    r"(?:do|does|would) (?:you|any ?one|any ?body|some ?one|some ?body) (?:here |happen to |by any chance )*"
    r"(?:know|remember)|any ?(?:one|body) (?:here )?knows?|(?:please )?(?:tell|remind)(?: me| us)?|let (?:me|us) know|"
    r"(?:i(?:['’]m| am| was|['’]d)? |we(?:['’]re| are)? |just )*(?:want(?:ed)?|would like|like|need(?:ed)?|"
    r"wonder(?:ing)?|"
    r"curious|trying)(?: to (?:know|ask|find out|understand|check))?|(?:may|can|could) (?:i|we) (?:ask|know)|"
    r"any ideas?|"
    r"(?:не )?(?:подскаж|напомн|скаж)\w+(?: мне| нам)?|(?:кто[- ]нибудь |кто |ты |вы |может,? )*(?:не )?"
    r"(?:знает|знаете|знаешь|помнит|помните|в курсе)|(?:я |мы |просто )*(?:хо(?:чу|тим|тел[аи]?|телось)(?: бы)? "
    r"(?:узнать|спросить|уточнить|понять|знать))|(?:меня |нас )?интересует|можно (?:узнать|спросить|уточнить)|"
    r"(?:можете|можешь|могли бы вы|не могли бы вы|не могли бы) (?:мне |нам )?(?:подсказать|сказать|напомнить|"
    r"объяснить))"
)
_GOES_ON = r"(?P<goes_on>(?:and|but|so|ok|okay|well|а|и|ну|но|так)[\s,]+)?"
_ON = rf"(?:\s*[,:–—-]+\s*(?=\S)|\s+(?:please\s+)?(?=\b{_ASK})|\s+(?:if|whether)\s+(?=\S))"
_HEADS = (
    re.compile(rf"{_GREETING}(?:[\s,]+(?:{_GROUP}|{_PING}))*[\s,.!:;–—-]+(?={_ASK}|{_MAY})", re.IGNORECASE),
    re.compile(rf"(?:{_PING}[\s,:–—-]+)+(?={_ASK}|{_MAY})", re.IGNORECASE),
    re.compile(rf"(?:dear\s+)?{_GROUP}\s*[,:!–—]\s*(?=\S)", re.IGNORECASE),
    re.compile(rf"(?:folks|guys|team|коллеги|ребята|народ)\s+(?=(?:what|when|where|how|why|{_MAY})\b)", re.IGNORECASE),
    re.compile(
        rf"{_GOES_ON}(?:{_PING}|{_OF_PEOPLE}|{_NAME})(?:(?:,? (?:and|и) |, )(?:{_PING}|{_NAME}))*\s+{_REPORTING}{_ON}",
        re.IGNORECASE,
    ),
    re.compile(rf"{_GOES_ON}{_WISHING}{_ON}", re.IGNORECASE),
    re.compile(r"(?:не )?подскаж(?:и|ите|ете|ет)\s+(?=\S)", re.IGNORECASE),
    re.compile(
        r"(?:can|could|would|will) (?:you|any ?one|any ?body|some ?one|some ?body) (?:\w+ )?help (?:me|us)(?: out)?"
        r"(?: with)? (?=\S)|(?:помогите|помоги|поможете|кто поможет)(?: мне| нам)? (?:с |найти |понять )(?=\S)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:(?:i|we)(?: have|['’]ve got| have got)? |got )?(?:an? |one )?(?:quick |short |small |simple |silly )*"
        r"question (?:about|on|regarding|concerning) (?=\S)"
        r"|(?:у меня |у нас )?(?:есть |такой |один |быстрый |маленький )*вопрос (?:про|по поводу|насч[её]т|о|об|"
        r"по) (?=\S)",
        re.IGNORECASE,
    ),
)
_THANKS = (
    r"(?:many thanks|thanks?(?: you| a lot| so much| very much| in advance| again)*|thx|please|cheers|asap|"
    r"(?:asking )?for a friend|if you know|if possible|(?:большое |заранее |огромное )*спасибо(?: большое| заранее|"
    r" вам)*|"
    r"заранее благодар\w+|срочно)"
)
_TAILS = (
    re.compile(rf"[\s,;(–—-]+{_THANKS}$", re.IGNORECASE),
    re.compile(
        rf"[\s,;(–—-]*(?<!\w)(?:/?cc|fyi|копия|в копии)(?!\w):?\s*(?:(?:{_PING}|{_NAME}|and|и)[\s,]*){{1,10}}$",
        re.IGNORECASE,
    ),
)
_LINK_AT_END = re.compile(rf"(?P<before>\S+)\s+(?:{_LINK})$")
_PING_AT_END = re.compile(rf"^(?:when|where|когда|где|куда|сколько)\b.*?(?P<before>\S+)\s+{_PING}$", re.IGNORECASE)
_COPIES = re.compile(
    rf"(?<!\w)(?:/?cc|fyi|копия|в копии|thanks|thank you|спасибо)(?!\w):?\s*(?:(?:{_PING}|and|и)[\s,.!)]*)+",
    re.IGNORECASE,
)
_ALSO_ASKS = re.compile(rf"(?:{_PING})(?:(?:,? (?:and|и) |, )(?:{_PING}))*\s+{_REPORTING}(?!\w)", re.IGNORECASE)
# Before these, an address or a person is what the question is about.
_ABOUT = STOP_WORDS | frozenset("see under behind like contact reach call ask read смотреть читать".split())


def gist(text: str) -> str:
    """Return the part of the message that asks, as it was typed; all of it where nothing stands around that."""
    if len(text) > _MOST:
        return text
    kept = "".join(_kept(text)).strip()
    return kept if any(char.isalnum() for char in kept) else _EMOJI.sub(" ", text).strip() or text


def only_names(text: str) -> bool:
    """Return whether the people that the message calls by their sign are but named in it: who gets a copy, who asks."""
    rest = _ALSO_ASKS.sub(" ", _COPIES.sub(" ", text))
    return rest != text and _PINGS.search(rest) is None


def calls_only(text: str) -> bool:
    """Return whether the text is nothing but words about the exchange: a greeting, a plea, somebody's name."""
    return not any(char.isalnum() for char in "".join(_kept(text)))


def without_signs(text: str) -> str:
    """Return the text without emoji that are written as names, and without calls to people by their sign."""
    return _PINGS.sub(" ", _EMOJI.sub(" ", text)).strip()


def _kept(text: str) -> Iterator[str]:
    """Yield what is left of each sentence, with what parts it from the one before."""
    start = 0
    between = ""
    for end in (*_SENTENCE_END.finditer(text), None):
        sentence = text[start : end.start() if end else len(text)]
        if left := _peeled(sentence):
            yield between + left
            between = ""
        between = between or (end.group() if end else "")
        start = end.end() if end else start


def _peeled(sentence: str) -> str:
    """Return the sentence without what stands around the question at its head and at its end; nothing may be left."""
    left = _COURTEOUS.sub("", _EMOJI.sub(" ", sentence)).strip()
    while left:
        if is_idle(left):
            return ""
        shorter = _shorter(left)
        if shorter == left:
            return left if left != sentence.strip() else sentence
        left = shorter
    return left


def _shorter(said: str) -> str:
    """Return the text without one thing around the question, or as it is."""
    if turns_away(said):
        return said
    shorter = _without_head(said)
    return _without_tail(said) if shorter == said else shorter


def _without_head(said: str) -> str:
    head = _HEAD.match(said)
    if head and is_idle(head["clause"]):
        rest = said[head.end() :]
        but = _BUT.match(rest)
        return rest[but.end() :] if but else rest
    for pattern in _HEADS:
        if (found := pattern.match(said)) and found.end() < len(said):
            return (found.groupdict().get("goes_on") or "") + said[found.end() :]
    return said


def _without_tail(said: str) -> str:
    end = _END.search(said)
    assert end is not None
    body, mark = said[: end.start()], "?" if "?" in end.group() else ""
    tail = _TAIL.search(body)
    if tail and is_idle(tail["clause"]):
        return body[: tail.start()].rstrip(" ,;") + mark
    for pattern in _TAILS:
        if (found := pattern.search(body)) and terms(body[: found.start()]):
            return body[: found.start()] + mark
    for pattern in (_LINK_AT_END, _PING_AT_END):
        if (found := pattern.search(body)) and _is_beside(body[: found.end("before")], found["before"]):
            return body[: found.end("before")] + mark
    return said


def _is_beside(before: str, last: str) -> bool:
    """Return whether the words before an address or a name ask something without it."""
    specific = [term for term in terms(before) if not is_general(term)]
    return len(specific) > 1 and normalise(last).strip(" ,.:;") not in _ABOUT


def is_idle(clause: str) -> bool:
    """Return whether the clause says nothing but what is about the exchange itself."""
    said = " ".join(normalise(clause).strip(" \t\n,.!?…:;()\"'«»").split())
    if _SAID.fullmatch(said):
        return True
    if turns_away(clause) or _ASKS.search(_SOMEBODY.sub(" ", said)):
        return False
    tokens = list(_TOKEN.finditer(clause))
    if not tokens:
        return True
    names, telling, calls = 0, False, False
    for token in tokens:
        word = normalise(token["word"] or "")
        if not word or word in _TELLING:
            telling, calls = True, calls or word in _CALLS
        elif word not in _BESIDE and word not in STOP_WORDS:
            names += 1
            if not (calls and token.group()[0].isupper() and names <= _MOST_NAMES):
                return False
    return telling
