"""Pictures of what the bot shows: journeys through both stand-ins, drawn as the platforms draw them.

`python -m tests.pictures FOLDER` walks them with `footnote run`, and writes a page for each platform, width and
language, as PNG besides where a Chromium is installed.
"""
