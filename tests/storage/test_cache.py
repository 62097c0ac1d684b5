"""The cache on disk: it touches nothing but its own, trusts nothing it reads, and is shared by processes."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import threading
from pathlib import Path

import fsspec
import numpy as np
import pytest

from penstock.storage import Names, Storage

OWN = "penstock-cache"
COUNT = 20


@pytest.fixture(autouse=True)
def originals():
    """Files at URLs, of 10,000 bytes each."""
    memory = fsspec.filesystem("memory")
    contents = [np.random.default_rng(number).bytes(10_000) for number in range(COUNT)]
    for number, each in enumerate(contents):
        memory.pipe_file(f"/cached/{number}", each)
    yield contents
    memory.rm("/cached", recursive=True)


def url(number: int) -> str:
    return f"memory://cached/{number}"


def change_originals() -> None:
    """What is read as before from now on comes from the cache."""
    for number in range(COUNT):
        fsspec.filesystem("memory").pipe_file(f"/cached/{number}", b"changed")


def entries(folder: Path) -> list[Path]:
    return sorted((folder / OWN).rglob("*.piece"))


def held(folder: Path) -> int:
    return sum(entry.stat().st_size for entry in entries(folder))


def read_all(folder: Path, limit: int = 60_000) -> list[bytes]:
    storage = Storage(cache_dir=folder, cache_bytes=limit)
    return [storage.read_one(url(number)) for number in range(COUNT)]


def snapshot(folder: Path) -> dict[str, tuple[object, ...]]:
    """Every file, folder and link below a folder: what it is, when it was changed, and its contents."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        read = path.read_bytes() if stat.S_ISREG(status.st_mode) else None
        link = os.readlink(path) if path.is_symlink() else None
        when = None if path.is_dir() else status.st_mtime_ns
        found[str(path.relative_to(folder))] = (stat.S_IFMT(status.st_mode), when, read, link)
    return found


def fill_with_foreign(folder: Path, elsewhere: Path) -> None:
    """What others might keep there, much of it with names like those of entries, all of it old."""
    entry = f"{'0' * 32}-0-end.piece"
    (folder / "thesis").mkdir(parents=True)
    (folder / "thesis" / "chapter.tex").write_bytes(b"x" * 100_000)
    (folder / "ab").mkdir()
    (folder / "ab" / ("c" * 62)).write_bytes(b"y" * 100_000)
    (folder / "ab" / entry).write_bytes(b"z" * 100_000)
    (folder / f"{entry}.abcdefgh.partial").write_bytes(b"p")
    (folder / "link").symlink_to(elsewhere)
    (folder / "dangling").symlink_to(elsewhere / "nowhere")
    for path in folder.rglob("*"):
        os.utime(path, (0, 0), follow_symlinks=False)


def test_nothing_beside_its_own_folder_is_touched(tmp_path, originals):
    folder, elsewhere = tmp_path / "cache", tmp_path / "elsewhere"
    fill_with_foreign(elsewhere, elsewhere)
    fill_with_foreign(folder, elsewhere)
    before = snapshot(folder), snapshot(elsewhere)
    assert read_all(folder) == originals
    assert 0 < len(entries(folder)) < COUNT  # so some were removed
    inside = {name: what for name, what in snapshot(folder).items() if not name.startswith(OWN)}
    assert (inside, snapshot(elsewhere)) == before


