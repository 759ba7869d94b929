"""Words that name a thing and say nothing of it: a question without its “what is”, or somebody's talk."""

import re

from core.text import words

_MOST = 8
# What ends or parts a sentence, and what lays stress on it; the dot of a file's name, or of a short form, does neither.
_SENTENCE = re.compile(r"[?!,;…]|[.:](?:\s|$)|\s[—–-]\s")
# Who talks, whom they talk of, and what is only ever said: closed classes in each language.
_SAID = frozenset(
    """
i you u he she it we they me him us them my mine your yours his her hers their this that these those here there
is are was were am be been being will would can could should shall may might must do does did done have has had let
i'm it's that's let's don't didn't won't can't i'll i've we'll not no yes yep nope nah ok okay k oh ah wow lol haha heh
thanks thank thx cool nice great good bad sure right same classic true agreed sorry please hi hello hey bye wrong fine
too again now then later tomorrow today yesterday soon still just really already never always maybe so very much lot
see ask asked tell told say said send sent get got go going went know think check look make made take took give to
я меня мне мной ты тебя тебе тобой вы вас вам вами он она оно они его ему им ей нам нас нами мы них нее ней неё себя
себе свой своя свое мой моя мое мои это этот эта эти то тот та те тут там здесь вот
ого ну да нет ок окей ага угу ладно понял поняла понятно ясно спасибо хорошо отлично супер класс круто жаль извини
тоже уже еще ещё потом сейчас сегодня завтра вчера опять снова очень много мало так надо нужно пора все всё же бы ли не
конечно видимо кстати просто давай давайте вроде кажется точно нормально норм привет пока сам сама
""".split()
)
# In Russian an ending tells what somebody does, or did to themselves; what was done is told by no ending alone.
_DOES = re.compile(r"\w{2,}(?:ешь|ишь|ете|ться|тся|лся|лась|лось|лись|[аяеуи]ют|ает|яет|ует)")
# A thing is named in the first case, which ends neither in these nor as what somebody is told to do.
_FIRST = re.compile(r"[а-я]+(?:[ую]|й(?:те)?(?<![ыиоае]й))")


def names_a_thing(folded: str) -> bool:
    """Return whether the words, normalised, only name something: «суточные в командировке», “sick leave policy”.

    What people say to each other is left out by the words that talk is made of; what is left may be either, and only
    what documents know of it can tell.
    """
    told = words(folded)
    if not told or len(told) > _MOST or _SENTENCE.search(folded):
        return False
    return not (_FIRST.fullmatch(told[0]) or any(word in _SAID or _DOES.fullmatch(word) for word in told))
