"""How much of a web site is read, how politely, and under which name."""

from dataclasses import dataclass
from typing import Final

# The word by which robots.txt speaks to us, and the whole name that every request gives.
PRODUCT: Final = "Footnote"
USER_AGENT: Final = f"{PRODUCT}/0.1 (reads this site's pages to answer questions with links to them)"

# Seconds from one request to the next; a site that asks for longer gets it, up to a pause that nobody waits for.
PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 60.0

PAGES: Final = 10_000
# No reader takes a larger document.
PAGE_BYTES: Final = 50_000_000
SITE_BYTES: Final = 2_000_000_000
# Links to follow from the start page to a page.
DEPTH: Final = 20
SITEMAPS: Final = 500
# RFC 9309, section 2.5: what a visitor reads of robots.txt at least.
ROBOTS_BYTES: Final = 512_000

REDIRECTS: Final = 5
TRIES: Final = 3
# So many pages one after the other that fail: the site is down, and asking for the rest would take hours.
FAILURES_IN_A_ROW: Final = 20
CONNECT_SECONDS: Final = 15.0
READ_SECONDS: Final = 30.0
PAGE_SECONDS: Final = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a visit to a site may take: addresses asked for, bytes of one page and of all, links from the start."""

    pages: int = PAGES
    page_bytes: int = PAGE_BYTES
    site_bytes: int = SITE_BYTES
    depth: int = DEPTH
