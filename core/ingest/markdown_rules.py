"""What documents use beyond CommonMark: wiki links and footnotes, as rules of the Markdown parser."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

# The parser calls its rules by place: (state, silent) and (state, start, end, silent).
_WIKI = re.compile(r"!?\[\[([^\[\]|\n]{1,300})(?:\\?\|([^\[\]\n]{0,300}))?\]\]")
_REFERENCE = re.compile(r"\[\^[^\[\]\s^]{1,100}\]")
_DEFINITION = re.compile(r"\[\^[^\[\]\s^]{1,100}\]:[ \t]*")


def add_rules(parser: MarkdownIt) -> MarkdownIt:
    """Return the parser with wiki links as links, footnote marks dropped and footnotes as paragraphs."""
    parser.inline.ruler.before("link", "wiki_link", _wiki_link)
    parser.inline.ruler.before("link", "footnote_mark", _footnote_mark)
    parser.block.ruler.before(
        "reference", "footnote", _footnote, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )
    return parser


def _wiki_link(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    found = _WIKI.match(state.src, state.pos, state.posMax)
    if not found:
        return False
    if not silent:
        state.push("link_open", "a", 1).attrSet("href", found[1].rstrip("\\").strip())
        state.push("text", "", 0).content = (found[2] or found[1]).strip()
        state.push("link_close", "a", -1)
    state.pos = found.end()
    return True


def _footnote_mark(state: StateInline, _silent: bool) -> bool:  # noqa: FBT001
    found = _REFERENCE.match(state.src, state.pos, state.posMax)
    if not found or state.src.startswith("(", found.end()):
        return False
    state.pos = found.end()
    return True


def _footnote(state: StateBlock, start: int, _end: int, silent: bool) -> bool:  # noqa: FBT001
    """Step over the mark of a footnote: what follows it is then read as the paragraph it is."""
    begin = state.bMarks[start] + state.tShift[start]
    found = _DEFINITION.match(state.src, begin, state.eMarks[start])
    if not found:
        return False
    if not silent:
        state.bMarks[start], state.tShift[start], state.sCount[start] = found.end(), 0, state.blkIndent
    return silent
