"""Epochs, batches and calls of a reader, on `File`."""

from __future__ import annotations

import inspect
import threading
from pathlib import Path

import numpy as np
import pytest

from penstock.readers import File
from readers.promises import epochs, numbered_files, numbers, one_by_one


@pytest.fixture
def seven(tmp_path: Path) -> str:
    return numbered_files(tmp_path, 7)


def test_outputs_are_bytes_and_labels(tmp_path):
    for name, content in (("cat/a.jpg", b"\x00\xff"), ("dog/b.png", b"")):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(content)
    ((data, labels),) = File(file_root=tmp_path).next_epoch(batch_size=2)
    assert [data.sample(i).tolist() for i in range(2)] == [[0, 255], []]
    assert data.sample(0).dtype == np.uint8
    assert labels.array().tolist() == [[0], [1]]
    assert labels.array().dtype == np.int32
    assert data.sources == ["cat/a.jpg", "dog/b.png"]


def test_files_of_one_size_lie_in_one_block(seven):
    data, _ = next(File(file_root=seven).next_epoch(batch_size=3))
    assert data.array().tolist() == [[48], [49], [50]]


def test_epochs_of_batches(seven):
    assert epochs(File(file_root=seven), 2, batch_size=3) == [
        [[0, 1, 2], [3, 4, 5], [6, 0, 1]],
        [[2, 3, 4], [5, 6, 0], [1, 2, 3]],
    ]


def test_epochs_of_samples(seven):
    assert one_by_one(seven, 2) == [[0, 1, 2, 3, 4, 5, 6]] * 2
    assert one_by_one(seven, 1, num_shards=3, pad_last_batch=True) == [[0, 1, 1]]


def test_max_batch_size_is_the_default_batch_size(seven):
    assert epochs(File(3, file_root=seven), 1) == [[[0, 1, 2], [3, 4, 5], [6, 0, 1]]]


def test_batches_may_be_kept(seven):
    kept = list(File(file_root=seven).next_epoch(batch_size=2))
    assert [numbers(batch) for batch in kept] == [[0, 1], [2, 3], [4, 5], [6, 0]]


def test_next_epoch_does_nothing_before_the_first_step(tmp_path):
    reader = File(file_root=tmp_path / "later")
    epoch = reader.next_epoch(batch_size=1)
    (tmp_path / "later").mkdir()
    numbered_files(tmp_path / "later", 1)
    assert [numbers(batch) for batch in epoch] == [[0]]


def test_an_unfinished_epoch_is_gone_on_with(seven):
    reader = File(file_root=seven)
    first = reader.next_epoch(batch_size=3)
    assert numbers(next(first)) == [0, 1, 2]
    with pytest.warns(UserWarning, match="the reader continues where it stands"):
        assert epochs(reader, 1, batch_size=3) == [[[3, 4, 5], [6, 0, 1], [2, 3, 4]]]
    assert numbers(next(first)) == [5, 6, 0]


def test_an_epoch_whose_last_batch_was_given_is_finished(seven):
    reader = File(file_root=seven, shard_id=1, num_shards=3)
    first = reader.next_epoch()
    assert [numbers(next(first)), numbers(next(first))] == [[2], [3]]
    assert epochs(reader, 1) == [[[4], [5], [6]]]