def test_nothing_foreign_in_its_own_folder_is_touched(tmp_path, originals):
    folder, elsewhere = tmp_path / "cache", tmp_path / "elsewhere"
    read_all(folder)
    shutil.rmtree(folder / OWN / "ab", ignore_errors=True)
    fill_with_foreign(elsewhere, elsewhere)
    mine = folder / OWN / entries(folder)[0].parent.name
    shutil.copytree(elsewhere / "ab", mine / "deeper")
    (mine / "notes.txt").write_bytes(b"n" * 100_000)
    (mine / "link.piece").symlink_to(elsewhere / "thesis" / "chapter.tex")
    (mine / f"{'1' * 32}-0-end.piece").symlink_to(elsewhere / "thesis" / "chapter.tex")
    (mine / f"{'1' * 32}-5-5.piece").mkdir()
    (folder / OWN / "ab").symlink_to(elsewhere / "ab")
    (folder / OWN / "notes").mkdir()
    (folder / OWN / "notes" / f"{'2' * 32}-0-end.piece").write_bytes(b"n" * 100_000)
    own = {str(path.relative_to(folder)) for path in entries(folder) if path.is_file() and not path.is_symlink()}
    foreign = {name: what for name, what in snapshot(folder).items() if name not in own} | {
        str(path.relative_to(folder)): snapshot(folder)[str(path.relative_to(folder))]
        for path in [*(mine / "deeper").iterdir(), folder / OWN / "notes" / f"{'2' * 32}-0-end.piece"]
    }
    outside = snapshot(elsewhere)
    for _ in range(2):
        assert read_all(folder) == originals
    after = snapshot(folder)
    assert {name: after.get(name) for name in foreign} == foreign
    assert snapshot(elsewhere) == outside


def test_entries_are_not_written_or_read_through_links(tmp_path, originals):
    storage = Storage(cache_dir=tmp_path / "cache")
    storage.read_one(url(0))
    (entry,) = entries(tmp_path / "cache")
    elsewhere = tmp_path / "elsewhere"
    shard = entry.parent
    shard.rename(elsewhere)
    shard.symlink_to(elsewhere)
    before = snapshot(elsewhere)
    change_originals()
    assert storage.read_one(url(0)) == b"changed"
    assert snapshot(elsewhere) == before
    shard.unlink()
    shard.mkdir()
    (shard / entry.name).symlink_to(elsewhere / entry.name)
    assert storage.read_one(url(0)) == b"changed"
    assert snapshot(elsewhere) == before
    assert not (shard / entry.name).is_symlink()  # the link itself gave way to the entry


@pytest.mark.parametrize("kind", ["folder", "marked otherwise", "link", "file"])
def test_a_folder_of_that_name_that_it_did_not_make_is_refused(tmp_path, kind):
    folder, elsewhere = tmp_path / "cache", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    if kind == "link":
        (folder / OWN).symlink_to(elsewhere)
    elif kind == "file":
        (folder / OWN).write_bytes(b"mine")
    else:
        (folder / OWN).mkdir()
        (folder / OWN / ("CACHEDIR.TAG" if kind == "marked otherwise" else "thesis.tex")).write_bytes(b"mine")
    before = snapshot(tmp_path)
    with pytest.raises(RuntimeError, match=r"cache_dir: .*penstock-cache (was not made by|is a link or a file)"):
        Storage(cache_dir=folder).read_one(url(0))
    assert snapshot(tmp_path) == before


def test_a_folder_whose_making_was_interrupted_is_taken(tmp_path, originals):
    own = tmp_path / OWN
    own.mkdir()
    (own / "CACHEDIR.TAG.abcdefgh.partial").write_bytes(b"Signature")
    assert read_all(tmp_path) == originals
    assert entries(tmp_path)


def test_two_processes_make_the_folder_at_once(tmp_path, originals, monkeypatch):
    """The other one makes the mark, and writes the first entries, wherever this one is about to look."""
    looks = (os, "listdir"), (Path, "is_symlink"), (Path, "is_file"), (Path, "mkdir")
    for number, (owner, name) in enumerate(looks):
        folder = tmp_path / str(number)
        look = getattr(owner, name)

        def overtaken(*given, look=look, folder=folder, **named):
            monkeypatch.undo()
            assert read_all(folder) == originals
            return look(*given, **named)

        monkeypatch.setattr(owner, name, overtaken)
        assert read_all(folder) == originals


def test_a_folder_that_cannot_be_made_is_an_error_that_names_it(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RuntimeError, match=r"cache_dir: .*file"):
        Storage(cache_dir=tmp_path / "file").read_one(url(0))


