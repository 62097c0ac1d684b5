"""Listing 200,000 files in 1,000 folders, beside a bare `os.walk` over them.

python benchmarks/listing.py [files] [folders]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable

from penstock.readers.file import KNOWN_FILES
from penstock.readers.listing import list_folders


def make_tree(root: str, files: int, folders: int) -> None:
    for folder in range(folders):
        path = os.path.join(root, f"n{folder:08d}")
        os.mkdir(path)
        for file in range(files // folders):
            open(os.path.join(path, f"n{folder:08d}_{file:05d}.JPEG"), "wb").close()


def walk(root: str) -> int:
    return sum(len(files) for _, _, files in os.walk(root))


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main(files: int = 200_000, folders: int = 1_000, rounds: int = 7) -> None:
    with tempfile.TemporaryDirectory() as root:
        make_tree(root, files, folders)

        def ours() -> object:
            return list_folders(root, KNOWN_FILES, None, case_sensitive=False)

        walk(root)
        walks, listings = zip(*[(seconds(lambda: walk(root)), seconds(ours)) for _ in range(rounds)], strict=True)
        tracemalloc.start()
        listing = list_folders(root, KNOWN_FILES, None, case_sensitive=False)
        kept, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    print(f"os.walk       {min(walks):6.3f} s")
    print(f"list_folders  {min(listings):6.3f} s  ({min(listings) / min(walks):.2f}x)")
    print(
        f"memory        {kept / len(listing.names):.0f} bytes a file kept, {peak / len(listing.names):.0f} at the peak"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