@pytest.mark.parametrize(
    ("before", "then", "error", "message"),
    [
        (3, 2, ValueError, "`batch_size` 2 is different than the `max_batch_size` 3 used in the previous call"),
        (2, 3, ValueError, "`batch_size` 3 is different than the `max_batch_size` 2 used in the previous call"),
        (3, None, RuntimeError, "Cannot mix `samples`, `batches` and `_run`/`__call__` on the same reader."),
        (None, 3, RuntimeError, "Cannot mix `samples`, `batches` and `_run`/`__call__` on the same reader."),
    ],
)
def test_all_epochs_are_read_the_same_way(seven, before, then, error, message):
    reader = File(file_root=seven)
    list(reader.next_epoch(batch_size=before))
    with pytest.raises(error, match=message):
        next(reader.next_epoch(batch_size=then))
    assert len(list(reader.next_epoch(batch_size=before))) == (7 if before is None else -(-7 // before))


def test_a_batch_is_not_larger_than_max_batch_size(seven):
    reader = File(3, file_root=seven)
    with pytest.raises(ValueError, match="`batch_size` 5 is larger than the `max_batch_size` 3 specified when"):
        next(reader.next_epoch(batch_size=5))
    assert epochs(reader, 1, batch_size=2) == [[[0, 1], [2, 3], [4, 5], [6, 0]]]


@pytest.mark.parametrize("size", [0, -1, 1.5, "a"])
def test_a_batch_size_is_a_positive_whole_number(seven, size):
    with pytest.raises(RuntimeError, match=f"max_batch_size: {size!r}; it and batch_size are whole numbers"):
        next(File(file_root=seven).next_epoch(batch_size=size))
    with pytest.raises(ValueError if isinstance(size, int) else TypeError, match="max_batch_size must be"):
        File(size, file_root=seven)


def test_calls_go_on_without_end(seven):
    reader = File(file_root=seven)
    assert [numbers(reader())[0] for _ in range(9)] == [0, 1, 2, 3, 4, 5, 6, 0, 1]
    batches = File(3, file_root=seven)
    assert [numbers(batches(batch_size=3)) for _ in range(3)] == [[0, 1, 2], [3, 4, 5], [6, 0, 1]]


def test_calls_keep_their_batch_size(seven):
    reader = File(file_root=seven)
    reader()
    with pytest.raises(RuntimeError, match="The batch size 3 is larger than the `max_batch_size` 1"):
        reader(batch_size=3)
    limited = File(3, file_root=seven)
    with pytest.raises(RuntimeError, match="The batch size 4 is larger than the `max_batch_size` 3"):
        limited(batch_size=4)
    limited(batch_size=3)
    with pytest.raises(RuntimeError, match="The batch size 2 is smaller than the `max_batch_size` 3"):
        limited(batch_size=2)
    assert numbers(limited(batch_size=3)) == [3, 4, 5]


@pytest.mark.parametrize("called_first", [True, False])
def test_calls_and_epochs_do_not_mix(seven, called_first):
    reader = File(file_root=seven)
    steps = [reader, lambda: next(reader.next_epoch())]
    first, second = steps if called_first else reversed(steps)
    first()
    with pytest.raises(RuntimeError, match="Cannot mix `samples`, `batches`"):
        second()


def test_metadata_does_not_start_the_reader(seven):
    reader = File(file_root=seven, shard_id=1, num_shards=3, pad_last_batch=True)
    assert reader.get_metadata() == {
        "epoch_size": 7,
        "epoch_size_padded": 9,
        "number_of_shards": 3,
        "shard_id": 1,
        "pad_last_batch": 1,
        "stick_to_shard": 0,
    }
    assert epochs(reader, 1, batch_size=3) == [[[2, 3, 3]]]
    assert File(file_root=seven, num_shards=3).get_metadata()["epoch_size_padded"] == 7


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"num_shards": 0}, ValueError, r"The number of shards must be a positive integer\. Got 0\."),
        ({"shard_id": 3, "num_shards": 3}, ValueError, r"The shard_id=3 is invalid\. Must be in range \[0\.\.2\]\."),
        ({"shard_id": -1}, ValueError, r"The shard_id=-1 is invalid\. Must be in range \[0\.\.0\]\."),
        ({"batch_size": 3}, TypeError, "unexpected keyword argument 'batch_size'; did you mean 'max_batch_size'?"),
        ({"shufle_after_epoch": 1}, TypeError, "'shufle_after_epoch'; did you mean 'shuffle_after_epoch'?"),
        ({"device": "mixed"}, ValueError, "Invalid device type: mixed"),
        ({"prefetch_queue_depth": 0}, RuntimeError, "prefetch_queue_depth must be at least 1, got 0"),
        ({"num_inputs": 1}, ValueError, "readers have no inputs"),
        ({"seed": "a"}, ValueError, "seed must be a whole number, got 'a'"),
    ],
)
def test_bad_arguments_fail_in_the_constructor(arguments, error, message):
    with pytest.raises(error, match=message):
        File(file_root="nope", **arguments)


def test_a_seed_without_a_shuffle_is_noted(seven):
    with pytest.warns(UserWarning, match="shuffle_after_epoch_seed has no effect"):
        File(file_root=seven, shuffle_after_epoch_seed=3)


def test_none_means_not_given(seven):
    unset = dict.fromkeys(inspect.signature(File).parameters, None) | {"file_root": seven}
    assert epochs(File(**unset), 1) == epochs(File(file_root=seven), 1)


@pytest.mark.parametrize(
    "arguments",
    [{name: True} for name in ("read_ahead", "lazy_init", "dont_use_mmap", "skip_cached_images")]
    + [{"prefetch_queue_depth": 5}, {"tensor_init_bytes": 1}, {"name": "train"}],
)
def test_these_arguments_change_no_result(seven, arguments):
    assert epochs(File(file_root=seven, **arguments), 2, 3) == epochs(File(file_root=seven), 2, 3)


def test_the_signature_shows_every_argument_with_its_default():
    shown = {name: p.default for name, p in inspect.signature(File).parameters.items()}
    assert list(shown)[:4] == ["max_batch_size", "name", "device", "num_inputs"]
    assert shown["initial_fill"] == 1024
    assert shown["file_filters"][:2] == ("*.jpg", "*.jpeg")
    for name in shown:
        assert f"    {name}: " in str(File.__doc__), name


def test_a_reader_may_be_used_from_another_thread(seven):
    reader = File(file_root=seven)
    epoch = reader.next_epoch(batch_size=3)
    got = [numbers(next(epoch))]
    for _ in range(2):
        thread = threading.Thread(target=lambda: got.append(numbers(next(epoch))))
        thread.start()
        thread.join()
    assert got == [[0, 1, 2], [3, 4, 5], [6, 0, 1]]


def test_several_threads_share_a_reader_without_losing_a_sample(tmp_path):
    reader = File(file_root=numbered_files(tmp_path, 60))
    got: list[int] = []
    workers = [threading.Thread(target=lambda: got.extend(numbers(reader())[0] for _ in range(20))) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(got) == list(range(60))


def test_lists_are_read_when_the_reader_is_made(tmp_path):
    root = Path(numbered_files(tmp_path, 2))
    files = [str(path) for path in sorted(root.rglob("*")) if path.is_file()]
    given, labels = files[:1], [5]
    reader = File(files=given, labels=labels)
    given.append(files[1])
    labels[0] = 7
    labels.append(8)
    assert [label.array().tolist() for _, label in reader.next_epoch(batch_size=1)] == [[[5]]]
