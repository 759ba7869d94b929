"""A repository is read as its branch has it, and nothing of it runs."""

import asyncio
import shutil
import subprocess
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.loaders.formats import KNOWN
from adapters.sources import git as git_module
from adapters.sources import git_program
from adapters.sources.git import GitCheckout
from adapters.sources.git_address import Remote, remote_of
from core.errors import ConfigError
from tests.adapters.sources.gathered import errors_of, gathered, items_of
from tests.adapters.sources.repository import Repository
from tests.adapters.sources.site import Reply, Site


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """Return the folder for copies."""
    return tmp_path / "copies"


def copies(cache: Path) -> list[Path]:
    """Return what lies in the folder for copies."""
    return list(cache.iterdir())


async def test_the_files_of_a_branch(repository: Repository, cache: Path) -> None:
    """Every readable file comes under its path, with the day on which it was changed last."""
    repository.commit({"README.md": "# Acme", "docs/отпуск.md": "27 дней"}, "2024-01-10")
    repository.commit({"docs/отпуск.md": "28 дней", "notes with spaces.txt": "x"}, "2025-03-31")
    repository.commit({"src/app.py": "print()", ".github/a.md": "hidden", "Makefile": "all:"}, "2025-04-01")

    found = await items_of(GitCheckout(repository.address, cache=cache))

    assert {"README.md": "2024-01-10", "docs/отпуск.md": "2025-03-31", "notes with spaces.txt": "2025-03-31"} == {
        name: item.updated for name, item in found.items()
    }
    assert "28 дней" == found["docs/отпуск.md"].data.decode()
    assert {None} == {item.link for item in found.values()}


async def test_what_changed_since(repository: Repository, cache: Path) -> None:
    """The second run brings the copy up to date: what was added, changed, removed, even in a rewritten history."""
    repository.commit({"a.md": "1", "b.md": "1"}, "2025-01-01")
    source = GitCheckout(repository.folder, cache=cache, readers=frozenset({"staff"}))
    await items_of(source)
    repository.commit({"a.md": "2", "в.md": "1"}, "2025-01-02")
    (repository.folder / "b.md").unlink()
    repository.git("add", "--all")
    repository.git("commit", "--quiet", "--amend", "--message", "anew", day="2025-01-03")

    found = await items_of(source)

    assert {"a.md": "2025-01-03", "в.md": "2025-01-03"} == {name: item.updated for name, item in found.items()}
    assert b"2" == found["a.md"].data
    assert found["a.md"].readers == {"staff"}
    assert [path.suffix for path in copies(cache)] == [".git"]


async def test_a_branch_and_a_folder(repository: Repository, cache: Path) -> None:
    """Another branch, its name in Russian too, and one folder of it."""
    repository.commit({"a.md": "main"})
    repository.git("checkout", "--quiet", "-b", "черновик")
    repository.commit({"docs/b.md": "draft", "documents/c.md": "no"}, "2025-02-02")

    found = await items_of(GitCheckout(repository.address, "черновик", cache=cache, under="/docs/"))

    assert ["docs/b.md"] == list(found)
    assert ["a.md"] == list(await items_of(GitCheckout(repository.address, "main", cache=cache)))


async def test_a_merge_is_a_day_of_its_own(repository: Repository, cache: Path) -> None:
    """What came by a merge came to the branch on the day of the merge."""
    repository.commit({"a.md": "1"}, "2025-01-01")
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit({"b.md": "1"}, "2025-01-02")
    repository.git("checkout", "--quiet", "main")
    repository.commit({"c.md": "1"}, "2025-01-03")
    repository.git("merge", "--quiet", "--no-ff", "--message", "merge", "side", day="2025-01-04")

    found = await items_of(GitCheckout(repository.address, cache=cache))

    assert {"a.md": "2025-01-01", "b.md": "2025-01-04", "c.md": "2025-01-03"} == {
        n: i.updated for n, i in found.items()
    }


async def test_a_shallow_copy_does_not_guess(repository: Repository, cache: Path) -> None:
    """A file that none of the fetched commits changed has no day: the oldest of them only seems to add it."""
    repository.commit({"old.md": "1"}, "2020-01-01")
    repository.commit({"mid.md": "1"}, "2021-01-01")
    repository.commit({"new.md": "1"}, "2022-01-01")
    source = GitCheckout(repository.address, cache=cache, commits=2)

    assert {"mid.md": None, "new.md": "2022-01-01", "old.md": None} == {
        name: item.updated for name, item in (await items_of(source)).items()
    }


