"""Jupyter notebooks are read as a reader sees them."""

import json

import pytest

from core.errors import IngestError
from tests.adapters.loaders.made import inside, one, shapes


def notebook(*cells: object) -> str:
    """Return a notebook of version 4."""
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_texts_code_and_what_it_printed() -> None:
    """Texts are Markdown, code and its results are code; pictures, errors and raw cells give nothing."""
    outputs = [
        {"output_type": "stream", "text": ["0.05\n", "ok\n"]},
        {"output_type": "execute_result", "data": {"text/plain": ["42"], "text/html": "<b>42</b>"}},
        {"output_type": "display_data", "data": {"image/png": "iVBOR"}},
        {"output_type": "error", "traceback": ["x"]},
        "broken",
    ]
    document = one(
        "a.ipynb",
        notebook(
            {"cell_type": "markdown", "source": ["# Отток\n", "\n", "Отток **5 %** за март."]},
            {"cell_type": "code", "source": "print(share)\nshare", "outputs": outputs},
            {"cell_type": "raw", "source": "raw"},
            {"cell_type": "markdown", "source": "## Next\n\n- ask Anna \ud800"},
            {"cell_type": "code", "source": 5, "outputs": None},
            "broken",
        ),
    )

    assert document.title == "Отток"
    assert shapes(document) == [
        ("paragraph", "Отток 5 % за март."),
        *(("code", text) for text in ("print(share)\nshare", "0.05\nok", "42")),
        ("heading", "Next"),
        ("item", "ask Anna"),
    ]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("{", "is not a notebook (Expecting"),
        ("[]", "is not a notebook of version 4"),
        ('{"worksheets": [{"cells": []}]}', "is not a notebook of version 4"),
        (notebook({"cell_type": "markdown", "source": "\n" * 700_000}), "has more than 300,000 lines"),
        ("[" * 200_000, "is not a notebook ("),
    ],
)
def test_what_is_no_notebook_is_named(data: str, told: str) -> None:
    """A file that is broken, old or a log is refused with the remedy."""
    (problem,) = inside("a.ipynb", data)

    assert isinstance(problem, IngestError)
    assert told in problem.reason


@pytest.mark.parametrize(
    ("name", "told"), [("a.rst", ".md or .html"), ("a.epub", ".pdf or .docx"), ("a.mht", ".html"), ("a.log", ".txt")]
)
def test_what_is_not_read_is_named_with_what_to_do(name: str, told: str) -> None:
    """Each format says which one to save it as."""
    (problem,) = inside(name, "Title\n=====")

    assert str(problem).endswith(f"save it as {told}, or move it out of the folder")
