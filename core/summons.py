"""What is said to us that asks nothing of documents: a call into a thread, a word about ourselves, a question dropped.

All of it is of a closed class in each language; a message counts only when it holds nothing else.
"""

import re

from core.gist import calls_only, without_signs
from core.text import STOP_WORDS, normalise

# "Any idea?", "please answer", «что скажешь?»: what is meant stands above.
_CALLING = frozenset(
    """
know knows idea ideas thought thoughts opinion help answer answers answering tell say think thinks check look weigh
input ping bump explain above wdyt
подскажи подскажите подскажешь подскажете знаешь знаете знает скажи скажите скажешь скажете ответь ответьте ответишь
ответите помоги помогите поможешь поможете помощь думаешь думаете мнение идеи идея мысли глянь гляньте посмотри
посмотрите ответить подсказать помочь сказать объясни объясните выше курсе ответ
""".split()
)
_BESIDE = STOP_WORDS | frozenset(
    """
anyone anybody someone here there please pls bot our in may might must maybe think hey hi hello so well now question
this that these those what's
пожалуйста плиз бот может можешь можете сможешь поможет тут здесь там привет кто-нибудь какие какое есть твои твое
ваши ваше насчет этот этом этого вопрос вопросу поводу сам сама сейчас теперь
""".split()
)
_OVER_TO_US = re.compile(
    r"(?:(?:and|so|what about|how about|over to) you|your turn|\+1|wdyt|а (?:ты|вы)|твой ход|твоя очередь|как думаешь)"
)
_MOST_WORDS = 8

