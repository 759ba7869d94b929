"""Pages of drawn messages, and their pictures."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path

PHONE, DESKTOP = 375, 760
# Seconds that a browser may take for one page.
_PATIENCE = 60
# What a page tells of itself once it is laid out.
_TELLING = "<script>document.title = 'height ' + document.documentElement.scrollHeight</script>"
_HEIGHT = re.compile(r"<title>height (\d+)</title>")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")

_LOOKS = Path(__file__).parent


@dataclass(frozen=True)
class Scene:
    """What stands before a person after they did something: a title, and the messages as HTML."""

    title: str
    shown: str


def write_pages(folder: Path, platform: str, name: str, scenes: Iterable[Scene]) -> None:
    """Write the scenes as pages in the width of a phone and of a desktop, and as pictures where a browser is found."""
    body = "".join(f"<h1>{escape(scene.title)}</h1>{scene.shown}" for scene in scenes)
    folder.mkdir(parents=True, exist_ok=True)
    for width in (PHONE, DESKTOP):
        page = folder / f"{platform}-{name}-{width}.html"
        looks = "".join((_LOOKS / f"{sheet}.css").read_text("utf-8") for sheet in ("common", platform))
        style = f"{looks} body {{ width: {width}px; }}"
        page.write_text(f"<!doctype html><meta charset='utf-8'><style>{style}</style><body>{body}{_TELLING}", "utf-8")
        photograph(page, width)


def photograph(page: Path, width: int) -> Path | None:
    """Return the picture of a whole page, None where no browser is installed."""
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        return None
    picture = page.with_suffix(".png")
    told = _HEIGHT.search(_asked(browser, page, width, 800, "--dump-dom"))
    _asked(browser, page, width, int(told[1]) if told else 16_000, f"--screenshot={picture}")
    return picture


def _asked(browser: str, page: Path, width: int, height: int, order: str) -> str:
    with tempfile.TemporaryDirectory() as profile:
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", order]
        command += [f"--user-data-dir={profile}", f"--window-size={width},{height}", page.as_uri()]
        done = subprocess.run(command, check=True, capture_output=True, timeout=_PATIENCE)  # noqa: S603 - our own page
    return done.stdout.decode()
