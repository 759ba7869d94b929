"""Whether Slack and Telegram show the same of every labelled question of the examples: answered once, shown on both.

python -m benchmarks.parity [--json]
"""

import argparse
import asyncio
import json
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.embedding.universal import UniversalEmbedder
from tests.corpora import EXAMPLES, company, index
from tests.suites.parity import in_slack, in_telegram
from tests.suites.test_parity import CORPORA, asked, bare, labelled


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = asyncio.run(_judged())
    print(json.dumps(figures) if options.json else "\n".join(f"{name:34} {value}" for name, value in figures.items()))


async def _judged() -> dict[str, int | float]:
    counted, embedder, began = Counter[str](), UniversalEmbedder(), time.process_time()
    for corpus in CORPORA:
        with TemporaryDirectory() as folder:
            data = Path(folder) / "data"
            await index(EXAMPLES / corpus, data, embedder)
            async with company(data, embedder) as of:
                for one in labelled(corpus):
                    reply = (await asked(of, one, "telegram")).reply
                    counted["questions"] += 1
                    counted["refusals"] += reply.is_refusal
                    counted["shown otherwise"] += in_slack(bare(reply)) != in_telegram(bare(reply))
    return {**counted, "seconds of CPU, with indexing": round(time.process_time() - began, 1)}


if __name__ == "__main__":
    main()
