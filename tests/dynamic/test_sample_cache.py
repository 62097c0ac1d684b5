"""ndd.cache."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import penstock.dynamic as ndd

PLACES = ["memory", "folder"]
COUNT = 10


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("cached") / "photos"
    rng = np.random.default_rng(5)
    for number in range(COUNT):
        path = root / "one" / f"{number}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), rng.integers(0, 255, (20 + number, 30, 3), np.uint8))
    return root


@pytest.fixture(params=PLACES)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    """The arguments of a cache, in each of the places."""
    return {"max_bytes": 1 << 24, "folder": tmp_path / "cache" if request.param == "folder" else None}


def half(files: Any) -> Any:
    return ndd.resize(ndd.decoders.image(files), resize_longer=16)


def epoch(photos: Path, function: Any, **reading: Any) -> list[np.ndarray]:
    """What an epoch makes with random operators behind the function."""
    made = []
    reader = ndd.readers.File(file_root=photos, random_shuffle=True, seed=7)
    ndd.random.set_seed(11)
    for _ in range(3):
        for files, _ in reader.next_epoch(batch_size=4, last_batch="partial", **reading):
            flipped = ndd.flip(function(files), horizontal=ndd.random.coin_flip(batch_size=len(files)))
            made += [np.array(each) for each in flipped]
    return made


def assert_equal(one: list[np.ndarray], other: list[np.ndarray]) -> None:
    assert len(one) == len(other)
    for left, right in zip(one, other, strict=True):
        np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("mode", ["eager", "deferred", "sync_cpu", "compiled"])
def test_results_are_those_of_the_function(photos: Path, kept: dict[str, Any], mode: str) -> None:
    small = ndd.cache(half, **kept)
    reading = {"compile": True} if mode == "compiled" else {}
    with ndd.EvalMode.eager if mode == "compiled" else ndd.EvalMode[mode]:
        assert_equal(epoch(photos, small, **reading), epoch(photos, half, **reading))
    info = small.cache_info()
    assert info.samples == COUNT
    if mode != "compiled":  # where a step is made while another still is, both of which may miss a sample
        assert (info.misses, info.hits) == (COUNT, 2 * COUNT)


def test_a_batch_may_be_known_in_part(photos: Path, kept: dict[str, Any]) -> None:
    small = ndd.cache(half, **kept)
    files = next(iter(ndd.readers.File(file_root=photos).next_epoch(batch_size=COUNT)))[0]
    some = files.select([2, 5, 5])
    assert_equal([np.asarray(each) for each in small(some)], [np.asarray(each) for each in half(some)])
    assert_equal([np.asarray(each) for each in small(files)], [np.asarray(each) for each in half(files)])
    assert small.cache_info()[:3] == (2, 3 + COUNT - 2, COUNT)
    small.cache_clear()
    assert small.cache_info()[:4] == (0, 0, 0, 0)
    assert_equal([np.asarray(each) for each in small(files)], [np.asarray(each) for each in half(files)])


def test_no_more_than_the_limit_is_kept(photos: Path, kept: dict[str, Any]) -> None:
    small = ndd.cache(half, **kept | {"max_bytes": 4000})  # an image has some 500 bytes
    assert_equal(epoch(photos, small), epoch(photos, half))
    info = small.cache_info()
    assert 0 < info.samples < COUNT
    assert info.bytes <= 4000
    assert info.misses == 3 * COUNT - 2 * info.samples


def test_several_inputs_and_results(kept: dict[str, Any]) -> None:
    @ndd.cache(**kept)
    def both(images: Any, shifts: Any) -> Any:
        return images + shifts, ndd.reductions.sum(images, axes=[0, 1], keep_dims=False)

    images = ndd.batch([np.full((2, k, 3), k, np.uint8) for k in (1, 2, 3)], layout="HWC")
    for shifts in ([5, 6, 7], [5, 6, 8], [5, 6, 7]):
        moved, sums = both(images, ndd.batch([np.array(shift, np.uint8) for shift in shifts]))
        assert [np.asarray(each).ravel()[0] for each in moved] == [
            k + s for k, s in zip((1, 2, 3), shifts, strict=True)
        ]
        assert [np.asarray(each).tolist() for each in sums] == [[2 * k * k] * 3 for k in (1, 2, 3)]
        assert moved.layout == "HWC"
    assert both.cache_info()[:3] == (5, 4, 4)


def test_results_may_not_be_written_to(kept: dict[str, Any], photos: Path) -> None:
    small = ndd.cache(half, **kept)
    files = next(iter(ndd.readers.File(file_root=photos).next_epoch(batch_size=2)))[0]
    before = [np.array(each) for each in small(files)]
    for each in small(files):
        array = np.asarray(each)
        if array.flags.writeable:  # then it is a copy
            array[:] = 0
    assert_equal([np.asarray(each) for each in small(files)], before)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (lambda x: ndd.random_resized_crop(x, size=[4, 4]), "draws random numbers"),
        (lambda x: ndd.flip(x, horizontal=ndd.random.coin_flip(batch_size=len(x))), "draws random numbers"),
        (lambda x: ndd.permute_batch(x, indices=[0]), "several samples"),
        (lambda x: np.asarray(x), "returns Batches"),
    ],
)
def test_what_may_not_be_kept_is_refused(function: Any, why: str) -> None:
    images = ndd.batch([np.zeros((8, 8, 3), np.uint8)] * 2, layout="HWC")
    with pytest.raises((RuntimeError, TypeError), match=why):
        ndd.cache(function, max_bytes=1000)(images)


def test_other_arguments_of_the_cache_are_refused() -> None:
    with pytest.raises(ValueError, match="positive"):
        ndd.cache(half, max_bytes=0)
    with pytest.raises(TypeError, match="number of bytes"):
        ndd.cache(half, max_bytes="1G")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes Batches, got Tensor"):
        ndd.cache(half, max_bytes=1)(ndd.tensor([1], dtype=ndd.uint8))


def test_a_function_that_does_something_else_later_is_refused() -> None:
    turns = [0]

    @ndd.cache(max_bytes=1 << 20)
    def changing(images: Any) -> Any:
        turns[0] += 1
        return images + turns[0]

    with pytest.raises(RuntimeError, match="other calls or arguments than for its first sample"):
        np.asarray(changing(ndd.batch([1, 2])))


OTHER_PROCESS = """
import sys
import numpy as np
import penstock.dynamic as ndd
root, folder, limit, size = sys.argv[1:]
@ndd.cache(max_bytes=int(limit), folder=folder)
def small(files):
    return ndd.resize(ndd.decoders.image(files), resize_longer=int(size))
