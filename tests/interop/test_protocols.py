"""DLPack, the array interface, and other libraries that read them."""

import numba
import numpy as np
import pytest

import penstock.dynamic as ndd


@pytest.fixture
def t():
    return ndd.tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


def test_dlpack_shares_memory(t):
    there = np.from_dlpack(t)
    np.asarray(t)[0, 0] = 9
    assert there[0, 0] == 9


def test_dlpack_copies_when_asked(t):
    there = np.from_dlpack(t, copy=True)
    np.asarray(t)[0, 0] = 9
    assert there[0, 0] == 0


class Exporter:
    """Hands on a capsule, made as a consumer of that DLPack version asks for it."""

    def __init__(self, tensor, **keywords):
        self.tensor, self.keywords = tensor, keywords

    def __dlpack__(self, **_):
        return self.tensor.__dlpack__(**self.keywords)

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


@pytest.mark.parametrize(
    "keywords", [{}, {"stream": None}, {"max_version": (1, 0)}, {"dl_device": (1, 0)}, {"copy": False}, {"copy": True}]
)
def test_dlpack_answers_old_and_new_consumers(t, keywords):
    assert np.from_dlpack(Exporter(t, **keywords)).tolist() == [[0, 1, 2], [3, 4, 5]]


def test_dlpack_stays_in_host_memory(t):
    assert t.__dlpack_device__() == (1, 0)
    with pytest.raises(BufferError, match="host memory"):
        t.__dlpack__(dl_device=(2, 0))


def test_data_on_an_accelerator_is_refused_by_name():
    class OnGpu:
        def __dlpack__(self, **_):
            raise AssertionError("nobody may ask for it")

        def __dlpack_device__(self):
            return (2, 0)

    with pytest.raises(RuntimeError, match="move it to the CPU first"):
        ndd.as_tensor(OnGpu())


def test_anything_with_an_array_method_is_data():
    class Wrapped:
        def __array__(self, dtype=None, copy=None):
            return np.array([1.5, 2.5])

    assert np.asarray(ndd.as_tensor(Wrapped())).tolist() == [1.5, 2.5]


def test_numba_works_on_the_memory(t):
    @numba.njit
    def double(array):
        for i in range(array.shape[0]):
            for j in range(array.shape[1]):
                array[i, j] *= 2

    double(np.asarray(t))
    assert np.asarray(t + 0).tolist() == [[0, 2, 4], [6, 8, 10]]


def test_cupy_finds_no_cuda_memory(t):
    # CuPy asks for this attribute first and takes a host array where it is missing.
    with pytest.raises(AttributeError, match="not a GPU tensor"):
        t.__cuda_array_interface__  # noqa: B018