def test_only_the_user_may_enter(tmp_path):
    mask = os.umask(0)
    try:
        read_all(tmp_path / "new")
        (tmp_path / "open" / OWN).mkdir(parents=True, mode=0o777)
        read_all(tmp_path / "open")
    finally:
        os.umask(mask)
    for path in [tmp_path / "new", tmp_path / "new" / OWN, tmp_path / "open" / OWN]:
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert {stat.S_IMODE(entry.stat().st_mode) for entry in entries(tmp_path / "new")} == {0o600}
    assert {stat.S_IMODE(entry.parent.stat().st_mode) for entry in entries(tmp_path / "new")} == {0o700}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_the_folder_of_another_user_is_refused(tmp_path):
    (tmp_path / OWN).mkdir()
    os.chown(tmp_path / OWN, 12345, 12345)
    with pytest.raises(RuntimeError, match="belongs to another user"):
        read_all(tmp_path)


def _cut(entry: Path) -> None:
    os.truncate(entry, entry.stat().st_size // 2)


def _cut_in_the_header(entry: Path) -> None:
    os.truncate(entry, 10)


def _empty(entry: Path) -> None:
    os.truncate(entry, 0)


def _extend(entry: Path) -> None:
    entry.write_bytes(entry.read_bytes() + b"x")


def _flip_a_bit(entry: Path) -> None:
    contents = bytearray(entry.read_bytes())
    contents[-5000] ^= 1
    entry.write_bytes(contents)


def _flip_a_bit_of_the_header(entry: Path) -> None:
    contents = bytearray(entry.read_bytes())
    contents[9] ^= 1
    entry.write_bytes(contents)


def _put_in_another_place(entry: Path) -> None:
    other = next(path for path in entry.parents[1].rglob("*.piece") if path != entry)
    shutil.copy(other, entry)


@pytest.mark.parametrize(
    "damage",
    [_cut, _cut_in_the_header, _empty, _extend, _flip_a_bit, _flip_a_bit_of_the_header, _put_in_another_place],
)
def test_a_damaged_entry_is_fetched_again_and_kept_anew(tmp_path, originals, damage):
    assert read_all(tmp_path, 1 << 30) == originals
    for entry in entries(tmp_path):
        damage(entry)
    assert read_all(tmp_path, 1 << 30) == originals
    change_originals()
    assert read_all(tmp_path, 1 << 30) == originals


def test_what_is_in_order_is_served(tmp_path, originals):
    read_all(tmp_path, 1 << 30)
    change_originals()
    assert read_all(tmp_path, 1 << 30) == originals


def test_the_beginning_of_a_short_file_is_not_taken_for_a_part_of_that_length(tmp_path):
    storage = Storage(cache_dir=tmp_path, attempts=1)
    assert len(storage.read_starts("", Names.of([url(0)]), np.array([0]), 20_000).sample(0)) == 10_000
    with pytest.raises(RuntimeError, match="10000 of the 20000 bytes"):
        storage.read_one(url(0), 0, 20_000)


def test_it_stays_within_its_size(tmp_path, originals):
    for _ in range(2):
        assert read_all(tmp_path, 60_000) == originals
        assert 0 < held(tmp_path) <= 60_000


def test_what_was_used_last_stays(tmp_path, originals):
    storage = Storage(cache_dir=tmp_path, cache_bytes=1 << 30)
    for number in range(6):
        storage.read_one(url(number))
    for age, entry in enumerate(entries(tmp_path)):
        os.utime(entry, (age, age))
    change_originals()
    assert storage.read_one(url(3)) == originals[3]  # which counts as a use
    Storage(cache_dir=tmp_path, cache_bytes=30_000).read_one(url(10))
    assert storage.read_one(url(3)) == originals[3]
    assert [storage.read_one(url(number)) for number in (0, 1, 2, 4, 5)].count(b"changed") >= 4


def test_a_disk_that_is_full_leaves_nothing_behind(tmp_path, originals, monkeypatch):
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    storage = Storage(cache_dir=tmp_path)
    storage.read_one(url(0))
    monkeypatch.setattr(os, "replace", full)
    assert storage.read_one(url(1)) == originals[1]
    assert len(entries(tmp_path)) == 1
    assert not list(tmp_path.rglob("*.partial"))


# Writes one entry and stops in the middle of it, the file created and locked.
_HALF_WRITTEN = """
import fcntl, sys, fsspec
from penstock.storage import Storage
fsspec.filesystem("memory").pipe_file("/half", b"x" * 1000)
storage = Storage(cache_dir=sys.argv[1])
storage._remote  # which marks the folder
lock = fcntl.flock
def stop(*arguments):
    lock(*arguments)
    print("locked", flush=True)
    sys.stdin.read()
fcntl.flock = stop
storage.read_one("memory://half")
"""


def _make_old(path: Path) -> None:
    os.utime(path, (0, 0))


def test_what_a_killed_process_left_is_removed_but_not_what_a_live_one_writes(tmp_path):
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _HALF_WRITTEN, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(2)
    ]
    partials = []
    for writer in writers:
        assert writer.stdout.readline() == b"locked\n"
        partials.append(next(path for path in tmp_path.rglob("*.partial") if path not in partials))
    # Which of the two files is whose does not matter to the one that is killed: both are old.
    live, killed = writers
    killed.kill()
    killed.wait()
    for partial in partials:
        _make_old(partial)
    read_all(tmp_path)
    left = list(tmp_path.rglob("*.partial"))
    assert len(left) == 1
    assert set(left) <= set(partials)
    live.communicate()
    assert live.returncode == 0
    assert not list(tmp_path.rglob("*.partial"))
    for writer in writers:
        for stream in (writer.stdin, writer.stdout):
            stream.close()


