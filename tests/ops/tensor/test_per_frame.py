import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.promises import check_operator


@pytest.mark.parametrize("layout", [None, "F*"])
def test_per_frame_keeps_the_promises(layout):
    check_operator("per_frame", [np.arange(6, dtype=np.float32).reshape(3, 2)] * 2, layout=layout)


def test_the_first_axis_becomes_frames():
    assert ndd.per_frame(ndd.tensor([1, 2, 3])).layout == "F"
    assert ndd.per_frame(ndd.tensor([[1], [2]])).layout == "F*"
    assert ndd.per_frame(ndd.tensor([[1], [2]], layout="FC")).layout == "FC"


def test_another_label_is_replaced_only_on_demand():
    labelled = ndd.tensor([[1], [2]], layout="HW")
    assert ndd.per_frame(labelled, replace=True).layout == "FW"
    with pytest.raises(RuntimeError, match="replace=True"):
        ndd.per_frame(labelled)


def test_a_number_has_no_frames():
    with pytest.raises(RuntimeError, match="Cannot mark zero-dimensional input"):
        ndd.per_frame(ndd.tensor(1.0))


def test_the_input_keeps_its_layout():
    given = ndd.tensor([1, 2])
    ndd.per_frame(given).evaluate()
    assert given.layout in (None, "")
