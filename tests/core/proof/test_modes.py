"""What is demanded, forbidden, allowed or spared is the same in whatever words it is said, and nothing else is."""

import pytest

from core.checks import doubt_of, fault_of
from core.proof.backing import Backing
from core.proof.modes import Mode, modes
from core.proof.words import read


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("The pool is open.", "states"),
        ("The pool is not heated.", "denies"),
        ("Guests need a towel.", "demands"),
        ("Guests must not run.", "forbids"),
        ("Guests need not book.", "spares"),
        ("A towel is optional.", "spares"),
        ("Guests may bring food.", "allows"),
        ("Guests cannot bring food.", "forbids"),
        ("Diving is prohibited.", "forbids"),
        ("Nobody swims without a cap.", "demands"),
        ("Without a cap, nobody may swim.", "demands"),
        ("You can swim without a cap.", "spares"),
        ("Only members may swim.", "demands"),
        ("Only members must pay without a cap.", "unclear"),
        ("Even members may swim.", "unclear"),
        ("You need a cap without a locker.", "unclear"),
        ("Гостям нужно полотенце.", "demands"),
        ("Гости не должны бегать.", "forbids"),
        ("Гостям не нужно полотенце.", "spares"),
        ("Шапочка необязательна.", "spares"),
        ("Нырять нельзя.", "forbids"),
        ("Никто не может нырять.", "forbids"),
        ("Без шапочки никто не плавает.", "demands"),
        ("Без шапочки плавать можно.", "spares"),
        ("Плавать могут только взрослые.", "demands"),
    ],
)
def test_a_clause_has_a_mode(text: str, mode: Mode) -> None:
    """A denial turns what is demanded into what is spared, and “without” what is denied into what is demanded."""
    assert [mode] == [one.mode for one in modes(read(text))]


SAME = [
    ("Entry to the workshop requires safety shoes.", "Nobody may enter the workshop without safety shoes."),
    ("Nobody may enter the workshop without safety shoes.", "Entry to the workshop requires safety shoes."),
    ("Sketches may be copied but not sold.", "Selling sketches is forbidden."),
    ("Cyclists need a permit; walkers do not.", "Walkers need no permit."),
    ("Refunds need a receipt; exchanges do not.", "Exchanges are possible without a receipt."),
    ("The leak was noticed by a tenant, not by the caretaker.", "The caretaker did not notice the leak; a tenant did."),
    ("The garage has 12 spaces, of which 3 are covered, and no charger.", "The garage has 12 spaces."),
    ("Для входа в цех нужна каска.", "Без каски в цех не входят."),
    ("Без каски в цех не входят.", "Для входа в цех нужна каска."),
    ("Эскизы можно копировать, но нельзя продавать.", "Продажа эскизов запрещена."),
    ("В бассейн пускают только со справкой.", "Без справки в бассейн не пускают."),
    ("Курение в здании запрещено.", "Курить в здании нельзя."),
    ("Велосипедистам нужен пропуск, пешеходам не нужен.", "Пешеходам пропуск не нужен."),
]
OTHER = [
    ("Cyclists need a permit; walkers do not.", "Cyclists need no permit."),
    ("Helmets are compulsory for riders and optional for guides.", "Helmets are compulsory for guides."),
    ("Entry to the workshop requires safety shoes.", "You may enter the workshop without safety shoes."),
    ("The desk rejects parcels without a label.", "The desk can accept parcels without a label."),
    ("Sketches may be copied but not sold.", "Sketches may be sold."),
    ("The lift carries six people. Deliveries are not announced.", "The lift does not carry six people."),
    ("Каски обязательны для рабочих и необязательны для гостей.", "Каски обязательны для гостей."),
    ("Для входа в цех нужна каска.", "В цех можно войти без каски."),
    ("Эскизы можно копировать, но нельзя продавать.", "Эскизы можно продавать."),
    ("Пруд чистят весной. Он доступен только членам клуба.", "Пруд доступен и без членства в клубе."),
    ("Велосипедистам нужен пропуск, пешеходам не нужен.", "Велосипедистам пропуск не нужен."),
]


@pytest.mark.parametrize(("quote", "claim"), SAME)
def test_the_same_in_other_words_is_proven(quote: str, claim: str) -> None:
    """“Not without” demands, and what is not allowed is forbidden."""
    backing = Backing(quote, "", "")

    assert (None, None) == (fault_of(claim, backing), doubt_of(claim, backing))


@pytest.mark.parametrize(("quote", "claim"), OTHER)
def test_the_contrary_in_other_words_is_not_proven(quote: str, claim: str) -> None:
    """What is demanded of one is not demanded of all, and what is forbidden is not allowed."""
    backing = Backing(quote, "", "")

    assert fault_of(claim, backing) or doubt_of(claim, backing)
