"""Listing files in 1,000 folders: the time beside a bare `os.walk` over them, the memory beside that of their names.

python benchmarks/listing.py [files] [folders]

Files are 200,000 by default; a million take some minutes to make.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from penstock.readers import File


def make_tree(root: str, files: int, folders: int) -> int:
    """Returns how many bytes the names have."""
    for folder in range(folders):
        path = os.path.join(root, f"n{folder:08d}")
        os.mkdir(path)
        for file in range(files // folders):
            open(os.path.join(path, f"n{folder:08d}_{file:05d}.JPEG"), "wb").close()
    return files * len("n00000000/n00000000_00000.JPEG")


def write_list(root: str, file_list: str) -> None:
    with open(file_list, "w") as lines:
        for label, folder in enumerate(sorted(os.listdir(root))):
            lines.writelines(f"{folder}/{name} {label}\n" for name in sorted(os.listdir(os.path.join(root, folder))))


def walk(root: str) -> int:
    return sum(len(files) for _, _, files in os.walk(root))


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def growth(argument: str, value: str) -> tuple[int, int]:
    """By how many bytes a process of its own grows over the listing, and grew at most."""
    done = subprocess.run([sys.executable, __file__, "--weigh", argument, value], capture_output=True, check=True)
    kept, peak = map(int, done.stdout.split())
    return kept, peak


def weigh(argument: str, value: str) -> None:
    def status(key: str) -> int:
        with open("/proc/self/status") as lines:
            return next(int(line.split()[1]) << 10 for line in lines if line.startswith(key))

    with open("/proc/self/clear_refs", "w") as reset:
        reset.write("5")
    before = status("VmRSS:")
    reader = File(**{argument: value})
    reader.get_metadata()
    gc.collect()
    print(status("VmRSS:") - before, status("VmHWM:") - before)


def main(files: int = 200_000, folders: int = 1_000, rounds: int = 7) -> None:
    with tempfile.TemporaryDirectory() as place:
        root, file_list = os.path.join(place, "tree"), os.path.join(place, "list.txt")
        os.mkdir(root)
        names = make_tree(root, files, folders)
        write_list(root, file_list)

        def ours() -> object:
            return File(file_root=root).get_metadata()

        walk(root)
        walks, listings = zip(*[(seconds(lambda: walk(root)), seconds(ours)) for _ in range(rounds)], strict=True)
        print(f"os.walk    {min(walks):6.3f} s")
        print(f"File       {min(listings):6.3f} s  ({min(listings) / min(walks):.2f}x)")
        for argument, value in (("file_root", root), ("file_list", file_list)):
            kept, peak = growth(argument, value)
            print(f"{argument}  {names >> 20} MB of names, {kept / names:.2f}x kept, {peak / names:.2f}x at the peak")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--weigh"]:
        weigh(*sys.argv[2:])
    else:
        main(*map(int, sys.argv[1:]))
