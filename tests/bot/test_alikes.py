"""What is likely meant to say who may read what is read, or refused with the name that it should have."""

from pathlib import Path
from unicodedata import normalize

import pytest

from bot.alikes import check_alike
from bot.permissions import FILE, KEYS
from bot.rules import rules_for
from core.errors import ConfigError
from core.ingest.domain import DOMAIN_KEYS

RULES = "groups: {hr: [telegram:1]}\nfolders: {hr: [hr]}\n"


@pytest.mark.parametrize(
    "name",
    [
        *("permissions.yml", "Permissions.yaml", "PERMISSIONS.YAML", ".permissions.yaml", "_permissions.yaml"),
        *("permission.yaml", "premissions.yaml", "permisions.yml", "permissions (1).yaml", "permissions.yaml.txt"),
        *("permissions.yaml.yml", "permissions-2.yaml", "рermissions.yaml"),
    ],
)
@pytest.mark.parametrize("where", ["beside", "here"])
def test_a_file_with_nearly_the_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, where: str
) -> None:
    """Beside the documents and in the working folder: what it is to close would be open."""
    docs, here = tmp_path / "firm" / "docs", tmp_path / "here"
    docs.mkdir(parents=True)
    here.mkdir()
    monkeypatch.chdir(here)
    (here if where == "here" else docs.parent).joinpath(name).write_text(RULES, "utf-8")

    with pytest.raises(ConfigError, match=r"what it says does not hold: did you mean permissions\.yaml"):
        rules_for([docs], None, None)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        *((name, RULES) for name in ("permissions.md", "permissions.example.yaml", "permissions.yaml.bak")),
        *((name, RULES) for name in ("permissions-old.yaml", "footnote.yaml", "commissions-eu.yaml")),
        ("permission.yaml", "title: Who may do what\nroles: {admin: [write]}\n"),
    ],
)
def test_other_files_may_lie_there(tmp_path: Path, name: str, said: str) -> None:
    """Copies that are kept, samples, and what speaks of something else."""
    (tmp_path / FILE).write_text(RULES, "utf-8")
    (tmp_path / name).write_text(said, "utf-8")
    check_alike(tmp_path, FILE, KEYS)


def test_among_documents_only_what_is_rules_is_refused(tmp_path: Path) -> None:
    """A page may be called so."""
    (tmp_path / "permissions.yml").write_text("title: Permissions\nadmins: may write\n", "utf-8")
    check_alike(tmp_path, FILE, KEYS, is_document=True)
    (tmp_path / "permissions.yml").write_text(RULES, "utf-8")

    with pytest.raises(ConfigError, match="did you mean"):
        check_alike(tmp_path, FILE, KEYS, is_document=True)


@pytest.mark.parametrize("name", ["domain.yml", "Domain.yaml", "domains.yaml", ".domain.yaml", "domian.yaml"])
def test_what_is_declared_has_one_name_too(tmp_path: Path, name: str) -> None:
    """As `domain.yaml`."""
    (tmp_path / name).write_text("entities: [{id: а, name: Альфа}]\n", "utf-8")

    with pytest.raises(ConfigError, match=r"did you mean domain\.yaml"):
        check_alike(tmp_path, "domain.yaml", DOMAIN_KEYS, is_document=True)


def test_the_same_file_by_another_name_is_read(tmp_path: Path) -> None:
    """A disk that knows no case, or that stores й as two characters, gives the same file under both names."""
    (tmp_path / FILE).write_text(RULES, "utf-8")
    (tmp_path / normalize("NFD", "Permissions.yaml")).hardlink_to(tmp_path / FILE)
    check_alike(tmp_path, FILE, KEYS)
