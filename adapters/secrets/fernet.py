"""Sealing with Fernet: AES in CBC mode, and an HMAC by which a change is found out (github.com/fernet/spec)."""

from collections.abc import Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from core.errors import ConfigError

VARIABLE = "FOOTNOTE_SECRET_KEYS"
_MAKE_ONE = "make one with: footnote secrets new"


class FernetCipher:
    """The port `Cipher`: the first key seals, each of them opens.

    Raises ConfigError, which shows nothing of them, when there are none or one is no key.
    """

    def __init__(self, keys: Sequence[str]) -> None:
        if not keys:
            raise ConfigError(f"{VARIABLE} is not set, and tokens are only stored sealed: {_MAKE_ONE}")
        every = [_key(number, key) for number, key in enumerate(keys, 1)]
        self._newest, self._keys = every[0], MultiFernet(every)

    def seal(self, text: str) -> str:
        """Return the text, sealed with the first key."""
        return self._keys.encrypt(text.encode()).decode()

    def is_newest(self, sealed: str) -> bool:
        """Return whether the first key sealed it, and it was not changed."""
        try:
            self._newest.decrypt(sealed.encode())
        except (InvalidToken, UnicodeError):
            return False
        return True

    def open(self, sealed: str) -> str:
        """Return the text. Raises ConfigError when no key opens it, or it was changed."""
        try:
            return self._keys.decrypt(sealed.encode()).decode()
        except (InvalidToken, UnicodeError):
            raise ConfigError(
                f"{VARIABLE}: none of the keys opens what is stored; put the key that sealed it back, after a comma, "
                "or let the workspace install the app again"
            ) from None


def new_key() -> str:
    """Return a new key, of 32 random bytes."""
    return Fernet.generate_key().decode()


def _key(number: int, key: str) -> Fernet:
    try:
        return Fernet(key)
    except (ValueError, TypeError):
        raise ConfigError(
            f"{VARIABLE}: key {number} is none (44 letters, digits, - and _, the last a =): {_MAKE_ONE}"
        ) from None
