"""copy: the same data in memory of its own."""

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.promises import check_operator, photos
from penstock.values.dtypes import NUMERIC


@pytest.mark.parametrize("dtype", NUMERIC, ids=str)
def test_copy_keeps_the_promises(dtype):
    check_operator("copy", photos([(4, 6), (1, 5), (3, 1)], dtype=dtype.storage))


def test_a_copy_does_not_share_memory():
    original = ndd.tensor(np.arange(4))
    copied = ndd.copy(original).evaluate()
    np.asarray(original)[0] = 99
    assert np.asarray(copied).tolist() == [0, 1, 2, 3]


def test_numbers_and_empty_samples_are_copied_too():
    assert ndd.copy(5).item() == 5
    assert ndd.copy(np.zeros((0, 3))).shape == (0, 3)
