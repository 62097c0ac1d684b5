"""Transforms with the names of torchvision's.

The sums of pixels are those of DALI 2.4 for the same image and arguments.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd

torch = pytest.importorskip("torch")
pil = pytest.importorskip("PIL.Image")

from penstock.plugin import torchvision as tv  # noqa: E402
from penstock.plugin.torchvision import functional  # noqa: E402

PIXELS = np.random.default_rng(0).integers(0, 256, (12, 10, 3), np.uint8)
IMAGE = pil.fromarray(PIXELS)
GREY = pil.fromarray(PIXELS[..., 0])
TENSOR = torch.from_numpy(PIXELS).permute(2, 0, 1).contiguous()
TENSORS = torch.stack([TENSOR, TENSOR.flip(2)])


def seen(made: Any) -> tuple[Any, ...]:
    """Height, width and sum of an image or tensor."""
    if isinstance(made, pil.Image):
        return (*made.size[::-1], int(np.asarray(made).astype(int).sum()))
    return (*made.shape[-2:], int(made.long().sum()))


@pytest.mark.parametrize(
    ("transform", "height", "width", "total"),
    [
        (lambda: tv.Resize(6), 7, 6, 15836),
        (lambda: tv.Resize((6, 5)), 6, 5, 11309),
        (lambda: tv.Resize(6, max_size=7), 7, 6, 15836),
        (lambda: tv.Resize(None, max_size=7), 7, 5, 13188),
        (lambda: tv.Resize((6, 5), tv.InterpolationMode.NEAREST), 6, 5, 10676),
        (lambda: tv.Resize((6, 5), antialias=False), 6, 5, 11317),
        (lambda: tv.Resize((6, 5), 3), 6, 5, 11317),
        (lambda: tv.CenterCrop(5), 5, 5, 8901),
        (lambda: tv.CenterCrop([5]), 5, 5, 8901),
        (lambda: tv.CenterCrop((7, 7)), 7, 7, 17882),
        (lambda: tv.CenterCrop((15, 8)), 15, 8, 35859),
        (lambda: tv.Pad((1, 2)), 16, 12, 45231),
        (lambda: tv.Pad((1, 2, 3, 4), fill=7), 18, 14, 48003),
        (lambda: tv.Pad(2, fill=(1, 2, 3)), 16, 14, 45855),
        (lambda: tv.Pad(2, padding_mode="edge"), 16, 14, 82847),
        (lambda: tv.Pad(2, padding_mode="reflect"), 16, 14, 85152),
        (lambda: tv.Pad(2, padding_mode="symmetric"), 16, 14, 85109),
        (lambda: tv.RandomCrop((12, 10)), 12, 10, 45231),
        (lambda: tv.RandomCrop((14, 14), pad_if_needed=True), 14, 14, 45231),
        (lambda: tv.RandomResizedCrop((6, 6), scale=(1.0, 1.0), ratio=(10 / 12, 10 / 12)), 6, 6, 13579),
        (lambda: tv.RandomGrayscale(1.0), 12, 10, 45134),
        (lambda: tv.Grayscale(3), 12, 10, 45134),
        (lambda: tv.Grayscale(), 12, 10, 15034),
        (lambda: tv.ColorJitter(brightness=(1.5, 1.5)), 12, 10, 60819),
        (lambda: tv.ColorJitter(), 12, 10, 45231),
        (lambda: tv.RandomApply([tv.Resize(6)], p=1.0), 7, 6, 15836),
        (lambda: tv.RandomApply([tv.Resize(6)], p=0.0), 12, 10, 45231),
    ],
)
def test_images_and_tensors_become_what_dali_makes_of_them(transform: Any, height: int, width: int, total: int) -> None:
    compose = tv.Compose([transform()])
    made = compose(IMAGE)
    assert isinstance(made, pil.Image)
    assert seen(made) == seen(compose(TENSOR)) == (height, width, total)
    both = compose(TENSORS)
    assert both.shape[0] == 2
    assert seen(both[0]) == (height, width, total)
    assert seen(transform()(TENSOR)) == (height, width, total)


def test_borders_may_depend_on_the_kind_of_input() -> None:
    pad = tv.Pad(2, fill={pil.Image: (1, 2, 3), torch.Tensor: 7})
    assert seen(pad(IMAGE)) == (16, 14, 45855)
    assert torch.equal(pad(TENSOR), tv.Pad(2, fill=7)(TENSOR))
    others = tv.Pad(2, fill={torch.Tensor: 7, "others": None})
    assert seen(others(IMAGE)) == seen(tv.Pad(2)(IMAGE))
    assert torch.equal(functional.pad(TENSOR, 2, {torch.Tensor: 7}), pad(TENSOR))


def test_blurs_are_those_of_the_operator() -> None:
    made = tv.GaussianBlur((3, 5), 0.7)(TENSOR)
    expected = ndd.gaussian_blur(ndd.tensor(PIXELS, layout="HWC"), window_size=[3, 5], sigma=[0.7])
    np.testing.assert_array_equal(made.permute(1, 2, 0).numpy(), np.asarray(expected))
    drawn = [tv.GaussianBlur(5, (0.1, 2.0), seed=4)(TENSORS) for _ in range(2)]
    assert torch.equal(*drawn)
    assert not torch.equal(drawn[0][0], drawn[0][1].flip(2))


def test_values_are_normalized() -> None:
    mean, std = [100.0, 110.0, 120.0], [50.0, 60.0, 70.0]
    made = tv.Normalize(mean, std)(TENSOR)
    expected = (TENSOR.float() - torch.tensor(mean)[:, None, None]) / torch.tensor(std)[:, None, None]
    torch.testing.assert_close(made, expected)
    through = tv.Compose([tv.PILToTensor(), tv.Normalize(mean, std)])(IMAGE)
    torch.testing.assert_close(through, expected)
    with pytest.raises(TypeError, match="have become floats"):
        tv.Compose([tv.Normalize(mean, std)])(IMAGE)
    with pytest.raises(TypeError, match="Data should be Tensor"):
        functional.normalize(IMAGE, mean, std)


def test_a_conversion_says_what_is_returned() -> None:
    assert torch.equal(tv.Compose([tv.PILToTensor()])(IMAGE), TENSOR)
    assert tv.Compose([tv.Resize(6), tv.ToPureTensor()])(GREY).shape == (1, 7, 6)
    assert np.array_equal(np.asarray(tv.Compose([tv.ToPILImage()])(TENSOR)), PIXELS)
    assert [seen(each) for each in tv.Compose([tv.ToPILImage()])(TENSORS)] == [(12, 10, 45231)] * 2
    assert np.array_equal(np.asarray(functional.to_pil_image(TENSOR.float() / 255)), PIXELS)
    assert torch.equal(functional.to_tensor(IMAGE), TENSOR.float() / 255)
    assert torch.equal(functional.pil_to_tensor(IMAGE), TENSOR)
    assert tv.Compose([tv.Grayscale(3)])(GREY).mode == "RGB"


def test_what_is_random_is_drawn_for_each_image() -> None:
    many = TENSOR.repeat(64, 1, 1, 1)
    flipped = tv.RandomHorizontalFlip(0.5)(many)
    mirrored = [bool(torch.equal(each, TENSOR.flip(2))) for each in flipped]
    assert 8 < sum(mirrored) < 56
    assert all(
        torch.equal(each, TENSOR.flip(2) if one else TENSOR) for each, one in zip(flipped, mirrored, strict=True)
    )
    assert torch.equal(tv.RandomVerticalFlip(1.0)(TENSOR), TENSOR.flip(1))
    assert len({seen(each)[2] for each in tv.RandomCrop(5)(many)}) > 8
    assert len({seen(each)[2] for each in tv.ColorJitter(brightness=0.5)(many)}) > 8
    grey = tv.RandomApply([tv.Grayscale(3)])(many)
    assert {seen(each)[2] for each in grey} == {45231, 45134}


def test_functions_do_what_transforms_do() -> None:
    assert seen(functional.resize(IMAGE, [6])) == (7, 6, 15836)
    assert seen(functional.center_crop(TENSOR, 5)) == (5, 5, 8901)
    assert seen(functional.crop(TENSOR, 1, 2, 5, 4)) == (5, 4, 7839)
    assert seen(functional.crop(IMAGE, -1, 8, 5, 4)) == (5, 4, 3406)
    assert seen(functional.pad(TENSOR, [1, 2])) == (16, 12, 45231)
    assert torch.equal(functional.horizontal_flip(TENSOR), TENSOR.flip(2))
    assert torch.equal(functional.vertical_flip(TENSORS), TENSORS.flip(2))
    assert seen(functional.rgb_to_grayscale(TENSOR)) == (12, 10, 15034)
    assert seen(functional.to_grayscale(IMAGE, 3)) == (12, 10, 45134)
    assert functional.resized_crop(TENSOR, 1, 2, 5, 4, 6).shape == (3, 6, 6)
    assert functional.gaussian_blur(IMAGE, 5).size == (10, 12)
    for given in (IMAGE, TENSOR, TENSORS):
        assert functional.get_dimensions(given) == [3, 12, 10]
        assert functional.get_size(given) == [12, 10]
        assert functional.get_image_size(given) == [10, 12]


def test_tensors_may_have_any_number_of_leading_axes() -> None:
    assert tv.Resize(6)(TENSORS[None]).shape == (1, 2, 3, 7, 6)
    assert tv.Resize(6)(TENSOR[0]).shape == (7, 6)
    assert tv.Grayscale()(TENSOR.float() / 255).dtype == torch.float32


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: tv.Resize(0), ValueError, "size must be positive, got 0"),
        (lambda: tv.Resize((1, 2, 3)), ValueError, "length 1 or 2, got 3"),
        (lambda: tv.Resize((3, 4), max_size=5), ValueError, "max_size should only be passed"),
        (lambda: tv.Resize(6, max_size=6), ValueError, "max_size must be greater"),
        (lambda: tv.Resize(6, tv.InterpolationMode.BOX), NotImplementedError, "is not supported"),
        (lambda: tv.Resize(6, 5), NotImplementedError, "is not supported"),
        (lambda: tv.Resize(6, 6), ValueError, "Interpolation int 6 is not a valid PIL code"),
        (lambda: tv.RandomCrop(6, fill={}), TypeError, "fill must be a number, sequence of numbers, or None"),
        (lambda: tv.Pad(2, fill="red"), TypeError, "fill must be a number, sequence of numbers, or None"),
        (lambda: tv.Pad(2, fill={torch.Tensor: [1, "x"]}), TypeError, "fill must be a number"),
        (lambda: tv.Pad(2, fill={torch.Tensor: 1})(IMAGE), ValueError, 'fill has nothing for Image, and no "others"'),
        (lambda: tv.GaussianBlur(4), ValueError, "Kernel size values should be odd positive numbers"),
        (lambda: tv.GaussianBlur(3, -1.0), ValueError, "Value sigma must be positive"),
        (lambda: tv.Grayscale(2), ValueError, "num_output_channels must be 1 or 3"),
        (lambda: tv.ColorJitter(-1.0), ValueError, "Value brightness must be non-negative"),
        (lambda: tv.ColorJitter(hue=0.6), ValueError, "If hue is a single number"),
        (lambda: tv.Pad(1, padding_mode="x"), ValueError, "Invalid padding mode"),
        (lambda: tv.Pad((1, 2, 3)), TypeError, "Padding must be an int or a sequence of length 2 or 4"),
        (lambda: tv.Normalize([1.0], [0.0]), ValueError, "Std must not be 0"),
        (lambda: tv.Normalize([1.0], [1.0], inplace=True), NotImplementedError, "inplace"),
        (lambda: tv.CenterCrop(-1), ValueError, "must be positive"),
        (lambda: tv.RandomResizedCrop(6, scale=(2.0, 1.0)), ValueError, "scale should be a"),
        (lambda: tv.RandomHorizontalFlip(1.5), ValueError, "p is a probability, got 1.5"),
        (lambda: tv.Resize(6, device="gpu"), RuntimeError, "needs an accelerator"),
        (lambda: tv.Compose([len]), TypeError, "Compose takes the transforms of this module"),
        (lambda: tv.Resize(6)(PIXELS), TypeError, "inpt should be Tensor or PIL Image"),
        (lambda: tv.RandomCrop((14, 14))(IMAGE), RuntimeError, "does not fit in 12x10"),
        (lambda: functional.to_pil_image(TENSORS), ValueError, "Expected 3-D CHW tensor"),
    ],
)
def test_what_is_refused(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()
