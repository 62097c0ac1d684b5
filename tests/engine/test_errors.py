"""Errors name the operator, the sample, its file and the user's line, the same in every mode."""

import numpy as np
import pytest

import penstock.dynamic as ndd
from messages import told

MODES = list(ndd.EvalMode)


@ndd.operator
def fussy(x):
    if x.flat[0] == 2:
        raise ValueError(f"{x.flat[0]} is not welcome")
    return x


@pytest.mark.parametrize("mode", MODES)
def test_an_error_names_operator_sample_file_and_line(mode):
    batch = ndd.batch([[1], [2], [3]])
    batch._resolve().sources = ["a.jpg", "b.jpg", "c.jpg"]
    with pytest.raises(ValueError, match="2 is not welcome") as caught, mode:
        fussy(batch).evaluate()  # the user's line
    text = told(caught.value)
    assert "in fussy, sample 1, called at" in text
    assert f"{__file__}:" in text
    assert "fussy(batch).evaluate()  # the user's line" in text
    assert "sample 1 is b.jpg" in text


@pytest.mark.parametrize("mode", MODES)
def test_a_call_fed_with_a_failed_result_tells_of_the_first_failure(mode):
    with pytest.raises(ValueError, match="2 is not welcome") as caught, mode:
        fussy(fussy(fussy(ndd.tensor([2])))).evaluate()
    assert told(caught.value).count("called at") == 1


def test_reading_a_failed_result_raises_each_time():
    failed = fussy(ndd.tensor([2]))
    for _ in range(3):
        with pytest.raises(ValueError, match="not welcome"):
            failed.evaluate()


def test_a_failure_nobody_reads_is_silent(capfd):
    failed = fussy(ndd.tensor([2]))
    ndd.EvalContext.current().evaluate_all()
    del failed
    assert capfd.readouterr() == ("", "")


def test_what_is_foretold_of_a_failing_result_still_answers():
    with ndd.EvalMode.deferred:
        result = ndd.flip(ndd.tensor(np.zeros((1, 1, 1), np.uint8)))
    assert result.dtype is ndd.uint8


def test_an_unknown_argument_offers_the_nearest():
    with pytest.raises(
        TypeError, match=r"flip\(\) got an unexpected keyword argument 'horizontl'; did you mean 'horizontal'"
    ):
        ndd.flip(np.zeros((1, 1, 1), np.uint8), horizontl=1)


def test_a_missing_input_is_told_at_the_call():
    with pytest.raises(TypeError, match=r"flip\(\) missing 1 required input"):
        ndd.flip()


def test_a_list_that_looks_per_sample_gets_the_right_spelling():
    with pytest.raises(TypeError, match=r"horizontal=ndd\.batch\(\[0, 1\]\)"):
        ndd.flip(ndd.batch(np.zeros((2, 1, 1, 1), np.uint8)), horizontal=[0, 1])


def test_mixed_is_no_device():
    with pytest.raises(ValueError, match='use device="gpu"'):
        ndd.flip(np.zeros((1, 1, 1), np.uint8), device="mixed")


def test_batch_index_tells_both_spellings():
    with pytest.raises(TypeError, match=r"batch\.tensors\[0\].*batch\.slice\[0\]"):
        ndd.batch([1, 2])[0]


def test_a_wrong_layout_fails_at_the_call():
    with pytest.raises(ValueError, match='The layout "XYZ" does not match any of the allowed layouts for input 0'):
        ndd.flip(ndd.tensor(np.zeros((1, 1, 1), np.uint8), layout="XYZ"))


def test_a_per_sample_argument_of_wrong_length_fails_at_the_call():
    with pytest.raises(ValueError, match="Inconsistent batch size: 3 != 2"):
        ndd.flip(ndd.batch(np.zeros((2, 1, 1, 1), np.uint8)), horizontal=ndd.batch([1, 0, 1]))


def test_an_interrupted_call_can_be_read_again():
    attempts = []

    @ndd.operator
    def interrupted_once(x):
        attempts.append(1)
        if len(attempts) == 1:
            raise KeyboardInterrupt
        return x

    with ndd.EvalMode.deferred:
        result = interrupted_once(ndd.tensor([4]))
    with pytest.raises(KeyboardInterrupt):
        result.evaluate()
    assert result.item() == 4


RESULTS = {
    "a text": ("abc", "returned str, 'abc'; an operator returns numbers"),
    "a dictionary": ({"a": 1}, "returned dict"),
    "nothing": (None, "returned None; an operator returns numbers"),
    "complex numbers": (np.zeros(2, np.complex64), "returned complex64"),
    "parts of different shapes": ([np.zeros(2), np.zeros(3)], "its parts differ in shape"),
    "another type": (np.int64(1), "returned int64 with 0 axes, but int32 with 1 for the first sample"),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("what", RESULTS)
def test_a_function_that_returns_no_array_is_told_so(mode, what):
    returned, words = RESULTS[what]

    @ndd.operator
    def odd(x):
        return x if x.flat[0] == 1 else returned

    def chained(batch):
        return fussy(odd(batch))

    for call in (odd,) if what == "another type" else (odd, chained):
        with pytest.raises(TypeError, match=words) as caught, mode:
            call(ndd.batch([[1], [3]])).evaluate()
        assert "in odd, sample 1, called at" in told(caught.value)


def test_a_function_of_several_results_returns_them_all():
    @ndd.operator(results=2)
    def halves(x):
        return (x, x + 1) if x.flat[0] else x

    assert [np.asarray(half).tolist() for half in halves(ndd.tensor([5]))] == [[5], [6]]
    with pytest.raises(TypeError, match="has 2 results, but its function returned a ndarray"):
        halves(ndd.tensor([0]))[0].evaluate()


def test_a_function_of_the_batch_returns_every_sample():
    @ndd.operator(batchwise=True)
    def first(samples):
        return samples[:1]

    with pytest.raises(RuntimeError, match="returned 1 samples for a batch of 2"):
        first(ndd.batch([[1], [2]])).evaluate()