async def test_links_and_submodules_are_left_out(repository: Repository, cache: Path, tmp_path: Path) -> None:
    """A link in a repository may lead to any file of this computer, so it is none of its files."""
    (tmp_path / "secret.md").write_text("secret")
    (repository.folder / "link.md").symlink_to(tmp_path / "secret.md")
    other = Repository.made(tmp_path / "other")
    other.commit({"inner.md": "x"})
    repository.commit({"a.md": "1"})
    repository.git("submodule", "--quiet", "add", other.address, "part.md")
    repository.commit({"b.md": "1"})

    assert ["a.md", "b.md"] == list(await items_of(GitCheckout(repository.address, cache=cache)))


async def test_what_cannot_be_read_is_told(
    repository: Repository, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is too long, kept elsewhere or named impossibly is told, and the others are read."""
    monkeypatch.setattr(git_module, "FILE_BYTES", 1_000)
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    repository.commit({"a.md": "1", "big.md": "x" * 1_001, "lfs.pdf": pointer, "two\nlines.md": "x", "z.md": "2"})

    found = await gathered(GitCheckout(repository.address, cache=cache))

    assert ["a.md", "z.md"] == [item.name for item in found if hasattr(item, "name")]
    assert {
        "big.md": "has 1,001 bytes, more than 1,000: split it",
        "lfs.pdf": "is kept in Git LFS, not in the repository: give its folder as a source instead",
        "two\\nlines.md": "its name has characters that cannot be shown: rename it",
    } == await errors_of(GitCheckout(repository.address, cache=cache))


async def test_nothing_of_it_runs(repository: Repository, cache: Path, tmp_path: Path) -> None:
    """Neither hooks of the copy nor attributes of the repository start a program."""
    mark = tmp_path / "ran"
    repository.commit({"a.md": "1\n", ".gitattributes": "*.md filter=evil diff=evil"})
    source = GitCheckout(repository.address, cache=cache)
    await items_of(source)
    (copy,) = copies(cache)
    hooks = copy / "hooks"
    hooks.mkdir()
    for name in ("reference-transaction", "post-checkout", "post-merge"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {mark}\n")
        (hooks / name).chmod(0o755)
    repository.commit({"a.md": "2\n"})

    assert b"2\n" == (await items_of(source))["a.md"].data
    assert not mark.exists()


async def test_no_host_sends_its_reader_elsewhere(cache: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A redirect is not followed, so that neither another machine nor another host is shown the login."""
    monkeypatch.setattr(git_program, "_PROTOCOLS", "http")
    monkeypatch.setattr(git_module, "remote_of", lambda _: Remote(str(site("/a.git")), "anna:secret"))
    there = str(site("/elsewhere")).replace("127.0.0.1", "localhost")
    site["/a.git/info/refs?service=git-upload-pack"] = Reply(
        b"", status=302, headers={"Location": f"{there}/info/refs"}
    )

    with pytest.raises(ConfigError, match=r"cannot be fetched.* 302"):
        await items_of(GitCheckout("https://host.example/a.git", cache=cache))
    assert not [path for path in site.asked if "elsewhere" in path]


async def test_a_broken_copy_is_made_anew(repository: Repository, cache: Path) -> None:
    """A copy that was damaged or left locked is replaced."""
    repository.commit({"a.md": "1"})
    source = GitCheckout(repository.address, cache=cache)
    await items_of(source)
    (copy,) = copies(cache)
    shutil.rmtree(copy / "objects")
    (copy / "shallow.lock").touch()

    assert ["a.md"] == list(await items_of(source))


@pytest.mark.parametrize("branch", ["missing", None])
async def test_nothing_to_fetch(repository: Repository, cache: Path, branch: str | None) -> None:
    """A branch that is not there, and a repository without a commit, are told with what to check."""
    with pytest.raises(ConfigError, match="cannot be fetched: check its address, the branch"):
        await gathered(GitCheckout(repository.address, branch, cache=cache))

    assert [] == copies(cache)


async def test_nothing_to_read(repository: Repository, cache: Path) -> None:
    """A repository without a document is told."""
    repository.commit({"app.py": "print()"})

    with pytest.raises(ConfigError, match="holds nothing to read"):
        await gathered(GitCheckout(repository.address, cache=cache))


async def test_without_git(repository: Repository, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer without git is told what to install."""
    monkeypatch.setenv("PATH", "")

    with pytest.raises(ConfigError, match="git is missing: install it"):
        await gathered(GitCheckout(repository.address, cache=cache))


def slow_git(folder: Path) -> Path:
    """Put a git into the folder that does not end by itself; return where it and what it starts are named."""
    slow, pids = folder / "git", folder / "pids"
    slow.write_text(f"#!/bin/sh\nsleep 100 &\necho $$ $! > {pids}.new && mv {pids}.new {pids}\nwait\n")
    slow.chmod(0o755)
    return pids


async def test_cancelled_while_git_is_at_work(
    repository: Repository, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever cancels need not wait for git: it ends with all that it started, and no half of a copy stays."""
    pids = slow_git(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    task = asyncio.create_task(gathered(GitCheckout(repository.address, cache=cache)))
    async with asyncio.timeout(20):
        while not pids.exists():
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    assert task.cancelled()
    assert [] == [pid for pid in map(int, pids.read_text().split()) if _is_running(pid)]
    assert [] == copies(cache)


async def test_cancelled_while_git_starts(
    repository: Repository, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever cancels before git's output can be read need not wait either for what git has started by then."""
    pids = slow_git(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    loop, given_up = asyncio.get_running_loop(), asyncio.Event()
    connect = loop.connect_read_pipe

    async def late(*arguments: Any) -> Any:
        await given_up.wait()
        return await connect(*arguments)

    monkeypatch.setattr(loop, "connect_read_pipe", late)
    task = asyncio.create_task(gathered(GitCheckout(repository.address, cache=cache)))
    async with asyncio.timeout(20):
        while not pids.exists():
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.sleep(0)
        given_up.set()
        await asyncio.gather(task, return_exceptions=True)

    assert task.cancelled()
    assert [] == [pid for pid in map(int, pids.read_text().split()) if _is_running(pid)]


async def test_git_asks_nobody(
    repository: Repository, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git may not ask for a password, run what an address names, or read what is typed into the service."""
    noted = tmp_path / "noted"
    (tmp_path / "git").write_text(f'#!/bin/sh\nenv > {noted}\necho "$@" >> {noted}\ncat >> {noted}\nexit 1\n')
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("GIT_TERMINAL_PROMPT", "1")
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "ext")
    with pytest.raises(ConfigError):
        await gathered(GitCheckout(repository.address, cache=cache))

    lines = noted.read_text().splitlines()
    assert {"GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=file:https:ssh"} <= set(lines)
    assert "core.hooksPath=/dev/null" in lines[-1]


def _is_running(pid: int) -> bool:
    """Return whether the program runs; one that nobody has waited for yet has ended all the same."""
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


async def test_credentials_stay_out_of_sight(cache: Path, unused_tcp_port: int) -> None:
    """The login in an address is in no name, error, command or file that stays."""
    place = f"https://anna:s3cret%2Dword@127.0.0.1:{unused_tcp_port}/acme/docs.git"
    source = GitCheckout(place, cache=cache)

    with pytest.raises(ConfigError) as told:
        await gathered(source)

    assert f"the repository https://127.0.0.1:{unused_tcp_port}/acme/docs.git" == source.name
    assert "s3cret" not in f"{source!r}{told.value}{told.value.__cause__}"
    assert [] == copies(cache)


def test_the_login_reaches_git(tmp_path: Path) -> None:
    """Git reads the login for that host, and for no other."""
    remote = remote_of("https://anna:пароль@git.acme.example/docs")
    (tmp_path / "login").write_text(remote.settings, "utf-8")

    def header(address: str) -> str:
        command = ["git", "-c", f"include.path={tmp_path / 'login'}", "config", "--get-urlmatch", "http.extraHeader"]
        return subprocess.run([*command, address], capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603

    assert "Authorization: Basic YW5uYTrQv9Cw0YDQvtC70Yw=" == header("https://git.acme.example/docs")
    assert "" == header("https://git.acme.example.evil.example/docs")


@pytest.mark.parametrize(
    "place",
    [
        "--upload-pack=touch x",
        "ext::sh -c touch% x",
        "fd::17",
        "http://acme.example/docs.git",
        "git://acme.example/docs.git",
        "https:///docs.git",
        "ssh://-oProxyCommand=touch/x",
        "-oProxyCommand=x:docs",
        "https://[",
        "file://host/share",
        "/no/such/folder",
        "long" * 2_000,
        "~nobody-has-such-a-home/docs",
        "",
    ],
)
def test_addresses_that_git_is_not_asked_for(place: str, cache: Path) -> None:
    """An address that runs a program, is an option or goes in the open is refused."""
    with pytest.raises(ConfigError, match="write it as"):
        GitCheckout(place, cache=cache)


@pytest.mark.parametrize("branch", ["", "-b", "a..b", "a b", "a:b", "+a^", "a.lock", "/a", "@{u}", "a\nb"])
def test_no_branch(branch: str, cache: Path) -> None:
    """What no branch is called is refused."""
    with pytest.raises(ConfigError, match="no branch can be called"):
        GitCheckout("git@acme.example:docs.git", branch, cache=cache)


@pytest.mark.parametrize(
    ("place", "address"),
    [
        ("https://anna:x@git.acme.example/a/b.git?x=1", "https://git.acme.example/a/b.git"),
        ("ssh://git:x@git.acme.example:2222/a/b.git", "ssh://git@git.acme.example:2222/a/b.git"),
        ("git@git.acme.example:a/b.git", "git@git.acme.example:a/b.git"),
    ],
)
def test_addresses(place: str, address: str) -> None:
    """Git is given the address without its password."""
    assert address == remote_of(place).address


@pytest.mark.parametrize(
    ("place", "link"),
    [
        ("https://x:y@github.com/acme/docs.git", "https://github.com/acme/docs/blob/c0ffee/%D0%B0%20b.md"),
        ("https://gitlab.acme.example/a/b/docs", "https://gitlab.acme.example/a/b/docs/-/blob/c0ffee/%D0%B0%20b.md"),
        ("https://codeberg.org/acme/docs/", "https://codeberg.org/acme/docs/src/commit/c0ffee/%D0%B0%20b.md"),
        ("https://bitbucket.org/acme/docs.git", "https://bitbucket.org/acme/docs/src/c0ffee/%D0%B0%20b.md"),
        ("https://git.acme.example/docs.git", None),
        ("git@github.com:acme/docs.git", None),
    ],
)
def test_links(place: str, link: str | None) -> None:
    """A host whose pages are known shows the file at the commit."""
    assert link == remote_of(place).link("c0ffee", "а b.md")


@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.text(max_size=30), st.sampled_from(["", "https://", "ssh://", "git@", "ext::", "file:///", "https://a:b@"]))
def test_any_address(text: str, begin: str) -> None:
    """Whatever is given as an address is one that git may be asked for, or is refused."""
    try:
        remote = remote_of(begin + text)
    except ConfigError:
        return

    assert not remote.address.startswith("-")
    assert (
        remote.address.partition("://")[0] in ("https", "ssh", "file") or "@" in remote.address or ":" in remote.address
    )
    assert remote.folder.endswith(".git")
    assert "/" not in remote.folder


async def test_every_format_that_is_read(repository: Repository, cache: Path) -> None:
    """Whatever is read in a folder is read in a repository, too."""
    names = {f"a{number}{suffix}": "x" for number, suffix in enumerate(KNOWN)}
    repository.commit({**names, "введение.mdx": "# Введение"})

    assert {*names, "введение.mdx"} == set(await items_of(GitCheckout(repository.address, cache=cache)))


async def test_documents_in_other_formats_are_named(repository: Repository, cache: Path) -> None:
    """A document that nobody reads is no silence; programs, settings and pictures are."""
    others = {"docs/план.rst": "План", "old.doc": "x", "a.py": "x", "b.toml": "x", "c.png": "x", ".github/d.rst": "x"}
    repository.commit({"README.md": "# Acme", **others})

    assert {
        "docs/план.rst": "no reader for .rst: save it as .md or .html",
        "old.doc": "no reader for .doc: save it as .docx",
    } == await errors_of(GitCheckout(repository.address, cache=cache))


async def test_nothing_but_other_formats(repository: Repository, cache: Path) -> None:
    """What there is says why nothing is read, and what could be done."""
    repository.commit({"docs/index.adoc": "= Acme", "docs/план.rst": "План", "a.py": "x"})

    told = "give another branch or folder; 2 documents have no reader, the first: docs/index.adoc: no reader for .adoc"
    with pytest.raises(ConfigError, match=told):
        await gathered(GitCheckout(repository.address, cache=cache))
