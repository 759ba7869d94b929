"""Exports of Google Docs, Confluence and Notion are read as they are shown."""

from tests.adapters.loaders.made import one, rows_of, shapes


def google(style: str, body: str) -> str:
    """Return a page as Google Docs exports it."""
    return f'<html><head><style>{style}</style></head><body class="c3 doc-content">{body}</body></html>'


def test_what_a_class_strikes_out_is_not_said() -> None:
    """Google Docs says by a class of its own making what is struck out or raised."""
    page = google(
        "@import url(x);.c1{color:#000;text-decoration:line-through}.c7{vertical-align:super}ol{margin:0}",
        '<p><span>The limit is </span><span class="c4 c1">40</span><span> 55 euros, 10</span>'
        '<span class="c7" style="color:red">6</span><span> in all.</span></p>',
    )

    assert one("a.html", page).text == "The limit is 55 euros, 10⁶ in all."


def test_classes_that_hide_or_print_are_left_alone() -> None:
    """What a script may show, or only a printer strikes out, is read."""
    page = google(".tab{display:none}@media print{.c1{text-decoration:line-through}}", '<p class="tab c1">Да</p>')

    assert one("a.html", page).text == "Да"


def test_title_and_remarks_of_google() -> None:
    """The style of the title makes it the title; what people remarked under the document is none of it."""
    document = one(
        "a.html",
        google(
            "",
            '<p class="c2 title"><span>Командировки</span></p><h1>Суточные</h1><p>95 евро'
            '<sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup>.</p><div class="c9"><p>'
            '<a href="#cmnt_ref1" id="cmnt1">[a]</a><span>Может, 60?</span></p></div>',
        ),
    )

    assert document.title == "Командировки"
    assert shapes(document) == [("heading", "Суточные"), ("paragraph", "95 евро.")]


def test_tables_of_google_have_names() -> None:
    """No cell says that it names a column: the rows do."""
    page = google(
        "",
        "<table><tr><td>City</td><td>Limit</td></tr><tr><td>Paris</td><td>80</td></tr>"
        "<tr><td>Rome</td><td>70</td></tr></table>",
    )

    assert rows_of(one("a.html", page)) == [(("City", "Limit"), "Paris | 80"), (("City", "Limit"), "Rome | 70")]


def test_tasks_keep_their_ticks() -> None:
    """Confluence, Notion and GitHub each have a way of their own to show that something is done."""
    page = (
        '<ul><li class="checked" data-inline-task-id="1">Отдел кадров</li><li data-inline-task-id="2">Пропуск</li></ul>'
        '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> Badge</li>'
        '<li><div class="checkbox checkbox-off"></div> Keys</li></ul>'
        '<ul><li><input type="checkbox" disabled checked> Done</li><li><input type="checkbox"> Open</li></ul>'
    )

    assert [text for _, text in shapes(one("a.html", page))] == [
        *("☑ Отдел кадров", "☐ Пропуск", "☑ Badge", "☐ Keys", "☑ Done", "☐ Open"),
    ]


def test_the_title_of_confluence() -> None:
    """The name of the space is none of the page's; its table of contents is furniture."""
    page = (
        '<html><head><title>HR : Leave</title></head><body><h1 id="title-heading"><span id="title-text">HR : Leave'
        '</span></h1><div class="toc-macro"><ul><li><a href="#x">Carrying over</a></li></ul></div>'
        '<h2 id="x">Carrying over</h2><p>5 days.</p></body></html>'
    )
    document = one("a.html", page)

    assert (document.title, document.text) == ("Leave", "Carrying over\n5 days.")


def test_a_table_with_names_of_rows_and_columns() -> None:
    """The empty corner does not keep the columns from their names."""
    page = "<table><tr><td></td><th>2024</th><th>2025</th></tr><tr><th>Север</th><td>1</td><td>2</td></tr></table>"

    assert rows_of(one("a.html", page)) == [(("", "2024", "2025"), "Север | 1 | 2")]
