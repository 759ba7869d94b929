"""What is typed for where documents are is understood, or refused with advice."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.places import FolderPlace, GitPlace, Place, ReaderPlace, SitePlace, SlackPlace
from bot.wheres import called, place_of, where_of
from core.errors import ConfigError

HOW = {"site": "https://docs.example.com/guide/", "git": "https://git.example.com/acme/handbook.git"}


def refusal(where: str) -> str:
    """Return why it is not understood."""
    with pytest.raises(ConfigError) as raised:
        place_of(where)
    return str(raised.value)


@pytest.mark.parametrize(
    ("where", "place"),
    [
        ("https://docs.example.com/guide/#top", SitePlace(site=HOW["site"])),
        ("https://anna:${WIKI_PASSWORD}@wiki.example.com/", SitePlace(site="https://anna:${WIKI_PASSWORD}@wiki.example.com/")),
        ("https://пример.рф/кадры", SitePlace(site="https://пример.рф/кадры")),
        (HOW["git"], GitPlace(git=HOW["git"])),
        (f"git+{HOW['git']}#main:docs/кадры", GitPlace(git=HOW["git"], branch="main", under="docs/кадры")),
        ("git+https://${TOKEN}@git.example.com/a/b", GitPlace(git="https://${TOKEN}@git.example.com/a/b")),
        ("git@github.com:acme/handbook.git#:docs", GitPlace(git="git@github.com:acme/handbook.git", under="docs")),
        ("ssh://git@host/acme/handbook", GitPlace(git="ssh://git@host/acme/handbook")),
        ("slack:#general", SlackPlace(slack=("#general",))),
        ("slack:#общий, C0123ABC", SlackPlace(slack=("#общий", "C0123ABC"))),
        ("slack:all", SlackPlace(slack=("all",))),
        ("reader:my.module:Notion", ReaderPlace(reader="my.module:Notion")),
        (
            "reader:my.module:Wiki?lang=ru&deep=true&load.pages=[Берлин, Paris]&token=${WIKI}",
            ReaderPlace(
                reader="my.module:Wiki",
                arguments={"lang": "ru", "deep": True, "token": "${WIKI}"},
                load={"pages": ["Берлин", "Paris"]},
            ),
        ),
    ],
)  # fmt: skip
def test_a_place_is_understood(where: str, place: Place) -> None:
    """Each kind of source is written in its own way, and what is stored of it is read as the same again."""
    assert place == place_of(where)
    assert place == place_of(where_of(place))


def test_a_folder_is_one_wherever_one_stands(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path is kept whole, so that a schedule finds it from another folder; links are followed."""
    (elsewhere / "кадры").mkdir()
    (elsewhere / "people").symlink_to(elsewhere / "кадры")
    place = place_of("people")
    monkeypatch.chdir("/")

    assert FolderPlace(folder=(elsewhere / "кадры").resolve()) == place == place_of(where_of(place))


def test_what_exists_is_a_folder_first(elsewhere: Path) -> None:
    """A folder may be called like anything else."""
    (elsewhere / "slack:#general").mkdir()
    (elsewhere / "a=b").mkdir()

    assert all(isinstance(place_of(where), FolderPlace) for where in ("slack:#general", "a=b"))


def test_a_bare_repository_is_one(elsewhere: Path) -> None:
    """A folder that holds a repository and no files is read as a repository."""
    (elsewhere / "handbook.git" / "objects").mkdir(parents=True)
    (elsewhere / "handbook.git" / "HEAD").write_text("ref: refs/heads/main\n")

    assert isinstance(place_of("handbook.git"), GitPlace)


def test_a_place_may_be_named(elsewhere: Path) -> None:
    """The name before the sign is the folder of its documents."""
    (elsewhere / "docs").mkdir()
    place = place_of("кадры=docs")

    assert ("кадры", FolderPlace) == (place.name, type(place))
    assert "кадры" == called(place)


@pytest.mark.parametrize(
    ("where", "name"),
    [
        (HOW["site"], "docs.example.com"),
        ("http://anna:${P}@localhost:8080/a", "localhost-8080"),
        (HOW["git"], "handbook"),
        ("git@github.com:acme/handbook.git", "handbook"),
        ("slack:#a", "slack"),
        ("reader:a.b:Notion", "Notion"),
    ],
)
def test_a_place_has_a_name_of_its_own(where: str, name: str) -> None:
    """Without a given name it is called as where it stands, whatever else is indexed."""
    assert name == called(place_of(where))


