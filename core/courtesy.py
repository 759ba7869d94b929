"""What is said out of courtesy: thanks, a greeting, a sign of having understood, an emoji. It asks for nothing.

The words are a closed class in each language; a message counts only when it holds nothing else.
"""

import re
from collections.abc import Mapping
from typing import Literal

from core.text import normalise

Courtesy = Literal["bye", "sorry", "thanks", "hello", "ok"]

# Nobody is thanked at greater length.
_MOST_WORDS = 12
# So many signs are no face any more, but noise: five thousand brackets.
_MOST_SIGNS = 40


def any_of(written: str) -> str:
    """Return a pattern of what is written a line or a bar apart."""
    return "|".join(line.strip() for line in written.strip().splitlines())


# Tried in order: "ok, thanks, bye" is a farewell.
_SAID: Mapping[Courtesy, str] = {
    "bye": any_of(
        r"""
        bye|goodbye|see you|good night|пока|до свидания|до встречи|до связи|всего доброго|хорошего дня
        спокойной ночи
        """
    ),
    "thanks": any_of(
        r"""
        (?:many |a thousand )?thanks?|thank(?:s| you| u)|thx|ty|cheers|much appreciated|appreciate it
        appreciated|great|perfect|awesome|nice|cool|excellent|super|wonderful|amazing|brilliant|lovely|fantastic
        good (?:job|answer|bot)|well done
        (?:this|that|it|which) (?:really )?(?:helps|helped|is helpful|was helpful|works|worked)|helpful|спасибо
        спасибки|спс|пасиб\w?|благодарю|мерси|супер|отлично|класс|классно|круто|здорово|прекрасно|замечательно
        великолепно|чудесно|молодец|умница|(?:это )?(?:очень )?помогло|то что (?:надо|нужно)|полезно
        """
    ),
    "hello": any_of(
        r"""
        hi|hello|hey|greetings|good (?:morning|afternoon|evening|day)|привет\w*|здравствуй(?:те)?
        добр(?:ый|ое|ого) (?:день|утро|вечер|дня|утра|вечера)|хай|салют
        """
    ),
    "ok": any_of(
        r"""
        ok|okay|okey|k|kk|got it|gotcha|i see|i understand|understood|clear|sure|fine|alright|all right
        all clear|noted|will do|sounds good|makes sense|good|right|agreed|no more questions
        (?:this|that)(?: s| is| was) (?:all|it)|yes|yep|yeah|lol|ha(?:ha)*|ок|окей|ладно|понял[аи]?|понятно|ясно
        хорошо|ага|угу|да|принято|договорились|годится|логично|учту|(?:больше )?вопросов (?:больше )?нет|это все
        ха(?:ха)*|лол
        """
    ),
}
_BESIDE = any_of(
    r"""
    you|your|very|much|so|a|an|lot|lots|many|for|the|help|helping|answer|answers|info|information|advice|this
    that|it|is|was|s|all|now|again|everyone|everybody|folks|team|bot|there|and|really|just|quick|reply|oh|well
    then|again|большое|огромное|вам|вас|тебе|тебя|за|помощь|ответ|ответы|информацию|подсказку|совет|совсем|все
    всем|очень|и|бот|уже|теперь|тогда|так|мне|это|ну|ой|о|друг|коллеги|пожалуйста
    """
)
_SIGNS = re.compile(r"[\W_]+")
_ANY = re.compile(rf"(?:{_BESIDE}|{'|'.join(_SAID.values())})(?: (?:{_BESIDE}|{'|'.join(_SAID.values())}))*")
_HEAD: Mapping[Courtesy, re.Pattern[str]] = {kind: re.compile(rf"\b(?:{said})\b") for kind, said in _SAID.items()}
_ASKS = re.compile("[?？❓❔⁉🤔]")

_UNHAPPY = re.compile("[👎😡🤬😠😞😟😕🙁☹😣😖😢😭🤦💩❌]|[:;=]['’]?-?[(/\\\\|]|(?<!\\S)\\(+(?!\\S)")
_HAPPY = re.compile("[👍👏🙏🙌👌🤝💪❤🧡💛💚💙💜🔥🎉🥳💯✅✔⭐🌟🤩😍🥰😘🤗😊☺🙂🫡🫶]|[:;=]-?[)D]|(?<!\\S)\\)+(?!\\S)|<3")
# Any other sign, which thanks for nothing.
_SIGN = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\u2b50]")


def courtesy(text: str) -> Courtesy | None:
    """Return what the message says out of courtesy, None when it says anything besides, or asks."""
    said = _SIGNS.sub(" ", normalise(text)).strip()
    if not said:
        return _of_signs(text)
    if _ASKS.search(text) or len(said.split()) > _MOST_WORDS or not _ANY.fullmatch(said):
        return None
    if _UNHAPPY.search(text):
        return "sorry"
    return next((kind for kind, head in _HEAD.items() if head.search(said)), None)


def _of_signs(text: str) -> Courtesy | None:
    if _ASKS.search(text) or len(text.strip()) > _MOST_SIGNS:
        return None
    if _UNHAPPY.search(text):
        return "sorry"
    return "thanks" if _HAPPY.search(text) else "ok" if _SIGN.search(text) else None
