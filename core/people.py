"""A person as both platforms and the settings name them: slack:T0TEAM:U0PERSON or telegram:123456."""

import re
from dataclasses import dataclass

from core.conversation import PlatformName
from core.errors import ConfigError

_SLACK = re.compile(r"slack:([TE][A-Z0-9]{1,30}):([UW][A-Z0-9]{1,30})")
_TELEGRAM = re.compile(r"telegram:([1-9][0-9]{0,19})")


@dataclass(frozen=True, slots=True)
class Person:
    """One person on one platform. `number` is how the platform counts people, `workspace` where, if it has such."""

    platform: PlatformName
    number: str
    workspace: str | None = None

    def __str__(self) -> str:
        """Return the person as it is written."""
        return ":".join(filter(None, (self.platform, self.workspace, self.number)))


def read_person(text: str) -> Person:
    """Return the person that is written so. Raises ConfigError for anything else: a name could be anybody's."""
    if found := _SLACK.fullmatch(text):
        return Person("slack", found[2], found[1])
    if found := _TELEGRAM.fullmatch(text):
        return Person("telegram", found[1])
    raise ConfigError(f"{text!r} is nobody: write slack:T0TEAM:U0PERSON or telegram:123456, by their ids")
