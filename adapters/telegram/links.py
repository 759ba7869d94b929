"""Links from a source under an answer in a group to the private chat, where it can be asked about alone."""

import hmac
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from hashlib import sha256

from core.conversation import MessageRef

# Chat, message, source: with the seal 40 of the 64 characters that Telegram takes (its bots/features, "Deep linking").
_NAMED = struct.Struct(">qIH")
# Guessing one in a million years takes a million million tries a second.
_SEAL_BYTES = 16
OPEN = "open:"


class Links:
    """Makes and reads them: sealed with a key made from the token, so that nobody finds out sources by guessing.

    What a link opens is for its reader to be allowed: it names a source, and shows nothing by itself.
    """

    def __init__(self, token: str, username: str) -> None:
        self._key = sha256(f"links to sources {token}".encode()).digest()
        self._username = username

    def to(self, evidence: MessageRef, number: int) -> str | None:
        """Return the address that opens a source, by the message that shows it; None for numbers of no Telegram."""
        try:
            named = _NAMED.pack(int(evidence.place), int(evidence.message), number)
        except (struct.error, ValueError):
            return None
        payload = urlsafe_b64encode(named + self._seal(named)).decode().rstrip("=")
        return f"https://t.me/{self._username}?start={payload}"

    def read(self, payload: str) -> tuple[MessageRef, int] | None:
        """Return the message and the number of the source that the link names; None for what is no link of ours."""
        try:
            found = urlsafe_b64decode(payload.encode("ascii") + b"=" * (-len(payload) % 4))
        except (Error, ValueError):
            return None
        named, seal = found[: _NAMED.size], found[_NAMED.size :]
        if len(named) != _NAMED.size or not hmac.compare_digest(seal, self._seal(named)):
            return None
        chat, message, number = _NAMED.unpack(named)
        return MessageRef("telegram", str(chat), str(message)), number

    def _seal(self, named: bytes) -> bytes:
        return hmac.digest(self._key, named, "sha256")[:_SEAL_BYTES]
