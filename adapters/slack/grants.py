"""What one workspace gave the app when it installed it, as it is stored, sealed."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from slack_sdk.oauth.installation_store import Bot, Installation

from core.errors import ConfigError
from core.installing import Installed

# Seconds before its end in which a token is changed for the next: tokens that end last for twelve hours.
RENEW_BEFORE = 2 * 3600


@dataclass(frozen=True, slots=True)
class Grant:
    """The bot's token in one workspace, and who it is there; `ends_at`, in seconds since 1970, where tokens end."""

    team: str
    bot_user: str
    bot_id: str
    scopes: tuple[str, ...]
    token: str = field(repr=False)
    renewal: str | None = field(default=None, repr=False)
    ends_at: int | None = None
    installer: str = ""

    def secrets(self) -> dict[str, Any]:
        """Return it as JSON, to be sealed; with its workspace, so that nobody can lay it under another one."""
        names = ("team", "bot_user", "bot_id", "token", "renewal", "ends_at", "installer")
        return {name: getattr(self, name) for name in names} | {"scopes": list(self.scopes)}

    def is_due(self) -> bool:
        """Return whether the token is to be changed for the next."""
        return self._left() < RENEW_BEFORE

    def is_over(self) -> bool:
        """Return whether the token has ended."""
        return self._left() <= 0

    def bot(self) -> Bot:
        """Return it as the SDK's rotation takes it."""
        return Bot(
            team_id=self.team,
            bot_token=self.token,
            bot_id=self.bot_id,
            bot_user_id=self.bot_user,
            bot_scopes=list(self.scopes),
            bot_refresh_token=self.renewal,
            bot_token_expires_at=self.ends_at,
            installed_at=0.0,
        )

    def renewed(self, bot: Bot) -> "Grant":
        """Return it with the next token."""
        return replace(self, token=bot.bot_token, renewal=bot.bot_refresh_token, ends_at=bot.bot_token_expires_at)

    def _left(self) -> float:
        return float("inf") if self.ends_at is None or not self.renewal else self.ends_at - time.time()


def grant_of(installed: Installed) -> Grant:
    """Return what is stored of a workspace. Raises ConfigError when an older or newer Footnote stored it otherwise."""
    stored: Mapping[str, Any] = {"team": installed.tenant, **installed.secrets}
    try:
        if stored["team"] != installed.tenant:
            raise ConfigError(
                f"what is stored under workspace {installed.tenant} belongs to another one: install the app again"
            )
        return Grant(**(dict(stored) | {"scopes": tuple(stored["scopes"])}))
    except (KeyError, TypeError):
        raise ConfigError(
            f"what is stored of workspace {installed.tenant} is not readable: install the app again"
        ) from None


def granted(installation: Installation) -> Grant | None:
    """Return what an installation gave; None when it gave no bot, or no workspace to be one in."""
    if not (installation.team_id and installation.bot_token and installation.bot_user_id):
        return None
    return Grant(
        team=installation.team_id,
        bot_user=installation.bot_user_id,
        bot_id=installation.bot_id or "",
        scopes=tuple(installation.bot_scopes or ()),
        token=installation.bot_token,
        renewal=installation.bot_refresh_token,
        ends_at=installation.bot_token_expires_at,
        installer=installation.user_id or "",
    )
