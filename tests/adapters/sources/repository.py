"""A Git repository made on the spot."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

_CONFIG = ("-c", "user.name=Anna", "-c", "user.email=anna@acme.example", "-c", "commit.gpgsign=false")


@dataclass(frozen=True)
class Repository:
    """A repository with a working tree, on the branch main."""

    folder: Path

    @classmethod
    def made(cls, folder: Path) -> "Repository":
        folder.mkdir(parents=True)
        repository = cls(folder)
        repository.git("init", "--quiet", "--initial-branch=main")
        return repository

    @property
    def address(self) -> str:
        return self.folder.as_uri()

    def git(self, *arguments: str, day: str = "2025-01-01") -> str:
        moment = f"{day}T12:00:00Z"
        days = {"GIT_COMMITTER_DATE": moment, "GIT_AUTHOR_DATE": moment}
        # Settings given to git do not reach the program that it starts for a submodule.
        environment = {**os.environ, **days, "GIT_ALLOW_PROTOCOL": "file"}
        command = ["git", *_CONFIG, "-C", str(self.folder), *arguments]
        done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)  # noqa: S603 - ours
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def commit(self, files: dict[str, str | bytes], day: str = "2025-01-01") -> str:
        """Commit these files on this day; return the commit."""
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "more", day=day)
        return self.git("rev-parse", "HEAD")
