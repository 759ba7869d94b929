"""Whatever stands in a file of groups or permissions: it is read, or refused in a sentence."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.groups import read_import
from bot.permissions import read_permissions
from core.errors import ConfigError

BOUNDED = settings(
    derandomize=True,
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
WORDS = (
    *("groups", "places", "folders", "labels", "readers", "люди", "анна@x.example", "slack:T1:C1", "telegram:-1"),
    *("members", "schemas", "emails", "value", "id", "displayName", "Resources", "urn:x:Group", "active", ""),
)
TREES = st.recursive(
    st.sampled_from([*WORDS, 5, True, None, 2.5]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=12,
)
MARKS = st.text(alphabet="ab,\"\n\r\x00 :@'é\u2028\t-[]{}&*!|>%#", max_size=40)


def read(folder: Path, name: str, text: str) -> None:
    """Read the file; a sentence that refuses it is an answer."""
    (folder / name).write_text(text, "utf-8", newline="")
    with suppress(ConfigError):
        if name == "permissions.yaml":
            read_permissions(folder)
        else:
            assert all(read_import(folder / name))


@BOUNDED
@given(TREES)
def test_any_tree(tmp_path: Path, tree: object) -> None:
    """Every shape that JSON and YAML can have, made of the words that matter."""
    read(tmp_path, "a.json", json.dumps(tree))
    read(tmp_path, "permissions.yaml", yaml.safe_dump(tree, allow_unicode=True))


@BOUNDED
@given(MARKS)
def test_any_text(tmp_path: Path, text: str) -> None:
    """Text made of the marks that CSV, JSON and YAML are made of."""
    for name in ("a.csv", "a.json", "permissions.yaml"):
        read(tmp_path, name, text)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", '{"displayName": "люди", "members": 5}', "its members are no list"),
        ("a.csv", "люди,анна@x.example\nlab," + "b" * 140_000, "a.csv, line 2: it is no CSV (field larger"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, name: str, text: str, said: str) -> None:
    """A list that is none, and a cell without an end, are refused with the place."""
    (tmp_path / name).write_text(text, "utf-8")

    with pytest.raises(ConfigError) as refused:
        read_import(tmp_path / name)

    assert said in str(refused.value)
