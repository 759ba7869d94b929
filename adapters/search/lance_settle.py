"""What makes tables quick to search: indices over vectors, words and columns, and few large files."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

# From so many passages on an index over the vectors is quicker than looking at all of them: at 10,000 passages of 512
# numbers 7 ms of CPU instead of 43 to 90.
INDEXED_FROM = 5_000
# Passages of a partition, and how many partitions there are at most. A search looks into PROBED of them, into all
# of those of a small table. Sentences of the built-in encoder, recall@10 and milliseconds of CPU with a filter: 60,000
# 0.99 and 5; 240,000 0.99 and 8; 480,000 0.98 and 11. Partitions of 400 took twice the time to make, for less recall.
_PARTITION, _MOST_PARTITIONS = 800, 1_024
PROBED = 96
# Passages of a partition from which its centre is told, and rounds of that. With LanceDB's 256 and 50, and with 80 and
# 16, recall was the same, and making the index took up to ten times as long.
_SAMPLES, _ROUNDS = 32, 8
# Partitions are made anew when the table has so many times the rows that they were made for.
_OUTGROWN = 4
# So many times fewer are tried where the passages are too much alike for as many.
_FEWER = 4
# Rows that no index has seen are searched one by one, files are opened one by one; over these they are taken in.
_MOST_UNSEEN, _MOST_FILES = 4_000, 40
# Versions that nobody needs any more, before they are removed: removing looks at every file.
_MOST_VERSIONS = 30
# Versions that are so little older than one that is kept stay too: removing begins only when files were joined.
_GRACE = timedelta(hours=1)
_FOR_EVER = timedelta(days=36_500)
# With the name of an index over the vectors goes how many partitions it was made for.
_VECTORS = "near_"
WORDS = "words"


async def settle_passages(table: Any) -> None:
    """Make the newest version of the passages quick to search; little is done when little was changed."""
    is_large = await table.count_rows() >= INDEXED_FROM
    # A new table has a file for each part of the run, and what a search brings would lie in all of them: 200 passages
    # out of 40 files took 6 ms, out of one file 1 ms. While there is no index yet, to write them as one costs little.
    await _tidied(table, 1 if is_large and not _partitions(await table.list_indices()) else _MOST_FILES)
    if is_large:
        await _with_columns(table, readers="LabelList", kind="Bitmap", language="Bitmap", day="BTree", doc_id="BTree")
        await _with_vectors(table)


async def settle_chunks(table: Any, *, full_text: bool) -> None:
    """Make the newest version of the chunks quick to read by document, and to search by words if asked to."""
    await _tidied(table, _MOST_FILES)
    if full_text:
        await _with_columns(table, readers="LabelList", kind="Bitmap", language="Bitmap", day="BTree", id="BTree")
        await _with_words(table)
    if full_text or await table.count_rows() >= INDEXED_FROM:
        await _with_columns(table, doc_id="BTree")


async def has_words(table: Any) -> bool:
    """Return whether the table can be searched by words."""
    return WORDS in {index.name for index in await table.list_indices()}


async def forget_before(table: Any, version: int) -> None:
    """Remove the versions before this one, once they are many; it and all later ones stay readable."""
    times = {known["version"]: known["timestamp"] for known in await table.list_versions()}
    if version not in times:
        return
    oldest = times[version] - _GRACE
    if sum(time < oldest for time in times.values()) > _MOST_VERSIONS:
        # LanceDB tells local time without its zone, and counts back from when it begins to remove.
        age = datetime.now() - oldest  # noqa: DTZ005 - compared with another time without a zone
        await table.optimize(cleanup_older_than=age)


async def _tidied(table: Any, most_files: int) -> None:
    """Write many small files as one and take the rows into the indices that these have not seen, if there are many.

    Old versions stay, however old they are: one of them is being read.
    """
    unseen = [index.num_unindexed_rows or 0 for index in await table.list_indices()]
    files = (await table.stats())["fragment_stats"]["num_fragments"]
    if files > most_files or max(unseen, default=0) > _MOST_UNSEEN:
        await table.optimize(cleanup_older_than=_FOR_EVER)


async def _with_columns(table: Any, **kinds: str) -> None:
    """Index the columns that have no index yet; `readers` needs one most: with it a filter costs next to nothing."""
    from lancedb import index as indices

    known = {column for index in await table.list_indices() for column in index.columns}
    for column, kind in kinds.items():
        if column not in known:
            await table.create_index(column, config=getattr(indices, kind)())


async def _with_vectors(table: Any) -> None:
    """Part the vectors, if they are not, or have outgrown their parts.

    A vector is kept as one byte for each number: the order among near ones is nearly always that of the exact search,
    and recall is lost only where a neighbour lies in a part that is not looked into. Passages that are much alike, such
    as those of pages made from one template, do not fill so many parts: then there are fewer, however many are named.
    """
    rows = await table.count_rows()
    wanted = min(_MOST_PARTITIONS, max(1, rows // _PARTITION))
    before = await table.list_indices()
    if (made := _partitions(before)) and wanted < _OUTGROWN * max(made.values()):
        return
    name = f"{_VECTORS}{wanted}"
    await _parted(table, max(_PARTITION, rows // wanted), name)
    for index in before:
        if "vector" in index.columns and index.name != name:
            await table.drop_index(index.name)


async def _parted(table: Any, size: int, name: str) -> None:
    """Part the vectors into parts of about this size.

    LanceDB keeps to the size when it takes rows in later; told a number of parts, it would go on with parts of a size
    of its own, some tens of thousands, and search them all (0.40: 150 parts became 2).
    """
    from lancedb.index import IvfSq

    config = IvfSq(distance_type="cosine", target_partition_size=size, max_iterations=_ROUNDS, sample_rate=_SAMPLES)
    try:
        await table.create_index("vector", config=config, name=name)
    except RuntimeError as error:
        # LanceDB 0.40 says so in words alone: "k-means could only form 63 non-empty clusters".
        if size >= await table.count_rows() or "non-empty clusters" not in str(error):
            raise
        await _parted(table, _FEWER * size, name)


def _partitions(found: Any) -> Mapping[str, int]:
    names = [index.name for index in found if index.name.startswith(_VECTORS)]
    return {name: int(name.removeprefix(_VECTORS)) for name in names}


async def _with_words(table: Any) -> None:
    """Index our own terms as they are."""
    from lancedb.index import FTS

    if await has_words(table):
        return
    whole = FTS(
        base_tokenizer="whitespace",
        stem=False,
        lower_case=False,
        ascii_folding=False,
        remove_stop_words=False,
        max_token_length=None,  # by default a term of more than 40 bytes is not found
    )
    await table.create_index("tokens", config=whole, name=WORDS)
