"""Who reads in a Telegram chat: in a private one the person; of a group nobody tells a bot who is in it."""

from core.audience import Reader, Room

EVERYBODY = "workspace:telegram"
# They stand for somebody in a group who does not show who it is (core.telegram.org/bots/api#user and #chat).
_NOBODY = frozenset(("", "1087968824", "136817688", "777000"))


class TelegramMembers:
    """The port `Membership` for Telegram."""

    async def room(self, place: str, *, fresh: bool = False) -> Room:
        """Return a chat; the readers of a group are not known."""
        del fresh
        if place.startswith("-"):
            return Room("telegram", frozenset({f"telegram:{place}", EVERYBODY}))
        return Room("telegram", frozenset({f"telegram:{place}", EVERYBODY}), _known(place))

    async def person(self, place: str, person: str) -> Reader | None:
        """Return a person by the number that nobody else has."""
        del place
        return next(iter(_known(person)), None)


def _known(person: str) -> tuple[Reader, ...]:
    return () if person in _NOBODY else (Reader(frozenset({f"telegram:{person}", EVERYBODY})),)
