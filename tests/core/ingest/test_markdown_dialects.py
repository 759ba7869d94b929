"""What MkDocs, Docusaurus, GitBook and Obsidian add to Markdown is read as they show it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ingest.markdown import pieces_of
from core.ingest.markdown_dialects import plain_markdown


def shapes(source: str) -> list[tuple[str, int, str]]:
    """Return kind, depth and text of each piece."""
    return [(piece.kind, piece.depth, piece.text) for piece in pieces_of(plain_markdown(source))]


def test_boxes_of_mkdocs() -> None:
    """A box is its title and its text, not code; what follows stands outside it; one may stand in another."""
    source = (
        '!!! warning "Осторожно"\n    В пятницу **нельзя**.\n\n    Спросите Анну.\n\n    ??? note\n        Внутри.\n\n'
        "        ```\n        run\n        ```\nПосле."
    )

    assert shapes(source) == [
        ("paragraph", 0, "Осторожно"),
        ("paragraph", 0, "В пятницу нельзя."),
        ("paragraph", 0, "Спросите Анну."),
        ("paragraph", 0, "Внутри."),
        ("code", 0, "run"),
        ("paragraph", 0, "После."),
    ]


def test_tabs_of_mkdocs() -> None:
    """What a tab holds stands under its name, so that nobody is told another system's command."""
    linux = '=== "Linux"\n    Run `apt install`.\n\n'
    source = f'{linux}=== "Windows"\n\n    Run `winget install`.\n\n    Then restart.\n\nDone.'

    assert shapes(source) == [
        ("item", 0, "Linux\nRun apt install."),
        ("item", 0, "Windows\nRun winget install.\nThen restart."),
        ("paragraph", 0, "Done."),
    ]


@pytest.mark.parametrize(
    "source",
    [
        ":::tip Совет\nТёмная тема.\n:::",
        "::: tip Совет\n\nТёмная тема.\n\n:::",
        ":::tip[Совет]{.wide}\nТёмная тема.\n:::\n",
        "::::tip Совет\nТёмная тема.\n::::",
        '{% hint style="info" %}\nСовет\n\nТёмная тема.\n{% endhint %}',
        "{{< notice tip >}}\nСовет\n{{< /notice >}}\n\nТёмная тема.",
        "import Tabs from '@theme/Tabs';\n{/* for the writers */}\n\nСовет\n{: .lead }\n\nТёмная тема.",
    ],
)
def test_marks_on_lines_of_their_own(source: str) -> None:
    """The marks are not read, what stands between them is."""
    assert [text for _, _, text in shapes(source)] == ["Совет", "Тёмная тема."]


def test_obsidian() -> None:
    """Remarks and names of blocks are not shown, marked words are; a folded box has its title."""
    source = (
        "==Важно==: до 5 мая. %% спросить Олега %% ^a1b2c3\n\n%%\nчерновик: 60 евро\n%%\n\n"
        "> [!note]- Ключ\n> Личный.\n\n> [!warning|wide]\n> Не терять.\n\n> Просто цитата."
    )

    assert shapes(source) == [
        ("paragraph", 0, "Важно: до 5 мая."),
        ("quote", 0, "Ключ"),
        ("quote", 0, "Личный."),
        ("quote", 0, "Не терять."),
        ("quote", 0, "Просто цитата."),
    ]


def test_anchors_and_attributes() -> None:
    """The name of a heading's anchor is none of the heading."""
    assert shapes("## Setup {#setup .x}\n\nSee [the page](a.md){ .md-button } and {{ name }}.") == [
        ("heading", 2, "Setup"),
        ("paragraph", 0, "See the page and {{ name }}."),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "```\n!!! note\n    x == y %% z\n:::\n```",
        "~~~~\n```\n{% raw %}\n~~~~",
        "Set `a %%b%% c` and `==x==`.",
        "If a == b and c == d, 5 ^2.",
        "100 %% of it",
        "%% never closed",
        "Заголовок\n===",
        "!!!",
        "- a\n\n      code",
    ],
)
def test_what_only_looks_like_it(source: str) -> None:
    """Code, comparisons and powers stay as they are."""
    assert plain_markdown(source) == source


@given(st.text(alphabet='!?:=%"{}#^ \n`-a~', max_size=200))
def test_anything_is_read(source: str) -> None:
    """No line fails, and no more than marks are lost."""
    assert set(plain_markdown(source)) <= {*source, "\n", "-", " "}


@pytest.mark.parametrize("line", [":::a" + " " * 100_000 + "{", "# " + " {#" * 50_000, "%%\n" * 60_000, "==a" * 60_000])
def test_time_grows_with_the_length(line: str) -> None:
    """No line makes the reader look again and again."""
    begun = time.process_time()
    plain_markdown(line)

    assert time.process_time() - begun < 5