_ABOUT_US = re.compile(
    r"(?:(?:so|and|ok|hi|hello|hey|а|ну|и|привет|здравствуйте) )*(?:"
    r"(?:what|how) (?:can|could|do|would) (?:you|this bot|the bot|footnote) (?:do|help|answer|know)"
    r"(?: (?:for )?(?:me|us|here)| with)*"
    r"|(?:who|what)(?: are|['’]re|re) you(?: exactly| anyway| for)?|what is (?:this bot|your (?:name|job|purpose|role))"
    r"|are you (?:there|here|alive|awake|online|working|real|human|an?(?: (?:ai|real|chat))* ?(?:bot|robot|person|"
    r"human|ai)?)"
    r"|how (?:do|does|can|should|may) (?:i|we|one) (?:use|ask|talk to|work with) (?:you|this bot|the bot)"
    r"(?: (?:a )?questions?)?|how (?:do|does) (?:you|this bot|the bot) work"
    r"|(?:what|which)(?: (?:questions|things|topics|kind of questions))? (?:can|do|may|could|should) (?:i|we|you) "
    r"(?:ask|answer|understand)(?: you)?(?: about)?|what do you know(?: about)?|what commands (?:do you know|are there)"
    r"|introduce yourself|tell (?:me|us) about yourself|help(?: me)?|i need help|commands|menu|start|is this a bot"
    r"|(?:this is (?:just )?)?(?:a )?test(?:ing)?(?: test| testing)*(?: 1 2(?: 3)?)?|ping|hello world"
    r"|(?:is )?any(?:one|body) (?:here|there|home)"
    r"|что (?:ты|вы|бот|он|этот бот|здесь бот) (?:(?:вообще )?(?:уме|може|знае|дела)\w+)(?: делать)?"
    r"|(?:что|чем) (?:ты |вы )?(?:уме|може)\w+(?: (?:делать|помочь|полез\w+))?(?: мне| нам)?"
    r"|кто (?:ты|вы)(?: так(?:ой|ая|ие|ое))?|ты кто(?: так(?:ой|ая))?|(?:ты|вы) (?:бот|робот|человек|тут|здесь|жив\w*|"
    r"работаешь)"
    r"|что (?:ты|это) (?:такое|за бот)|как (?:тобой|вами|ботом|этим ботом) пользоваться|как (?:ты|бот|"
    r"этот бот) работает\w*"
    r"|как (?:ты|вы) работаешь|как (?:тебя|вас|бота) (?:спрашивать|спросить|использовать|зовут)"
    r"|(?:о чем|что|про что) (?:тебя |у тебя |вас |у вас )?(?:можно |могу )(?:спросить|спрашивать|узнать)(?: у тебя|"
    r" тебя| у вас)?"
    r"|помощь|помоги(?:те)?|нужна помощь|справка|хелп|команды|список команд|какие (?:есть |ты знаешь )?команды"
    r"|расскажи (?:мне )?о себе|представься|(?:это )?(?:просто )?тест(?: тест)*|проверка(?: связи)?|раз раз(?: раз)?|"
    r"пинг"
    r"|старт|начать|меню|алло|есть кто(?: живой)?"
    r")(?: please| пожалуйста| бот| bot)*"
)
_HELLO = re.compile(
    r"(?:hi|hiya|hello|hey|yo|greetings|good (?:morning|afternoon|evening|day)|привет\w*|здравствуй(?:те)?|хай|салют|"
    r"добр(?:ый|ое|ого) (?:день|утро|вечер|дня|утра|вечера)|доброго времени суток)\b"
)
_DROPPED = re.compile(
    r"(?:(?:oh|ah|ok|okay|sorry|oops|hm+|ой|ок|ладно|извини(?:те)?|прости(?:те)?|все|а|упс|уже|спасибо|thanks|that|"
    r"this|"
    r"please|пожалуйста|я|i|it|question|вопрос|bot|бот)[ ,]+)*(?:"
    r"(?:never ?mind|nvm|forget (?:it|that|about it)|ignore (?:this|that|me|it|my (?:question|message))|"
    r"disregard(?: this| that)?|"
    r"scratch that|cancel(?: that| this| it| my question)?|(?:i )?(?:have |just )?(?:already )?(?:found|figured|got|"
    r"solved)"
    r" (?:it|this|that|the answer)(?: out)?(?: already| myself)*|no longer (?:needed|relevant|necessary)|"
    r"(?:it['’]?s |is )?(?:resolved|solved|not needed|not relevant|sorted)|not needed any ?more|wrong (?:channel|"
    r"thread|chat)|"
    r"(?:i )?(?:do not|don['’]t|no longer) need (?:it|this|an answer)(?: any ?more)?)"
    r"|(?:(?:уже )?не (?:надо|нужно|важно|отвечай(?:те)?|актуально)|неважно|неактуально|забей(?:те)?|забудь(?:те)?|"
    r"отбой|отмена|"
    r"(?:уже |сам |сама |все |я )*(?:наш[её]л|нашла|нашли|разобрал(?:ся|ась|ись)|решил(?:ось|и)?)(?: уже| сам| сама)*|"
    r"(?:вопрос )?(?:снят|решен[оа]?|закрыт|снимаю|отменяется)|не туда|не в тот (?:чат|канал|тред)|проехали|"
    r"не бери в голову)"
    r")(?:[ ,]+(?:thanks|thank you|sorry|спасибо|извини(?:те)?|already|now|уже|found it|i found it|"
    r"(?:сам |сама |уже |все )*(?:наш[её]л|нашла|разобрал(?:ся|ась))(?: сам| сама| уже)*|guys|all|всем|больше|вопрос|"
    r"it|"
    r"please|пожалуйста|так|then|вопрос))*"
)
_BLANK = re.compile(r"[\s.!?…,;:)(—–-]+")


def has_a_question(text: str) -> bool:
    """Return whether there is anything in it that could be asked; what only calls us asks what stands above it."""
    said = without_signs(text)
    return any(char.isalnum() for char in said) and not beckons(text)


def beckons(text: str) -> bool:
    """Return whether the message only calls us to answer what others have asked: “any idea?”, “please answer”, “^”."""
    said = _said(text)
    if _OVER_TO_US.fullmatch(said):
        return True
    tokens = said.split()
    if not tokens or len(tokens) > _MOST_WORDS or not _CALLING.intersection(tokens):
        return False
    return all(token in _CALLING or token in _BESIDE for token in tokens)


def is_about_us(text: str) -> bool:
    """Return whether the message greets us, or asks who we are, what we can do, or whether we are there."""
    said = _said(text)
    if _ABOUT_US.fullmatch(said):
        return True
    return _HELLO.match(said) is not None and calls_only(text.replace("?", " "))


def drops_it(text: str) -> bool:
    """Return whether the message takes a question back: “never mind”, «не надо, уже нашёл»."""
    return _DROPPED.fullmatch(_said(text)) is not None


def _said(text: str) -> str:
    return " ".join(_BLANK.sub(" ", normalise(without_signs(text))).split())
