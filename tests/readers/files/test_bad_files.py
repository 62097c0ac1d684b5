"""Files that cannot be read: the error names them, and the reader goes on."""

from __future__ import annotations

import os
import traceback

import psutil
import pytest

from penstock.readers import File
from readers.promises import numbered_files, numbers


def test_a_missing_file_ends_the_epoch_and_the_next_one_goes_on_behind_it(tmp_path):
    seven = numbered_files(tmp_path, 7)
    reader = File(file_root=seven)
    epoch = reader.next_epoch(batch_size=2)
    reader.get_metadata()
    os.remove(os.path.join(seven, "class", "003.jpg"))
    assert numbers(next(epoch)) == [0, 1]
    with pytest.raises(RuntimeError, match=r"File mapping failed: .*class/003\.jpg: No such file or directory"):
        next(epoch)
    assert list(epoch) == []
    assert numbers(next(reader.next_epoch(batch_size=2))) == [4, 5]


def test_what_is_no_file_is_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (("folder", "Is a directory"), ("pipe", "not a regular file")):
        with pytest.raises(RuntimeError, match=f"File mapping failed: .*{name}: {reason}"):
            next(File(files=[name], file_root=tmp_path).next_epoch())


@pytest.mark.memory
def test_failures_leak_nothing(tmp_path):
    folder = numbered_files(tmp_path, 2)
    reader = File(files=["class/000.jpg", "class/nope.jpg"], file_root=folder)

    def fail(times: int) -> None:
        for _ in range(times):
            with pytest.raises(RuntimeError, match=r"nope\.jpg"):
                next(reader.next_epoch(batch_size=2))

    fail(500)
    before = psutil.Process().memory_info().rss
    fail(4_000)
    assert psutil.Process().memory_info().rss - before < 2 << 20


def test_the_traceback_is_short(tmp_path):
    with pytest.raises(RuntimeError, match="nope") as caught:
        next(File(files=["nope.jpg"], file_root=tmp_path).next_epoch())
    own = [frame for frame in traceback.extract_tb(caught.tb) if f"penstock{os.sep}readers" in frame.filename]
    assert len(own) <= 2