total = 0
for files, _ in ndd.readers.File(file_root=root).next_epoch(batch_size=3, last_batch="partial"):
    total += sum(int(np.asarray(each).astype(int).sum()) for each in small(files))
info = small.cache_info()
print(total, info.misses, info.samples)
"""


def start(photos: Path, folder: Path, limit: int = 1 << 24, size: int = 16) -> subprocess.Popen[str]:
    given = [str(photos), str(folder), str(limit), str(size)]
    return subprocess.Popen([sys.executable, "-c", OTHER_PROCESS, *given], stdout=subprocess.PIPE, text=True)


def numbers_of(process: subprocess.Popen[str]) -> list[int]:
    printed, _ = process.communicate()
    assert process.returncode == 0
    return [int(number) for number in printed.split()]


def test_processes_share_a_folder(photos: Path, tmp_path: Path) -> None:
    together = [numbers_of(each) for each in [start(photos, tmp_path), start(photos, tmp_path)]]
    again, missed, held = numbers_of(start(photos, tmp_path))
    assert (missed, held) == (0, COUNT)
    assert {total for total, _, _ in together} == {again}
    other, missed, held = numbers_of(start(photos, tmp_path, size=12))  # is not answered with those of size 16
    assert (missed, held) == (COUNT, COUNT)
    assert other != again


def test_processes_keep_to_one_limit_and_old_programs_make_room(photos: Path, tmp_path: Path) -> None:
    processes = [start(photos, tmp_path, limit=4000) for _ in range(2)]
    assert len({numbers_of(each)[0] for each in processes}) == 1
    files = [path for path in tmp_path.rglob("*") if path.suffix in (".samples", ".index")]
    assert 1000 < sum(path.stat().st_size for path in files) <= 4000
    _, _, held = numbers_of(start(photos, tmp_path, limit=4000, size=12))
    assert held > 0
    files = [path for path in tmp_path.rglob("*") if path.suffix in (".samples", ".index")]
    assert sum(path.stat().st_size for path in files) <= 4000


def flip_bit(path: Path, place: int) -> None:
    contents = bytearray(path.read_bytes())
    contents[place] ^= 0x80
    path.write_bytes(contents)


@pytest.mark.parametrize("damage", ["flip", "flip index", "cut samples", "cut index", "no samples"])
def test_damaged_samples_are_made_again(photos: Path, tmp_path: Path, damage: str) -> None:
    expected = epoch(photos, half)
    assert_equal(epoch(photos, ndd.cache(half, max_bytes=1 << 20, folder=tmp_path)), expected)
    [samples], [index] = tmp_path.rglob("*.samples"), tmp_path.rglob("*.index")
    if damage == "flip":
        flip_bit(samples, 100)
    elif damage == "flip index":
        flip_bit(index, 23)  # the highest byte of an offset
    elif damage == "no samples":
        samples.unlink()
    else:
        cut = samples if damage == "cut samples" else index
        cut.write_bytes(cut.read_bytes()[:-20])
    small = ndd.cache(half, max_bytes=1 << 20, folder=tmp_path)
    assert_equal(epoch(photos, small), expected)
    assert small.cache_info().misses == (COUNT if damage == "no samples" else 1)


def test_a_damaged_sample_is_made_again_once(photos: Path, tmp_path: Path) -> None:
    """Later stores find it behind the damaged one, though they look at that one first."""
    epoch(photos, ndd.cache(half, max_bytes=1 << 20, folder=tmp_path))
    for path in (*tmp_path.rglob("*.samples"), *tmp_path.rglob("*.index")):
        path.rename(path.with_stem("0" * 16))
    flip_bit(next(tmp_path.rglob("*.samples")), 100)
    for missed in (1, 0):
        small = ndd.cache(half, max_bytes=1 << 20, folder=tmp_path)
        epoch(photos, small)
        assert small.cache_info().misses == missed


@pytest.mark.skipif(os.name == "nt", reason="Windows removes no file that is open")
def test_a_folder_that_is_removed_keeps_no_more(photos: Path, tmp_path: Path) -> None:
    small, expected = ndd.cache(half, max_bytes=1 << 20, folder=tmp_path / "cache"), epoch(photos, half)
    assert_equal(epoch(photos, small), expected)
    shutil.rmtree(tmp_path / "cache")
    assert_equal(epoch(photos, small), expected)
    assert_equal(epoch(photos, small), expected)
    small.cache_clear()
    assert small.cache_info().samples == 0
    again = ndd.cache(half, max_bytes=1 << 20, folder=tmp_path / "cache")
    assert_equal(epoch(photos, again), expected)
    assert again.cache_info().samples == COUNT


def test_samples_that_another_process_removed_are_kept_again(photos: Path, tmp_path: Path) -> None:
    small, other = (ndd.cache(half, max_bytes=1 << 20, folder=tmp_path) for _ in range(2))
    for function in (small, other):
        epoch(photos, function)
    other.cache_clear()
    epoch(photos, small)
    misses = small.cache_info().misses
    epoch(photos, small)
    assert small.cache_info().misses == misses == 2 * COUNT


@pytest.mark.skipif(os.name == "nt", reason="needs resource")
def test_on_a_full_disk_whole_samples_are_kept(photos: Path, tmp_path: Path) -> None:
    """A limit on the size of files is as a full disk is: a part of what is written fits."""
    full = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n{OTHER_PROCESS}"
    command = [sys.executable, "-c", full, str(photos), str(tmp_path), str(1 << 20), "16"]
    total, _, held = map(int, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    assert 0 < held < COUNT
    [samples], [index] = tmp_path.rglob("*.samples"), tmp_path.rglob("*.index")
    assert 0 < samples.stat().st_size < 3000  # nothing that no row tells of
    assert index.stat().st_size % held == 0
    again, missed, held_then = numbers_of(start(photos, tmp_path))
    assert (again, missed, held_then) == (total, COUNT - held, COUNT)


def test_processes_may_make_a_folder_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = Path.iterdir

    def with_another_process(folder: Path) -> Iterator[Path]:
        (folder / "CACHEDIR.TAG").write_bytes(b"")
        return iter(listed(folder))

    monkeypatch.setattr(Path, "iterdir", with_another_process)
    assert ndd.cache(half, max_bytes=1 << 20, folder=tmp_path)(ndd.batch([photo()])).batch_size == 1


def photo() -> np.ndarray:
    _, encoded = cv2.imencode(".png", np.zeros((20, 30, 3), np.uint8))
    return encoded.ravel()


def test_a_changed_file_is_made_again(photos: Path, tmp_path: Path, kept: dict[str, Any]) -> None:
    path = tmp_path / "files" / "one" / "a.png"
    path.parent.mkdir(parents=True)
    small = ndd.cache(half, **kept)
    for source in ("0.png", "1.png"):
        path.write_bytes((photos / "one" / source).read_bytes())
        files = next(iter(ndd.readers.File(file_root=path.parents[1]).next_epoch(batch_size=1)))[0]
        assert_equal([np.asarray(each) for each in small(files)], [np.asarray(each) for each in half(files)])
    assert small.cache_info().samples == 2


def test_another_code_of_an_own_operator_is_another_program(tmp_path: Path) -> None:
    images = ndd.batch([np.full((2, 2), 3, np.uint8)])
    for number in (1, 2, 1):
        scope: dict[str, Any] = {}
        exec(f"def added(image):\n    return image + {number}", scope)
        added = ndd.operator(scope["added"])
        cached = ndd.cache(lambda x, added=added: added(x), max_bytes=1 << 20, folder=tmp_path)
        assert np.asarray(cached(images)).ravel()[0] == 3 + number
    assert cached.cache_info()[:2] == (1, 0)
    newer = ndd.cache(lambda x, added=added: added(x), max_bytes=1 << 20, folder=tmp_path, version="2")
    assert np.asarray(newer(images)).ravel()[0] == 4
    assert newer.cache_info()[:2] == (0, 1)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_resumed_run_goes_on_as_the_one_that_was_not_stopped(
    photos: Path, tmp_path: Path, kept: dict[str, Any], compiled: bool
) -> None:
    def train(steps: int, log: list[Any], name: str) -> None:
        small = ndd.cache(half, **kept)
        reader = ndd.readers.File(file_root=photos, random_shuffle=True, seed=2)
        checkpoint = ndd.checkpoint.Checkpoint()
        if log:
            checkpoint.load(str(tmp_path / f"{name}_{{seq}}.json"))
        else:
            ndd.random.set_seed(3)
        checkpoint.register(reader, "reader")
        checkpoint.register(ndd.random.get_default_rng(), "random")
        while reader.epoch < 3:
            for files, _ in reader.next_epoch(batch_size=3, compile=compiled):
                coins = ndd.random.coin_flip(batch_size=len(files))
                log.append([np.array(each).tolist() for each in ndd.flip(small(files), horizontal=coins)])
                checkpoint.collect()
                checkpoint.save(str(tmp_path / f"{name}_{{seq}}.json"))
                if len(log) == steps:
                    return

    whole: list[Any] = []
    parts: list[Any] = []
    train(9, whole, "whole")
    train(2, parts, "parts")
    train(9, parts, "parts")
    assert len(whole) == 9
    assert parts == whole


def test_an_empty_batch() -> None:
    small = ndd.cache(lambda x: x + 1, max_bytes=1000)
    images = ndd.batch([np.ones((2, 2), np.uint8)] * 2)
    nothing = ndd.as_batch(images).tensors[:0].as_batch()
    np.asarray(small(images))
    assert len(small(nothing)) == 0
