"""Polygons of chosen masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.ops.names import type_name
from penstock.schema import operator
from penstock.values.dtypes import int32
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(mask_ids: Spec, polygons: Spec, vertices: Spec, **arguments: Any) -> tuple[Spec, Spec]:
    for name, spec, ndim in (("mask_ids", mask_ids, 1), ("polygons", polygons, 2), ("vertices", vertices, 2)):
        if spec.ndim != ndim:
            raise RuntimeError(f"{name} take {ndim} axes, got {spec.ndim}")
        if spec.dtype != int32 and name != "vertices":
            raise RuntimeError(f"{name} are int32, got {type_name(spec.dtype)}")
    return polygons, vertices


@operator(name="segmentation.select_masks", infer=_foretell, results=2, runs_on="cpu")
def select_masks(
    mask_ids: Array, polygons: Array, vertices: Array, *, reindex_masks: bool = False
) -> tuple[Array, Array]:
    """Keeps the polygons of chosen masks, and the vertices they are made of.

        polygons, vertices = ndd.segmentation.select_masks(mask_ids, polygons, vertices)

    Polygons are rows of three numbers, as the COCO reader gives them: the mask, the first vertex and the one after
    the last. The result has one mask after the other, in the order they are asked for, and the vertices likewise.

    Args:
        mask_ids: The masks to keep, each named once.
        polygons: The polygons of all masks. A mask may have several.
        vertices: A vertex in every row.
        reindex_masks: Call masks 0, 1, 2 ... in the order they are asked for.
    """
    if polygons.shape[1] != 3:
        raise RuntimeError(f"a polygon is mask, first and last vertex, got {polygons.shape[1]} numbers")
    rows, kept, filled = [], [vertices[:0]], 0
    for place, mask in enumerate(mask_ids):
        if mask in mask_ids[:place]:
            raise RuntimeError(f"mask {mask} is named twice")
        mine = polygons[polygons[:, 0] == mask]
        if not len(mine):
            raise RuntimeError(f"Selected mask_id {mask} is not present in the input")
        for _, first, last in mine:
            if not 0 <= first <= last <= len(vertices):
                raise RuntimeError(f"a polygon of mask {mask} goes from vertex {first} to {last} of {len(vertices)}")
            rows.append((place if reindex_masks else mask, filled, filled + last - first))
            kept.append(vertices[first:last])
            filled += last - first
    return np.array(rows, np.int32).reshape(-1, 3), np.concatenate(kept)


@select_masks.on_samples
def whole(
    pool: Pool, n: int, mask_ids: Samples, polygons: Samples, vertices: Samples, *, reindex_masks: bool
) -> tuple[Samples, Samples]:
    return _native.select_masks(pool, n, mask_ids, polygons, vertices, reindex_masks)
