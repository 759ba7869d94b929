"""Everyday words that are names of people and programs too."""

# In running text they are names only where they are written like one.
EVERYDAY = frozenset(
    """
    go may will mark bill art rose grace hope faith joy dawn june april august march dean grant frank jack rob pat sue
    max chip drew guy ray rich sandy penny robin rusty sky star sun summer autumn autumnal winter spring heath dale
    rag aid care smart lean safe fast fit help get make done open close note teams team box base
    word access express click basic next nest helm salt chef ant hive pig storm flow beam swarm rails shell
    net set put run cut let day way sun team home point light blue green red black white gold silver stone
    март апрель июнь июль август порт спор мост
    вера надежда любовь роза мир лев марк сорока лада заря луч маяк волна звезда весна осень рада слава май юля
    сова орел волк заяц сокол ворон грач гусь рыба лист лес поле море река гора камень огонь ветер дом мост путь
    """.split()
)
