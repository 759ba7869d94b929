"""`footnote.yaml` declares the sources of a corpus; each mistake in it is told with its line."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.declared import Declared, read_declared
from bot.places import FolderPlace, GitPlace, ReaderPlace, SitePlace, SlackPlace
from core.errors import ConfigError

WHOLE = """\
title: Акме
entities:
  - {id: vpn, type: technology, name: VPN, aliases: [частная сеть]}
sources:
  - folder: handbook
    name: справочник
    readers: [staff, people-team]
    kind: policy
    link_base: https://handbook.example.com/
  - site: https://docs.example.com/guide/
    pages: 2000
    pause: 1
  - git: git@github.com:acme/runbooks.git
    branch: main
    under: docs
  - slack: ["#general", C0123ABC]
    since: 2024-01-01
    zone: Europe/Berlin
  - reader: llama_index.readers.notion:NotionPageReader
    arguments: {integration_token: "${NOTION_TOKEN}"}
    load: {page_ids: [a, b]}
"""


def declared(folder: Path, text: str) -> Declared:
    """Return what a file with this text declares."""
    path = folder / "footnote.yaml"
    path.write_text(text, "utf-8")
    return read_declared(path)


def mistake(folder: Path, text: str) -> str:
    """Return what is wrong with the file, without its name."""
    with pytest.raises(ConfigError) as raised:
        declared(folder, text)
    return str(raised.value).removeprefix("footnote.yaml, ")


def test_every_kind_of_source_is_declared(elsewhere: Path) -> None:
    """The sources come in their order with their options; the rest is what a domain.yaml could say."""
    found = declared(elsewhere, WHOLE)

    assert [FolderPlace, SitePlace, GitPlace, SlackPlace, ReaderPlace] == [type(place) for place in found.places]
    folder, site, git, slack, reader = found.places
    assert isinstance(folder, FolderPlace)
    assert (elsewhere / "handbook", "справочник", ("staff", "people-team"), "policy") == (
        folder.folder, folder.name, folder.readers, folder.kind,
    )  # fmt: skip
    assert isinstance(site, SitePlace)
    assert (2000, 1.0, "/guide") == (site.pages, site.pause, site.below)
    assert isinstance(git, GitPlace)
    assert ("main", "docs") == (git.branch, git.under)
    assert isinstance(slack, SlackPlace)
    assert (("#general", "C0123ABC"), "Europe/Berlin") == (slack.channels, slack.zone)
    assert isinstance(reader, ReaderPlace)
    assert {"page_ids": ["a", "b"]} == reader.load
    assert ("Акме", "VPN") == (found.domain["title"], found.domain["entities"][0]["name"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: it holds no keys and values"),
        ("title: A\n", "line 1: name the sources"),
        ("title: A\nsource: [{folder: a}]\n", "line 2: there is no 'source': did you mean 'sources'?"),
        ("sources: []\n", "line 1: name the sources"),
        ("sources:\n  - folder: a\n  - handbook\n", "line 3: a source begins with one of folder, site"),
        ("sources:\n  - sight: https://x/\n", "line 2: there is no 'sight': did you mean 'site'?"),
        ("sources:\n  - folder: a\n    site: https://x/\n", "line 2: one source is either a folder or a site"),
        ("sources:\n  - folder: a\n    reader_s: [x]\n", "line 3: a folder has no 'reader_s': did you mean 'readers'?"),
        ("sources:\n  - site: https://x/\n    zone: UTC\n", "line 3: a site has no 'zone': it takes name, readers"),
        ("sources:\n  - site: https://x/\n    pages: many\n", "line 3: pages: write a whole number"),
        ("sources:\n  - folder: a\n    readers: []\n", "line 3: readers: name the groups that may read it"),
        ("sources:\n  - slack: '#a'\n    zone: Мир\n", "line 3: zone: no time zone is called 'Мир'"),
        ("sources:\n  - site: https://a:b@x/\n", "line 2: site: a password does not belong into an address"),
        ("sources:\n  - reader: a.b:C\n    arguments: {api_key: x}\n", "line 2: reader: api_key is a secret"),
        ("sources:\n  - folder: кадры\n  - folder: x/кадры\n", "line 3: two sources are called 'кадры'"),
        ("sources:\n  - folder: a\nlink_base: https://x/\n", "line 3: link_base is for one source"),
        ("sources:\n  - folder: a\nentities:\n  - {id: a}\n", "line 4: entities.0.name: it is missing"),
        ("sources:\n  - folder: a\nintent: []\n", "there is no 'intent': did you mean 'intents'? Correct"),
        ("sources:\n  - folder: a\n    readers: [a]\n    readers: [b]\n", "line 4: 'readers' stands twice"),
        ("sources: [\n  - a\n", "line 2: "),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line(text: str, said: str, elsewhere: Path) -> None:
    """The error names the line, what is wrong there and what may have been meant."""
    assert said in mistake(elsewhere, text)


def test_a_file_that_is_no_text_is_refused(elsewhere: Path) -> None:
    """Bytes that are no UTF-8 are told in words."""
    (elsewhere / "footnote.yaml").write_bytes(b"sources: [\xff]")

    with pytest.raises(ConfigError, match="save it as YAML in UTF-8"):
        read_declared(elsewhere / "footnote.yaml")


def test_paths_count_from_the_file(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the command is given, the folder beside the file is meant."""
    (elsewhere / "footnote.yaml").write_text("sources:\n  - folder: handbook\n", "utf-8")
    monkeypatch.chdir("/")
    (place,) = read_declared(elsewhere / "footnote.yaml").places

    assert FolderPlace(folder=elsewhere / "handbook") == place


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["sources", "folder", "site", "slack", "readers", "title", "entities"]),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
@settings(derandomize=True, max_examples=100)
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, value: object) -> None:
    """No YAML ends in anything but places or a ConfigError."""
    import yaml

    try:
        found = declared(tmp_path_factory.mktemp("any"), yaml.safe_dump(value, allow_unicode=True))
    except ConfigError:
        return
    assert found.places
