"""Operators that were renamed work under the names they had."""

import numpy as np
import pytest

import penstock.dynamic as ndd
from messages import told
from penstock.dynamic.calls.functions import declaration
from penstock.ops._index import OPERATORS

OLDER = [path for path in OPERATORS if declaration(path).path != path]
PIXELS = np.arange(60, dtype=np.uint8)
FILE = np.frombuffer(b"P6 5 4 255\n" + PIXELS.tobytes(), np.uint8)


def test_all_of_them():
    assert [
        *(f"experimental.decoders.image{part}" for part in ("", "_crop", "_random_crop", "_slice")),
        "experimental.decoders.video",
        "experimental.peek_image_shape",
    ] == OLDER


def test_an_older_name_warns_where_it_is_used():
    with pytest.warns(
        DeprecationWarning, match=r"ndd.experimental.decoders.image is now called ndd.decoders.image"
    ) as seen:
        image = ndd.experimental.decoders.image(FILE)
    assert seen[0].filename == __file__
    assert np.asarray(image).ravel().tolist() == PIXELS.tolist()


def test_it_is_the_same_operator():
    assert ndd.experimental.peek_image_shape.operator is ndd.peek_image_shape.operator
    assert ndd.experimental.peek_image_shape.__module__ == "penstock.dynamic.experimental"
    with pytest.warns(DeprecationWarning, match="is now called"):
        assert np.asarray(ndd.experimental.peek_image_shape(FILE)).tolist() == [4, 5, 3]


def test_an_older_name_of_an_argument_warns_where_it_is_used():
    image = ndd.tensor(PIXELS.reshape(4, 5, 3), layout="HWC")
    with pytest.warns(DeprecationWarning, match="`output_dtype` is a deprecated alias for `dtype`. Use") as seen:
        assert ndd.crop(image, crop=[1, 1], output_dtype=ndd.float32).dtype == ndd.float32
    assert seen[0].filename == __file__
    assert ndd.crop(image, crop=[1, 1], output_dtype=None).dtype == ndd.uint8
    with pytest.raises(TypeError, match="'output_dtype' deprecated argument when 'dtype' was already provided"):
        ndd.crop(image, crop=[1, 1], output_dtype=ndd.float32, dtype=ndd.float32)


def test_errors_show_the_line_it_was_called_at():
    with pytest.warns(DeprecationWarning, match="is now called"), pytest.raises(RuntimeError) as caught:
        ndd.experimental.decoders.image([1.5])
    assert "test_older_names.py" in told(caught.value)