def test_what_is_no_file_in_the_place_of_an_entry_is_passed_by(tmp_path, originals):
    read_all(tmp_path, 10**6)
    pipe, folder, link, closed, empty = entries(tmp_path)[:5]
    for path in (pipe, folder, link):
        path.unlink()
    os.mkfifo(pipe)
    folder.mkdir()
    link.symlink_to("/dev/zero")
    closed.chmod(0)
    empty.write_bytes(b"")
    assert read_all(tmp_path, 10**6) == originals
    assert folder.is_dir()
    assert read_all(tmp_path, 10_000) == originals


def test_what_was_left_a_moment_ago_stays(tmp_path):
    """It may belong to a process that has just made it and is about to lock it."""
    read_all(tmp_path)
    young = entries(tmp_path)[0].parent / f"{'0' * 32}-0-end.piece.abcdefgh.partial"
    young.write_bytes(b"")
    read_all(tmp_path)
    assert young.exists()
    _make_old(young)
    read_all(tmp_path)
    assert not young.exists()


_READING = """
import sys, fsspec, numpy as np
from penstock.storage import Storage
folder, seed = sys.argv[1], int(sys.argv[2])
memory = fsspec.filesystem("memory")
contents = [np.random.default_rng(number).bytes(10_000) for number in range(20)]
for number, each in enumerate(contents):
    memory.pipe_file(f"/cached/{number}", each)
storage = Storage(cache_dir=folder, cache_bytes=80_000)
for number in np.random.default_rng(seed).integers(0, 20, 300):
    if storage.read_one(f"memory://cached/{number}") != contents[number]:
        sys.exit(f"{number} is wrong")
    print(number, flush=True)
"""


def test_processes_share_it_and_are_killed_at_it(tmp_path, originals):
    (tmp_path / "thesis.tex").write_bytes(b"x" * 100_000)
    readers = [
        subprocess.Popen([sys.executable, "-c", _READING, str(tmp_path), str(seed)], stdout=subprocess.PIPE)
        for seed in range(4)
    ]

    def kill_after(reader: subprocess.Popen[bytes], lines: int) -> None:
        for _ in range(lines):
            reader.stdout.readline()
        reader.kill()

    killers = [threading.Thread(target=kill_after, args=(reader, 40)) for reader in readers[2:]]
    for killer in killers:
        killer.start()
    for reader in readers[:2]:
        told, _ = reader.communicate()
        assert reader.returncode == 0, told
    for killer, reader in zip(killers, readers[2:], strict=True):
        killer.join()
        reader.communicate()
    for partial in tmp_path.rglob("*.partial"):
        _make_old(partial)
    assert read_all(tmp_path, 80_000) == originals
    assert 0 < held(tmp_path) <= 80_000
    assert not list(tmp_path.rglob("*.partial"))
    assert (tmp_path / "thesis.tex").stat().st_size == 100_000
