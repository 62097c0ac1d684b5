"""What JPEG compression does to images, on accelerators: libjpeg's steps and whole numbers, but for the coding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.gpu.types import beside

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]

# The quantisation tables of the standard, for a quality of 50.
_LUMA = np.array([
    [16, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55], [14, 13, 16, 24, 40, 57, 69, 56],
    [14, 17, 22, 29, 51, 87, 80, 62], [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92],
    [49, 64, 78, 87, 103, 121, 120, 101], [72, 92, 95, 98, 112, 100, 103, 99],
])  # fmt: skip
_CHROMA = np.full((8, 8), 99)
_CHROMA[:4, :4] = [[17, 18, 24, 47], [18, 21, 26, 66], [24, 26, 56, 99], [47, 66, 99, 99]]

# Cosines and sums of them with 13 bits behind the point; between the two passes of a transform there are 2 of them.
_BITS, _PASS_BITS = 13, 2
_0_298, _0_390, _0_541, _0_765, _0_899, _1_175 = 2446, 3196, 4433, 6270, 7373, 9633
_1_501, _1_847, _1_961, _2_053, _2_562, _3_072 = 12299, 15137, 16069, 16819, 20995, 25172


def distorted(images: torch.Tensor, quality: int) -> torch.Tensor:
    """RGB images of uint8 under a leading axis, as a JPEG of that quality with chroma at half resolution shows them."""
    import torch

    height, width = images.shape[1:3]
    luma, *chroma = _ycc_of_rgb(images.to(torch.int32))
    y = _through_blocks(luma, _quantisation(_LUMA, quality))
    table = _quantisation(_CHROMA, quality)
    half = -(-width // 2)
    cb, cr = (_upsampled(_through_blocks(_downsampled(plane), table)[:, :, :half]) for plane in chroma)
    return _rgb_of_ycc(y, cb[:, :height, :width] - 128, cr[:, :height, :width] - 128)


def _quantisation(table: Array, quality: int) -> Array:
    scale = 5000 // quality if quality < 50 else 200 - 2 * quality
    steps: Array = np.clip((table * scale + 50) // 100, 1, 255).astype(np.int32)
    return steps


def _ycc_of_rgb(images: torch.Tensor) -> list[torch.Tensor]:
    red, green, blue = images.unbind(-1)
    middle = (128 << 16) + 32767
    return [
        (19595 * red + 38470 * green + 7471 * blue + 32768) >> 16,
        (-11059 * red - 21709 * green + 32768 * blue + middle) >> 16,
        (32768 * red - 27439 * green - 5329 * blue + middle) >> 16,
    ]


def _rgb_of_ycc(y: torch.Tensor, cb: torch.Tensor, cr: torch.Tensor) -> torch.Tensor:
    import torch

    red = y + ((91881 * cr + 32768) >> 16)
    green = y + ((-22554 * cb - 46802 * cr + 32768) >> 16)
    blue = y + ((116130 * cb + 32768) >> 16)
    return torch.stack([red, green, blue], dim=-1).clamp(0, 255).to(torch.uint8)


def _extended(plane: torch.Tensor, rows: int, columns: int) -> torch.Tensor:
    """The plane with its last row and column repeated up to that size."""
    for axis, size in ((1, rows), (2, columns)):
        if plane.shape[axis] < size:
            places = np.minimum(np.arange(size), plane.shape[axis] - 1)
            plane = plane.index_select(axis, beside(places, plane))
    return plane


def _downsampled(plane: torch.Tensor) -> torch.Tensor:
    """Half the resolution, as wide as its blocks; sums of four are rounded up and down by turns."""
    import torch

    height, width = plane.shape[1:]
    whole = _extended(plane, height + height % 2, -(-width // 16) * 16)
    fours = whole[:, ::2, ::2] + whole[:, 1::2, ::2] + whole[:, ::2, 1::2] + whole[:, 1::2, 1::2]
    turns = torch.arange(fours.shape[2], device=plane.device, dtype=plane.dtype) % 2
    return (fours + 1 + turns) >> 2


def _upsampled(plane: torch.Tensor) -> torch.Tensor:
    """Twice the resolution: three parts of the nearer pixel and one of the next, along both axes."""
    import torch

    if plane.shape[2] <= 2:
        return plane.repeat_interleave(2, dim=1).repeat_interleave(2, dim=2)
    above = torch.cat([plane[:, :1], plane[:, :-1]], dim=1)
    below = torch.cat([plane[:, 1:], plane[:, -1:]], dim=1)
    rows = torch.stack([3 * plane + above, 3 * plane + below], dim=2).flatten(1, 2)
    before = torch.cat([rows[:, :, :1], rows[:, :, :-1]], dim=2)
    after = torch.cat([rows[:, :, 1:], rows[:, :, -1:]], dim=2)
    return torch.stack([(3 * rows + before + 8) >> 4, (3 * rows + after + 7) >> 4], dim=3).flatten(2, 3)


def _through_blocks(plane: torch.Tensor, table: Array) -> torch.Tensor:
    """A plane after its blocks of 8 x 8 were transformed, quantised and transformed back."""
    import torch

    height, width = plane.shape[1:]
    whole = _extended(plane, -(-height // 8) * 8, -(-width // 8) * 8)
    shape = (len(plane), whole.shape[1] // 8, 8, whole.shape[2] // 8, 8)
    blocks = (whole - 128).reshape(shape).transpose(2, 3)
    steps = beside(table, plane)
    found = _forward(_forward(blocks, -1, _PASS_BITS, -_PASS_BITS), -2, -_PASS_BITS, _PASS_BITS)
    levels = torch.div(found.abs() + 4 * steps, 8 * steps, rounding_mode="floor") * found.sign()
    back = _backward(_backward(levels * steps, -2, _BITS - _PASS_BITS), -1, _BITS + _PASS_BITS + 3)
    made = (back + 128).clamp(0, 255).transpose(2, 3).reshape(whole.shape)
    return made[:, :height, :width]


def _descaled(values: torch.Tensor, bits: int) -> torch.Tensor:
    """Without so many bits behind the point, rounded; with more of them where it is negative."""
    return (values + (1 << (bits - 1))) >> bits if bits > 0 else values << -bits


def _odd_part(parts: list[torch.Tensor]) -> list[torch.Tensor]:
    """What both transforms do with four numbers before they are added up."""
    a, b, c, d = parts
    z1, z2, z3, z4 = a + d, b + c, a + c, b + d
    z5 = (z3 + z4) * _1_175
    z1, z2, z3, z4 = -_0_899 * z1, -_2_562 * z2, z5 - _1_961 * z3, z5 - _0_390 * z4
    return [_0_298 * a + z1 + z3, _2_053 * b + z2 + z4, _3_072 * c + z2 + z3, _1_501 * d + z1 + z4]


def _forward(blocks: torch.Tensor, axis: int, left: int, bits: int) -> torch.Tensor:
    """The cosine transform along an axis; sums lose -`left` bits and products 13 + `bits`."""
    import torch

    d = blocks.unbind(axis)
    sums, differences = [d[k] + d[7 - k] for k in range(4)], [d[k] - d[7 - k] for k in range(4)]
    outer, inner = (sums[0] + sums[3], sums[0] - sums[3]), (sums[1] + sums[2], sums[1] - sums[2])
    z = (inner[1] + outer[1]) * _0_541
    seven, five, three, one = _odd_part(differences[::-1])
    turned = [one, z + _0_765 * outer[1], three, five, z - _1_847 * inner[1], seven]
    first, second, third, fifth, sixth, last = (_descaled(each, _BITS + bits) for each in turned)
    start, fourth = (_descaled(each, -left) for each in (outer[0] + inner[0], outer[0] - inner[0]))
    return torch.stack([start, first, second, third, fourth, fifth, sixth, last], dim=axis)


def _backward(blocks: torch.Tensor, axis: int, bits: int) -> torch.Tensor:
    """The inverse transform along an axis, without so many bits."""
    import torch

    d = blocks.unbind(axis)
    z = (d[2] + d[6]) * _0_541
    low, high = z - _1_847 * d[6], z + _0_765 * d[2]
    plus, minus = (d[0] + d[4]) << _BITS, (d[0] - d[4]) << _BITS
    even = [plus + high, minus + low, minus - low, plus - high]
    odd = _odd_part([d[7], d[5], d[3], d[1]])[::-1]
    first = [a + b for a, b in zip(even, odd, strict=True)]
    second = [a - b for a, b in zip(even, odd, strict=True)]
    return torch.stack([_descaled(each, bits) for each in (*first, *second[::-1])], dim=axis)
