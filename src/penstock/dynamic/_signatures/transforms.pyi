"""Signatures of ndd.transforms. Written by tools/gen.py."""
# mypy: disable-error-code="overload-overlap"

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike, Operand, TensorLike
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.engine.rng import RNG
from penstock.storage import Storage
from penstock.values.bad_samples import BadSample
from penstock.values.device import Device
from penstock.values.dtypes import uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64
from penstock.values.enums import ImageType, InterpType

@overload
def combine(
    input_0: TensorLike,
    input_1: TensorLike,
    /,
    *inputs: TensorLike,
    reverse_order: bool | None = False,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Multiplies the matrices of affine transforms into that of all of them, one after the other.

        ndd.transforms.combine(ndd.transforms.scale(scale=[2, 2]), ndd.transforms.translation(offset=[5, 5]))

    Args:
        input_0: The transform that goes first.
        input_1: The one after it.
        reverse_order: Let the last transform go first.
    """
@overload
def combine(
    input_0: Operand,
    input_1: Operand,
    /,
    *inputs: Operand,
    reverse_order: bool | None = False,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def crop(
    input: TensorLike | None = None,
    /,
    *,
    from_start: float | Sequence[float] | Array | Tensor | None = [0.0],
    from_end: float | Sequence[float] | Array | Tensor | None = [1.0],
    to_start: float | Sequence[float] | Array | Tensor | None = [0.0],
    to_end: float | Sequence[float] | Array | Tensor | None = [1.0],
    absolute: bool | None = False,
    reverse_order: bool | None = False,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Makes the matrix of the affine transform that carries one box over to another.

        ndd.transforms.crop(from_start=[0.1, 0.2], from_end=[0.6, 0.7])

    Args:
        input: A transform to go before this one.
        from_start: Lower corner of the first box; one number stands for all axes.
        from_end: Upper corner of the first box.
        to_start: Lower corner of the second box.
        to_end: Upper corner of the second box.
        absolute: Exchange start and end where they are the wrong way round, instead of mirroring.
        reverse_order: Let the transform given as input go after this one.
    """
@overload
def crop(
    input: Operand | None = None,
    /,
    *,
    from_start: float | Sequence[float] | Array | Tensor | Batch | None = [0.0],
    from_end: float | Sequence[float] | Array | Tensor | Batch | None = [1.0],
    to_start: float | Sequence[float] | Array | Tensor | Batch | None = [0.0],
    to_end: float | Sequence[float] | Array | Tensor | Batch | None = [1.0],
    absolute: bool | None = False,
    reverse_order: bool | None = False,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def rotation(
    input: TensorLike | None = None,
    /,
    *,
    angle: float | Tensor,
    axis: float | Sequence[float] | Array | Tensor | None = None,
    center: float | Sequence[float] | Array | Tensor | None = None,
    reverse_order: bool | None = False,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Makes the matrix of a rotation, in the plane or about an axis in space.

        ndd.transforms.rotation(angle=30, center=[320, 240])
        ndd.transforms.rotation(angle=ndd.random.uniform(range=[-10, 10], batch_size=64), axis=[0, 0, 1])

    Args:
        input: A transform to go before this one.
        angle: In degrees, counterclockwise where y points up, or as seen from the tip of `axis`.
        axis: Direction of the axis to rotate about in space, of any length; without it the rotation is in the plane.
        center: The point that stays where it is; the origin by default.
        reverse_order: Let the transform given as input go after this one.
    """
@overload
def rotation(
    input: Operand | None = None,
    /,
    *,
    angle: float | Tensor | Batch,
    axis: float | Sequence[float] | Array | Tensor | Batch | None = None,
    center: float | Sequence[float] | Array | Tensor | Batch | None = None,
    reverse_order: bool | None = False,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def scale(
    input: TensorLike | None = None,
    /,
    *,
    scale: float | Sequence[float] | Array | Tensor,
    center: float | Sequence[float] | Array | Tensor | None = None,
    ndim: int | None = None,
    reverse_order: bool | None = False,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Makes the matrix of an affine transform that scales along the axes.

        ndd.transforms.scale(scale=[2.0, 0.5], center=[320, 240])
        ndd.transforms.scale(scale=2.0, ndim=2)

    Args:
        input: A transform to go before this one.
        scale: Factor for each axis, or one for all.
        center: The point that stays where it is; the origin by default.
        ndim: How many axes a single factor is for, where there is no input to tell; one by default.
        reverse_order: Let the transform given as input go after this one.
    """
@overload
def scale(
    input: Operand | None = None,
    /,
    *,
    scale: float | Sequence[float] | Array | Tensor | Batch,
    center: float | Sequence[float] | Array | Tensor | Batch | None = None,
    ndim: int | None = None,
    reverse_order: bool | None = False,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def shear(
    input: TensorLike | None = None,
    /,
    *,
    shear: float | Sequence[float] | Array | Tensor | None = None,
    angles: float | Sequence[float] | Array | Tensor | None = None,
    center: float | Sequence[float] | Array | Tensor | None = None,
    reverse_order: bool | None = False,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Makes the matrix of an affine transform that slants along the axes.

        ndd.transforms.shear(shear=[0.2, 0.0])
        ndd.transforms.shear(angles=[15, 0], center=[320, 240])

    Args:
        input: A transform to go before this one.
        shear: In the plane how much x grows with y, and y with x. In space six numbers, two for each of x, y and z:
            how much it grows with the other two. As an array also of shape (2, 1) or (3, 2).
        angles: The same as angles in degrees, from -90 to 90, whose tangents are the factors.
        center: The point that stays where it is; the origin by default.
        reverse_order: Let the transform given as input go after this one.
    """
@overload
def shear(
    input: Operand | None = None,
    /,
    *,
    shear: float | Sequence[float] | Array | Tensor | Batch | None = None,
    angles: float | Sequence[float] | Array | Tensor | Batch | None = None,
    center: float | Sequence[float] | Array | Tensor | Batch | None = None,
    reverse_order: bool | None = False,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def translation(
    input: TensorLike | None = None,
    /,
    *,
    offset: float | Sequence[float] | Array | Tensor,
    reverse_order: bool | None = False,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Makes the matrix of an affine transform that moves points.

        ndd.transforms.translation(offset=[10, 20])
        ndd.transforms.translation(ndd.transforms.scale(scale=[2, 2]), offset=[10, 20])

    Args:
        input: A transform to go before this one.
        offset: How far along each axis.
        reverse_order: Let the transform given as input go after this one.
    """
@overload
def translation(
    input: Operand | None = None,
    /,
    *,
    offset: float | Sequence[float] | Array | Tensor | Batch,
    reverse_order: bool | None = False,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...
