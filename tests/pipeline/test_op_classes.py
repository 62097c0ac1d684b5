"""Operators as objects, and pipelines that are defined by subclasses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import penstock.types as types
from penstock import Pipeline, fn, pipeline_def
from penstock.pipeline import ops


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    for k in range(4):
        (tmp_path / str(k % 2)).mkdir(exist_ok=True)
        cv2.imwrite(str(tmp_path / f"{k % 2}/{k}.png"), np.full((10, 12, 3), 20 * k, np.uint8))
    return tmp_path


class OfPictures(Pipeline):
    def __init__(self, root: Path) -> None:
        super().__init__(2, 1, None, seed=12)
        self.input = ops.readers.File(file_root=str(root), name="pictures")
        self.decode = ops.decoders.Image(device="cpu", output_type=types.RGB)
        self.resize = ops.Resize(size=[4, 6])
        self.angle = ops.random.Uniform(range=[10.0, 20.0])
        self.turn = ops.Rotate(keep_size=True)

    def define_graph(self) -> Any:
        encoded, labels = self.input()
        return self.turn(self.resize(self.decode(encoded)), angle=self.angle()), labels


def test_a_subclass_defines_the_same_as_a_function(pictures: Path) -> None:
    @pipeline_def(batch_size=2, num_threads=1, seed=12)
    def of_pictures() -> Any:
        encoded, labels = fn.readers.file(file_root=str(pictures), name="pictures")
        image = fn.resize(fn.decoders.image(encoded, output_type=types.RGB), size=[4, 6])
        return fn.rotate(image, angle=fn.random.uniform(range=[10.0, 20.0]), keep_size=True), labels

    subclass, function = OfPictures(pictures), of_pictures()
    assert subclass.epoch_size("pictures") == 4
    for _ in range(3):
        for one, other in zip(subclass.run(), function.run(), strict=True):
            assert np.array_equal(one.as_tensor(), other.as_tensor())


def test_a_subclass_feeds_its_inputs_before_every_iteration() -> None:
    class Fed(Pipeline):
        def __init__(self) -> None:
            super().__init__(2, 1, None, prefetch_queue_depth=1)
            self.input = ops.ExternalSource()
            self.step = 0

        def define_graph(self) -> Any:
            self.numbers = self.input()
            return self.numbers + 1

        def iter_setup(self) -> None:
            self.feed_input(self.numbers, np.full((2, 1), 10 * self.step, np.int32))
            self.step += 1

    pipeline = Fed()
    assert [np.asarray(pipeline.run()[0].as_tensor()).ravel().tolist() for _ in range(3)] == [
        [1, 1],
        [11, 11],
        [21, 21],
    ]


def test_an_object_makes_a_node_for_every_call_and_lists_make_several() -> None:
    flip = ops.Flip(vertical=1, horizontal=0)

    @pipeline_def(batch_size=1, num_threads=1)
    def both() -> Any:
        one, two = (np.array([[[[k], [0]]]], np.uint8) for k in (1, 2))
        rows = [fn.external_source(lambda: one, layout="HWC"), fn.external_source(lambda: two, layout="HWC")]
        return (*ops.Cast(dtype=types.INT32)(rows), flip(rows[0]), flip(rows[1], name="named"))

    assert [np.asarray(each[0]).ravel().tolist() for each in both().run()] == [[1, 0], [2, 0], [1, 0], [2, 0]]


def test_compose_hands_results_on() -> None:
    @pipeline_def(batch_size=1, num_threads=1)
    def chain() -> Any:
        image = fn.external_source(lambda: np.arange(6, dtype=np.uint8).reshape(1, 1, 6, 1), layout="HWC")
        return ops.Compose([ops.Flip(), ops.Cast(dtype=types.FLOAT), lambda node: node + 0.5])(image)

    assert np.asarray(chain().run()[0][0]).ravel().tolist() == [5.5, 4.5, 3.5, 2.5, 1.5, 0.5]
    assert ops.Compose([])(3) == 3


def test_arguments_are_given_once_and_known() -> None:
    resize = ops.Resize(size=[3, 3], device="cpu", preserve=True)
    assert (resize.device, resize.preserve) == ("cpu", True)
    assert repr(ops.random.Uniform(range=[0, 1])) == "ops.random.Uniform(range=[0, 1])"
    with pytest.raises(ValueError, match=r"The argument `size` was already specified in __init__."):
        resize(fn.external_source(lambda: None), size=[4, 4])
    with pytest.raises(KeyError, match='Argument "foo" is not defined for operator "Resize"'):
        ops.Resize(foo=1)
    with pytest.raises(KeyError, match='Argument "foo" is not defined for operator "readers__File"'):
        ops.readers.File(file_root=".", foo=1)()
    with pytest.raises(ValueError, match=r"Operator nvidia.dali.ops.Resize expects from 1 to 1 inputs"):
        resize()


@pytest.mark.parametrize(
    ("outdated", "warning"),
    [
        ({"seed": 3}, 'The argument "seed" should not be used'),
        ({"output_dtype": types.UINT8}, "`output_dtype` is a deprecated alias for `dtype`"),
        ({"image_type": types.RGB}, "`image_type` is no longer used"),
    ],
)
def test_outdated_arguments_are_warned_of_once_where_they_are_given(outdated: dict[str, Any], warning: str) -> None:
    with pytest.warns(DeprecationWarning, match=warning) as caught:
        crop = ops.Crop(crop=[1, 1], **outdated)
    assert [each.filename for each in caught] == [__file__]
    crop(types.Constant(np.zeros((2, 2, 1), np.uint8)))  # warnings fail tests


def test_an_argument_is_not_given_twice_under_an_old_and_a_new_name() -> None:
    with pytest.raises(TypeError, match="unexpected 'output_dtype' deprecated argument when 'dtype' was already"):
        ops.Crop(crop=[1, 1], dtype=types.FLOAT, output_dtype=types.FLOAT)
    with pytest.warns(DeprecationWarning, match="output_dtype"):
        crop = ops.Crop(crop=[1, 1], output_dtype=types.FLOAT)
    with pytest.raises(ValueError, match="`dtype` was already specified in __init__"):
        crop(types.Constant(np.zeros((2, 2, 1), np.uint8)), dtype=types.FLOAT)