@pytest.mark.parametrize(
    ("where", "advice"),
    [
        ("handbok", "did you mean handbook?"),
        ("./каддры", "did you mean кадры?"),
        ("docs.example.com/guide", "did you mean https://docs.example.com/guide?"),
        ("htps://docs.example.com/", "did you mean https://docs.example.com/?"),
        ("#general", "did you mean slack:#general?"),
        ("slak:#general", "did you mean slack:#general?"),
        ("slack:general", "write slack:#general for one by its name"),
        ("slack:", "name a channel"),
        ("my.module:Class", "did you mean reader:my.module:Class?"),
        ("reader:module", "write it as reader:package.module:Class"),
        ("reader:a.b:C?x", "write key=value"),
        ("https://github.com/acme/handbook", "write https://github.com/acme/handbook.git"),
        ("nothing-like-it", "Give a folder, https://site/"),
        ("ftp://files.example.com/", "neither a folder"),
        ("", "neither a folder"),
        ("notes.txt", "is a file: give the folder"),
    ],
)
def test_what_is_not_understood_is_refused_with_advice(where: str, advice: str, elsewhere: Path) -> None:
    """The error says what was not understood and what may have been meant."""
    (elsewhere / "handbook").mkdir()
    (elsewhere / "кадры").mkdir()
    (elsewhere / "notes.txt").write_text("x")

    assert advice in refusal(where)
    assert where.removeprefix("reader:a.b:C") in refusal(where)


@pytest.mark.parametrize(
    "where",
    [
        "https://anna:hunter2@wiki.example.com/",
        "https://ghp_abcdef@github.com/acme/handbook.git",
        "https://wiki.example.com/?token=hunter2",
        "reader:a.b:C?api_key=hunter2",
        "reader:a.b:C?load.password=hunter2",
    ],
)
def test_nothing_secret_is_taken_in_plain(where: str) -> None:
    """A password would be stored with the index: a variable takes its place."""
    said = refusal(where)

    assert "secret" in said or "password" in said


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"pages": 0}, "greater than or equal to 1"),
        ({"readers": []}, "name the groups"),
        ({"readers": " , "}, "name the groups"),
        ({"name": "../up"}, "pattern"),
        ({"name": ".hidden"}, "pattern"),
        ({"pause": 90}, "less than or equal to 60"),
        ({"link_base": "wiki"}, "pattern"),
    ],
)
def test_options_are_checked(more: dict[str, Any], complaint: str) -> None:
    """A value that cannot be meant is refused; readers that name nobody look closed and would be open."""
    with pytest.raises(ValueError, match=complaint):
        SitePlace.model_validate({"site": "https://x.example.com/"} | more)


def test_a_zone_and_a_day_are_checked() -> None:
    """A time zone that nobody knows is refused, and a day is one."""
    assert date(2025, 1, 6) == SlackPlace.model_validate({"slack": "#a", "since": "2025-01-06"}).since
    with pytest.raises(ValueError, match="no time zone is called"):
        SlackPlace.model_validate({"slack": "#a", "zone": "Europe/Atlantis"})


@pytest.mark.parametrize(
    ("site", "under", "below"),
    [
        ("https://x/", None, "/"),
        ("https://x", None, "/"),
        ("https://x/start.html", None, "/"),
        ("https://x/docs/", None, "/docs"),
        ("https://x/docs/a/start.html", None, "/docs/a"),
        ("https://x/docs/sitemap.xml", None, "/"),
        ("https://x/docs/", "/", "/"),
    ],
)
def test_a_start_page_says_what_part_of_the_site_is_meant(site: str, under: str | None, below: str) -> None:
    """The pages in its folder are read, all that a sitemap names, or what is declared."""
    assert below == SitePlace(site=site, under=under).below


@given(st.text(max_size=60))
@settings(derandomize=True, max_examples=200)
def test_whatever_is_typed_is_understood_or_refused(where: str) -> None:
    """No text ends in anything but a place or advice."""
    try:
        place = place_of(where)
    except ConfigError:
        return
    assert place == place_of(where_of(place)).model_copy(update={"name": place.name})
