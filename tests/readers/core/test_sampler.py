"""Orders of the user's own, and single samples by number."""

from __future__ import annotations

import numpy as np
import pytest

from penstock.readers import File
from readers.promises import check_resume, epochs, numbered_files, numbers


@pytest.fixture
def seven(tmp_path):
    return numbered_files(tmp_path, 7)


class EpochShuffled:
    """Shuffles by epoch, as samplers of distributed training do."""

    def set_epoch(self, epoch: int) -> None:
        self.epoch = epoch

    def __iter__(self):
        return iter(np.random.default_rng(self.epoch).permutation(7))


def test_the_sampler_is_the_order(seven):
    reader = File(file_root=seven, sampler=[5, 5, 0, 2])
    assert epochs(reader, 2, 2) == [[[5, 5], [0, 2]]] * 2


def test_the_last_batch_is_filled_from_the_next_epoch_or_padded(seven):
    assert epochs(File(file_root=seven, sampler=(4, 1, 6)), 2, 2) == [[[4, 1], [6, 4]], [[1, 6], [4, 1]]]
    padded = File(file_root=seven, sampler=(4, 1, 6), pad_last_batch=True)
    assert epochs(padded, 2, 2) == [[[4, 1], [6, 6]]] * 2


def test_every_epoch_is_announced_to_the_sampler(seven):
    first, second = epochs(File(file_root=seven, sampler=EpochShuffled()), 2)
    assert [batch[0] for batch in first] == np.random.default_rng(0).permutation(7).tolist()
    assert [batch[0] for batch in second] == np.random.default_rng(1).permutation(7).tolist()


def test_a_reader_with_a_sampler_resumes_exactly(seven):
    check_resume(lambda: File(file_root=seven, sampler=EpochShuffled(), enable_checkpointing=True))


def test_what_cannot_be_a_sampler_is_refused(seven):
    with pytest.raises(IndexError, match="sampler asked for sample 7, the reader has 7"):
        epochs(File(file_root=seven, sampler=[0, 7]), 1)
    with pytest.raises(RuntimeError, match="sampler gave no samples for epoch 0"):
        epochs(File(file_root=seven, sampler=[]), 1)
    with pytest.raises(TypeError, match="can be gone through only once"):
        epochs(File(file_root=seven, sampler=iter([1, 2])), 1)
    with pytest.raises(ValueError, match="a sampler decides the order"):
        epochs(File(file_root=seven, sampler=[1], random_shuffle=True), 1)


def test_samples_by_number(seven):
    reader = File(file_root=seven)
    assert numbers(reader.read([3, 0, 3])) == [3, 0, 3]
    assert reader.read(range(2))[0].sources == ["class/000.jpg", "class/001.jpg"]
    epoch = reader.next_epoch(batch_size=2)
    assert numbers(next(epoch)) == [0, 1]
    assert numbers(reader.read([6])) == [6]
    assert numbers(next(epoch)) == [2, 3]
    with pytest.raises(IndexError, match="there is no sample 7, the reader has 7"):
        reader.read([7])
