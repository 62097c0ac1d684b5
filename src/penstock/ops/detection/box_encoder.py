"""Ground truth for single-shot detectors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.gpu.types import beside
from penstock.ops.detection.boxes import check_boxes, check_labels
from penstock.schema import operator
from penstock.values.dtypes import float32, int32
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]
_ZEROS, _ONES = [0.0] * 4, [1.0] * 4


def _foretell(
    boxes: Spec, labels: Spec, *, anchors: Array, criteria: float, means: list[float], stds: list[float], **rest: Any
) -> tuple[Spec, Spec]:
    check_boxes(boxes, ndim=2)
    check_labels(labels)
    if anchors.size % 4 or not anchors.size:
        raise RuntimeError(f"anchors are four numbers each, got {anchors.size}")
    if not 0 <= criteria <= 1:
        raise RuntimeError(f"criteria is a share of the area, from 0 to 1, got {criteria}")
    for name, values in (("means", means), ("stds", stds)):
        if len(values) != 4:
            raise RuntimeError(f"{name} takes 4 numbers, for x, y, width and height, got {len(values)}")
    if 0 in stds:
        raise RuntimeError(f"stds are divided by and cannot be 0, got {stds}")
    return Spec(float32, 2, ""), Spec(int32, 1, "")


@operator(infer=_foretell, results=2)
def box_encoder(
    boxes: Array,
    labels: Array,
    *,
    anchors: np.ndarray[Any, Any],
    criteria: float = 0.5,
    means: list[float] = _ZEROS,
    offset: bool = False,
    scale: float = 1.0,
    stds: list[float] = _ONES,
) -> tuple[Array, Array]:
    """Tells for every anchor of a single-shot detector which box it should find.

        targets, classes = ndd.box_encoder(boxes, labels, anchors=anchors, criteria=0.5)

    Each anchor is given the box it overlaps with most, if by more than `criteria`; and each box at least the anchor
    that overlaps with it most. Results are centre x, centre y, width and height of the box, or of the anchor where
    there is none, and the label of the box or 0.

    Args:
        labels: A label for every box.
        anchors: Left, top, right and bottom of every anchor, as a flat list or rows of four.
        criteria: The least overlap, as intersection over union.
        offset: Tell how far the box is from its anchor, as such networks learn it, and zeros where there is none.
        means: Taken from the offsets of x, y, width and height.
        stds: What these are then divided by.
        scale: Factor for boxes and anchors before offsets are taken.
    """
    _check_shapes(boxes.shape, labels.shape)
    rows = anchors.reshape(-1, 4)
    box_of, found = _match(boxes, rows, np.float32(criteria))
    base = _centred(rows)
    classes = np.zeros(len(rows), np.int32)
    classes[found] = labels.reshape(-1)[box_of[found]]
    encoded = np.zeros_like(base) if offset else base.copy()
    encoded[found] = _centred(boxes)[box_of[found]]
    if offset:
        encoded[found] = _offsets(encoded[found] * np.float32(scale), base[found] * np.float32(scale), means, stds)
    return encoded, classes


def _check_shapes(boxes: Shape, labels: Shape) -> None:
    if boxes[1:] != (4,):
        raise RuntimeError(f"boxes are rows of four numbers, got an array of shape {boxes}")
    if math.prod(labels) != boxes[0] or labels[:1] != boxes[:1]:
        raise RuntimeError(f"{math.prod(labels)} labels for {boxes[0]} boxes")


def _match(boxes: Array, anchors: Array, criteria: np.float32) -> tuple[Array, Array]:
    """The box of every anchor, and which anchors have one; of equal overlaps the last counts."""
    if not len(boxes):
        return np.zeros(len(anchors), np.intp), np.zeros(len(anchors), bool)
    overlap = _overlap(boxes, anchors)
    box_of = len(boxes) - 1 - overlap[::-1].argmax(axis=0)
    found = overlap.max(axis=0) > criteria
    for i, own in enumerate(len(anchors) - 1 - overlap[:, ::-1].argmax(axis=1)):
        box_of[own], found[own] = i, True
    return box_of, found


def _overlap(boxes: Array, anchors: Array) -> Array:
    size = np.minimum(boxes[:, None, 2:], anchors[:, 2:]) - np.maximum(boxes[:, None, :2], anchors[:, :2])
    common = size[..., 0] * size[..., 1]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = common / (_area(anchors) + _area(boxes)[:, None] - common)
    return np.where((size > 0).all(axis=-1), share, np.float32(0))


def _area(boxes: Array) -> Array:
    area: Array = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return area


def _centred(boxes: Array) -> Array:
    return np.hstack([np.float32(0.5) * (boxes[:, :2] + boxes[:, 2:]), boxes[:, 2:] - boxes[:, :2]])


def _offsets(boxes: Array, anchors: Array, means: list[float], stds: list[float]) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        distances = [(boxes[:, :2] - anchors[:, :2]) / anchors[:, 2:], np.log(boxes[:, 2:] / anchors[:, 2:])]
    offsets: Array = (np.hstack(distances) - np.array(means, np.float32)) / np.array(stds, np.float32)
    return offsets


@box_encoder.on_samples
def whole(
    pool: Pool, n: int, boxes: Samples, labels: Samples, *, anchors: Array, criteria: float, means: list[float],
    offset: bool, scale: float, stds: list[float],
) -> tuple[Samples, Samples]:  # fmt: skip
    return _native.encode_boxes(
        pool, n, boxes, labels, anchors.reshape(-1), criteria, (means, stds) if offset else None, scale
    )


@box_encoder.gpu
def gpu(
    boxes: torch.Tensor, labels: torch.Tensor, *, anchors: Array, criteria: float, means: list[float], offset: bool,
    scale: float, stds: list[float],
) -> tuple[torch.Tensor, torch.Tensor]:  # fmt: skip
    import torch

    _check_shapes(tuple(boxes.shape[1:]), tuple(labels.shape[1:]))
    rows = beside(anchors.reshape(-1, 4), boxes)
    base = _centred_gpu(rows).expand(len(boxes), -1, -1)
    unmatched = torch.zeros_like(base) if offset else base
    if not boxes.shape[1]:
        return unmatched.clone(), torch.zeros(base.shape[:2], dtype=torch.int32, device=boxes.device)
    box_of, found = _match_gpu(boxes, rows, float(np.float32(criteria)))
    classes = torch.where(found, labels.reshape(len(boxes), -1).gather(1, box_of), 0)
    encoded = _centred_gpu(boxes).gather(1, box_of[..., None].expand(-1, -1, 4))
    if offset:
        encoded = _offsets_gpu(encoded * scale, base * scale, means, stds)
    return torch.where(found[..., None], encoded, unmatched), classes


def _match_gpu(boxes: torch.Tensor, anchors: torch.Tensor, criteria: float) -> tuple[torch.Tensor, torch.Tensor]:
    """As `_match`, for samples under a leading axis."""
    import torch

    overlap = _overlap_gpu(boxes, anchors)
    of_boxes = torch.arange(overlap.shape[1], device=boxes.device)
    of_anchors = torch.arange(overlap.shape[2], device=boxes.device)
    most = overlap.amax(1, keepdim=True)
    box_of = torch.where(overlap == most, of_boxes[:, None], -1).amax(1)
    own = torch.where(overlap == overlap.amax(2, keepdim=True), of_anchors, -1).amax(2)
    claimed = torch.full_like(box_of, -1).scatter_reduce(1, own, of_boxes.expand_as(own), "amax")
    return torch.where(claimed >= 0, claimed, box_of), (most[:, 0] > criteria) | (claimed >= 0)


def _overlap_gpu(boxes: torch.Tensor, anchors: torch.Tensor) -> torch.Tensor:
    import torch

    each = boxes[:, :, None]
    size = torch.minimum(each[..., 2:], anchors[:, 2:]) - torch.maximum(each[..., :2], anchors[:, :2])
    common = size[..., 0] * size[..., 1]
    share = common / (_area_gpu(anchors) + _area_gpu(boxes)[..., None] - common)
    return torch.where((size > 0).all(-1), share, 0)


def _area_gpu(boxes: torch.Tensor) -> torch.Tensor:
    return (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])


def _centred_gpu(boxes: torch.Tensor) -> torch.Tensor:
    import torch

    return torch.cat([0.5 * (boxes[..., :2] + boxes[..., 2:]), boxes[..., 2:] - boxes[..., :2]], -1)


def _offsets_gpu(boxes: torch.Tensor, anchors: torch.Tensor, means: list[float], stds: list[float]) -> torch.Tensor:
    import torch

    moved = (boxes[..., :2] - anchors[..., :2]) / anchors[..., 2:]
    offsets = torch.cat([moved, (boxes[..., 2:] / anchors[..., 2:]).log()], -1)
    return (offsets - beside(np.array(means, np.float32), boxes)) / beside(np.array(stds, np.float32), boxes)
