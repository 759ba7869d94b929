"""An object store for the tests, from a wheel: it speaks S3 on loopback, and is gone when they are over."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import count

# In a process of its own, which takes four seconds to load; it ends when our end of the pipe is closed.
_SERVE = """
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
"""


@dataclass(frozen=True, slots=True)
class ObjectStore:
    """A running store."""

    port: int
    _numbers: Iterator[int] = field(default_factory=count)

    @property
    def variables(self) -> dict[str, str]:
        """Return the environment that leads to it."""
        return keys_for(self.port)

    def bucket(self) -> str:
        """Return the address of a new bucket with nothing in it."""
        name = f"bucket-{next(self._numbers)}"
        assert self._asked("PUT", f"/{name}")[0] == 200
        return f"s3://{name}"

    def names(self, address: str) -> list[str]:
        """Return the keys of everything in a bucket."""
        listed = self._asked("GET", f"/{address.removeprefix('s3://')}?list-type=2")[1]
        return [piece.partition("</Key>")[0] for piece in listed.split("<Key>")[1:]]

    def _asked(self, method: str, path: str) -> tuple[int, str]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path)
            reply = connection.getresponse()
            return reply.status, reply.read().decode()
        finally:
            connection.close()


def keys_for(port: int) -> dict[str, str]:
    """Return the environment that leads to a store on this port, with keys that nobody needs to know."""
    return {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "not-to-be-shown",
        "AWS_REGION": "us-east-1",
    }


@contextmanager
def storing() -> Iterator[ObjectStore]:
    """Give a new store; it stops at the end."""
    serve = (sys.executable, "-W", "ignore", "-c", _SERVE)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(serve, text=True, **pipes) as server:  # type: ignore[call-overload]  # noqa: S603 - ours
        yield ObjectStore(int(server.stdout.readline()))
        server.stdin.close()
