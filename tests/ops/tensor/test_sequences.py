"""element_extract and sequence_rearrange: frames taken out, or put in another order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, on_torch_cpu

CLIPS = ndd.batch([np.arange(8).reshape(4, 2), np.arange(4).reshape(2, 2)], layout="FW")


def contents(batch):
    return [np.asarray(t).tolist() for t in batch]


def test_single_results_keep_the_promises():
    samples = [np.arange(24).reshape(4, 2, 3), np.arange(12).reshape(2, 2, 3)]
    check_operator("element_extract", samples, layout="FHW", element_map=1)
    check_operator("sequence_rearrange", samples, layout="FHW", new_order=[1, 0, 1])
    check_operator("sequence_rearrange", samples, layout="FHW", per_sample={"new_order": [[3, 2, 1], [0]]})


def test_frames_are_taken_out():
    last, first = ndd.element_extract(CLIPS, element_map=[1, 0])
    assert (contents(last), contents(first)) == ([[2, 3]] * 2, [[0, 1]] * 2)
    assert (last.layout, last.ndim) == ("W", 1)
    one = ndd.element_extract([[1], [2]], element_map=1)
    assert np.asarray(one).tolist() == [2]


def test_taking_out_copies_nothing():
    frame = ndd.element_extract(CLIPS, element_map=1)
    assert np.shares_memory(np.asarray(frame.tensors[0]), np.asarray(CLIPS.tensors[0]))


def test_frames_are_put_in_order():
    assert contents(ndd.sequence_rearrange(CLIPS, new_order=[1, 0, 1])) == [[[2, 3], [0, 1], [2, 3]]] * 2
    own = ndd.sequence_rearrange(CLIPS, new_order=ndd.batch([[3, 2], [1]]))
    assert contents(own) == [[[6, 7], [4, 5]], [[2, 3]]]
    assert own.layout == "FW"
    assert np.asarray(ndd.sequence_rearrange([[1], [2]], new_order=1)).tolist() == [[2]]


def test_frames_there_are_not_are_refused_on_a_gpu():
    with on_torch_cpu(), pytest.raises(RuntimeError, match=r"new_order\[1\] .* = 2, but it is: 2\nin .*, sample 1"):
        ndd.sequence_rearrange(CLIPS.gpu(), new_order=[0, 2]).evaluate()


def test_empty_batches():
    nothing = ndd.batch(np.zeros((0, 3, 2)), layout="FW")
    assert ndd.element_extract(nothing, element_map=[2]).batch_size == 0
    assert ndd.sequence_rearrange(nothing, new_order=[7]).batch_size == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ndd.element_extract(CLIPS, element_map=2), "Index `2` .* sequence length equal `2`"),
        (lambda: ndd.element_extract(CLIPS, element_map=[-1]), "Negative indices"),
        (lambda: ndd.element_extract(CLIPS, element_map=[]), "at least one element"),
        (lambda: ndd.element_extract(ndd.tensor([[1]], layout="HW"), element_map=0), "starts with 'F', got 'HW'"),
        (lambda: ndd.element_extract([1, 2], element_map=0), "at least two axes"),
        (
            lambda: ndd.sequence_rearrange(CLIPS, new_order=[0, 2]),
            r"new_order\[1\] .* = 2 for sample 1",
        ),
        (
            lambda: ndd.sequence_rearrange(CLIPS, new_order=[-1]),
            r"new_order\[0\] .* = 4 for sample 0",
        ),
        (lambda: ndd.sequence_rearrange(CLIPS, new_order=[]), "Empty result sequences are not allowed"),
        (lambda: ndd.sequence_rearrange(CLIPS, new_order=ndd.tensor([[0]])), "a list of frames for every sample"),
        (lambda: ndd.sequence_rearrange(ndd.tensor([[1]], layout="HF"), new_order=0), "starts with 'F'"),
    ],
)
def test_bad_calls_are_refused(call, message):
    with pytest.raises(RuntimeError, match=message):
        call().evaluate()


@given(st.integers(1, 6), st.lists(st.integers(0, 3), max_size=3), st.data())
@settings(max_examples=60, deadline=None)
def test_frames_as_numpy_takes_them(length, shape, data):
    clip = np.arange(length * int(np.prod(shape)) * 2, dtype=np.int16).reshape(length, *shape, 2)
    order = data.draw(st.lists(st.integers(0, length - 1), min_size=1, max_size=8))
    np.testing.assert_array_equal(ndd.sequence_rearrange(clip, new_order=order), clip[order], strict=True)
    taken = ndd.element_extract(clip, element_map=order)
    for frame, place in zip(taken if len(order) > 1 else [taken], order, strict=True):
        np.testing.assert_array_equal(frame, clip[place], strict=True)
