"""Boxes, masks and the windows drawn around them. The seed is set before every call, so draws are the same too."""

from __future__ import annotations

from typing import Any

import numpy as np

CROP = "thresholds=[0.0, 0.1, 0.3, 0.5], scaling=[0.3, 1.0], aspect_ratio=[0.5, 2.0]"
BEST = "total_num_attempts=40, quiet=True"

CASES: list[dict[str, Any]] = [
    {
        "operator": "bb_flip",
        "calls": [
            "ndd.bb_flip(sized_boxes, horizontal=ndd.batch([0, 1, 1, 0]), vertical=ndd.batch([1, 1, 0, 0]))",
            "ndd.bb_flip(ndd.tensor([0.1, 0.2, 0.3, 0.4]))",
            "ndd.bb_flip(labels)",
        ],
    },
    {
        "operator": "bbox_paste",
        "calls": [
            "ndd.bbox_paste(sized_boxes, ratio=1.7)",
            "ndd.bbox_paste(boxes, ltrb=True, ratio=3.0, paste_x=0.3, paste_y=0.7)",
            "ndd.bbox_paste(sized_boxes, ratio=ndd.batch([1.0, 1.3, 2.3, 5.7]), paste_x=ndd.batch([0.0, 0.2, 0.7, 1]))",
            "ndd.bbox_paste(ndd.tensor([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), ratio=2.0)",
            "ndd.bbox_paste(labels, ratio=2.0)",
            "ndd.bbox_paste(boxes)",
        ],
    },
    {
        "operator": "bbox_rotate",
        "within": 1e-5,
        "calls": [
            "ndd.bbox_rotate(sized_boxes, angle=41.0, input_shape=[100, 200], bbox_layout='xyWH')",
            "ndd.bbox_rotate(boxes, angle=12.0, input_shape=[48, 64], size=[50.5, 70.2])",
            "ndd.bbox_rotate(pixel_boxes, angle=ndd.batch([0.0, 90.0, 180.0, 270.0]), input_shape=[48, 64],"
            " bbox_normalized=False)",
            "ndd.bbox_rotate(boxes, angle=3.0, input_shape=ndd.batch([[48, 64], [49, 65], [50, 50], [7, 9]]))",
            "ndd.bbox_rotate(boxes, angle=3.0, input_shape=[48, 64], mode='never')",
            "ndd.bbox_rotate(boxes, angle=3.0, input_shape=[48, 64], bbox_layout='XYxy')",
            "ndd.bbox_rotate(boxes, angle=3.0, input_shape=[48, 64], size=[4.0, 5.0], keep_size=True)",
            "ndd.bbox_rotate(boxes, boxes, angle=3.0, input_shape=[48, 64])",
        ],
    },
    {
        "operator": "box_encoder",
        "calls": [
            "ndd.box_encoder(boxes, labels, anchors=anchors)",
            "ndd.box_encoder(boxes, labels, anchors=anchors, criteria=0.1)",
            "ndd.box_encoder(grid_boxes, labels, anchors=grid_anchors, criteria=0.25)",
            "ndd.box_encoder(grid_boxes, labels, anchors=grid_anchors, criteria=0.0)",
            "ndd.box_encoder(boxes, labels, anchors=anchors, criteria=1.0)",
            "ndd.box_encoder(boxes, labels, anchors=anchors, criteria=1.1)",
            "ndd.box_encoder(boxes, labels, anchors=anchors, means=[0.0, 0.0])",
            "ndd.box_encoder(boxes, labels, anchors=[0.1, 0.2, 0.3, 0.4, 0.5])",
        ],
    },
    {
        # Logarithms come from the C library, whose last bit may differ.
        "operator": "box_encoder (offset)",
        "within": 1e-6,
        "calls": [
            "ndd.box_encoder(boxes, labels, anchors=anchors, offset=True)",
            "ndd.box_encoder(boxes, labels, anchors=anchors, criteria=0.3, offset=True, scale=300.0,"
            " means=[0.1, -0.2, 0.3, 0.4], stds=[0.1, 0.1, 0.2, 0.2])",
            "ndd.box_encoder(boxes, labels, anchors=anchors, offset=True, stds=[0.0, 1.0, 1.0, 1.0])",
        ],
    },
    {
        "operator": "random_bbox_crop",
        "calls": [
            f"ndd.random_bbox_crop(boxes, crop_shape=[20, 5], input_shape=[10, 10], num_attempts=20, {BEST})",
            "ndd.random_bbox_crop(boxes, crop_shape=[90, 70], input_shape=ndd.tensor([80, 75]), shape_layout='HW')",
            f"ndd.random_bbox_crop(boxes, labels, {CROP}, num_attempts=20)",
            f"ndd.random_bbox_crop(boxes, labels, {CROP}, allow_no_crop=False, output_bbox_indices=True, {BEST})",
            f"ndd.random_bbox_crop(boxes, labels, {CROP}, threshold_type='overlap', all_boxes_above_threshold=False)",
            f"ndd.random_bbox_crop(boxes, {CROP}, bbox_prune_threshold=0.5, allow_no_crop=0, num_attempts=3, {BEST})",
            f"ndd.random_bbox_crop(boxes, {CROP}, bbox_prune_threshold=0.0, allow_no_crop=False, {BEST})",
            f"ndd.random_bbox_crop(boxes, thresholds=[0.9], scaling=[0.1, 0.3], aspect_ratio=[0.7, 1.4],"
            f" allow_no_crop=False, {BEST})",
            f"ndd.random_bbox_crop(boxes, {CROP}, input_shape=[480, 640], shape_layout='HW', num_attempts=5)",
            "ndd.random_bbox_crop(boxes, labels, allow_no_crop=False, all_boxes_above_threshold=False, num_attempts=9,"
            " input_shape=[640, 480], crop_shape=[300, 200])",
            "ndd.random_bbox_crop(boxes, input_shape=ndd.batch([[64, 48], [60, 61], [80, 90], [70, 33]]),"
            f" crop_shape=ndd.batch([[30, 40], [60, 61], [20, 80], [69, 33]]), shape_layout='HW', {BEST})",
            f"ndd.random_bbox_crop(sized_boxes, bbox_layout='xyWH', {CROP})",
            f"ndd.random_bbox_crop(sized_boxes, ltrb=False, {CROP}, allow_no_crop=False, num_attempts=10, {BEST})",
            f"ndd.random_bbox_crop(boxes, bbox_layout='yxYX', {CROP}, allow_no_crop=False, num_attempts=10, {BEST})",
            f"ndd.random_bbox_crop(solid_boxes, {CROP}, allow_no_crop=False, num_attempts=10, {BEST})",
            f"ndd.random_bbox_crop(solid_boxes, thresholds=[0.1], scaling=[0.5, 1.0], allow_no_crop=False, {BEST},"
            " aspect_ratio=[0.5, 2.0, 0.8, 1.2, 0.7, 1.5], output_bbox_indices=True)",
            "ndd.random_bbox_crop(solid_boxes, allow_no_crop=False, input_shape=[30, 40, 50], crop_shape=[20, 30, 40],"
            " shape_layout='DHW', all_boxes_above_threshold=False)",
            "ndd.random_bbox_crop(boxes, threshold_type='bad')",
            "ndd.random_bbox_crop(boxes, thresholds=[1.5])",
            "ndd.random_bbox_crop(boxes, crop_shape=[2, 2])",
            "ndd.random_bbox_crop(boxes, crop_shape=[2, 2], input_shape=[9, 9], scaling=[0.5, 1.0])",
            "ndd.random_bbox_crop(pixel_boxes)",
        ],
    },
    {
        # Extents that are tied to each other are rounded in another order.
        "operator": "random_bbox_crop (fixed ratio)",
        "within": 1e-6,
        "calls": [
            f"ndd.random_bbox_crop(boxes, scaling=[0.3, 1.0], allow_no_crop=False, num_attempts=10, {BEST})",
            f"ndd.random_bbox_crop(boxes, scaling=[0.3, 1.0], aspect_ratio=[2.0, 2.0], allow_no_crop=False, {BEST})",
            f"ndd.random_bbox_crop(solid_boxes, scaling=[0.3, 1.0], allow_no_crop=False, num_attempts=10, {BEST})",
        ],
    },
    {
        "operator": "segmentation.select_masks",
        "calls": [
            "ndd.segmentation.select_masks(ndd.tensor([1]), polygons, vertices)",
            "ndd.segmentation.select_masks(ndd.tensor([4, 0, 1]), polygons, vertices)",
            "ndd.segmentation.select_masks(ndd.tensor([4, 0]), polygons, vertices, reindex_masks=True)",
            "ndd.segmentation.select_masks(ndd.batch([[1], [0, 4]]), polygons, ndd.cast(vertices, dtype=ndd.float64))",
            "ndd.segmentation.select_masks(ndd.tensor([9]), polygons, vertices)",
            "ndd.segmentation.select_masks(ndd.tensor([1, 1]), polygons, vertices)",
            "ndd.segmentation.select_masks(ndd.tensor([1]), vertices, vertices)",
        ],
    },
    {
        "operator": "segmentation.random_mask_pixel",
        "calls": [
            "ndd.segmentation.random_mask_pixel(masks)",
            "ndd.segmentation.random_mask_pixel(masks, foreground=1)",
            "ndd.segmentation.random_mask_pixel(masks, foreground=1, threshold=1.5)",
            "ndd.segmentation.random_mask_pixel(masks, foreground=ndd.batch([1, 0, 1, 1]),"
            " value=ndd.batch([1, 2, 3, 9]))",
            "ndd.segmentation.random_mask_pixel(ndd.cast(masks, dtype=ndd.float32), foreground=1, threshold=0.5)",
            "ndd.segmentation.random_mask_pixel(ndd.cast(masks, dtype=ndd.int64), foreground=1, threshold=2.0)",
            "ndd.segmentation.random_mask_pixel(solid_mask, foreground=1, batch_size=5)",
            "ndd.segmentation.random_mask_pixel(masks, foreground=1, value=1, threshold=2.0)",
            "ndd.segmentation.random_mask_pixel(ndd.cast(masks, dtype=ndd.float64))",
        ],
    },
    {
        "operator": "segmentation.random_object_bbox",
        "calls": [
            "ndd.segmentation.random_object_bbox(masks)",
            "ndd.segmentation.random_object_bbox(masks, foreground_prob=1e-9, output_class=True, classes=[0, -5])",
            "ndd.segmentation.random_object_bbox(masks, foreground_prob=1e-9, output_class=True, classes=[2, -5])",
            "ndd.segmentation.random_object_bbox(masks, classes=None, background=None, k_largest=None)",
            "ndd.segmentation.random_object_bbox(masks, foreground_prob=0.5, output_class=True)",
            "ndd.segmentation.random_object_bbox(masks, format='start_end', ignore_class=True)",
            "ndd.segmentation.random_object_bbox(masks, format='box', classes=[1, 3, 8], output_class=True)",
            "ndd.segmentation.random_object_bbox(masks, class_weights=[0.1, 0.2, 0.7], output_class=True)",
            "ndd.segmentation.random_object_bbox(masks, background=2, class_weights=[1.0, 2.0, 3.0], output_class=1)",
            "ndd.segmentation.random_object_bbox(masks, k_largest=2, output_class=True)",
            "ndd.segmentation.random_object_bbox(masks, threshold=2, k_largest=4, ignore_class=True)",
            "ndd.segmentation.random_object_bbox(masks, threshold=[3, 2], output_class=True)",
            "ndd.segmentation.random_object_bbox(masks, threshold=[99, 99], output_class=True)",
            "ndd.segmentation.random_object_bbox(masks, background=ndd.batch([0, 1, 2, 3]), output_class=True)",
            "ndd.segmentation.random_object_bbox(masks, cache_objects=True)",
            "ndd.segmentation.random_object_bbox(ndd.cast(masks, dtype=ndd.int16), output_class=True)",
            "ndd.segmentation.random_object_bbox(solid_mask, output_class=True, batch_size=6)",
            "ndd.segmentation.random_object_bbox(masks, classes=[1], background=1)",
            "ndd.segmentation.random_object_bbox(masks, classes=[1, 2], class_weights=[1.0])",
            "ndd.segmentation.random_object_bbox(masks, ignore_class=True, output_class=True)",
            "ndd.segmentation.random_object_bbox(masks, format='corners')",
            "ndd.segmentation.random_object_bbox(masks, k_largest=0)",
            "ndd.segmentation.random_object_bbox(ndd.cast(masks, dtype=ndd.float32))",
        ],
    },
    {
        "operator": "roi_random_crop",
        "calls": [
            "ndd.roi_random_crop(solid_mask, crop_shape=[4, 5, 6], roi_start=[1, 1, 0], roi_shape=[9, 2, 3],"
            " batch_size=3)",
            "ndd.roi_random_crop(masks, crop_shape=[9, 3], roi_start=[1, 2], roi_end=[7, 9])",
            "ndd.roi_random_crop(crop_shape=ndd.batch([[2, 2], [3, 9]]), roi_start=ndd.batch([[3, 3], [5, 5]]),"
            " roi_shape=[12, 4])",
            "ndd.roi_random_crop(crop_shape=2, roi_start=1, roi_end=9)",
            "ndd.roi_random_crop(crop_shape=[20, 2], roi_start=[1, 1], roi_end=[3, 3], in_shape=[9, 9])",
            "ndd.roi_random_crop(crop_shape=[2, 2], roi_start=[1, 1], roi_end=[13, 3], in_shape=[9, 9])",
            "ndd.roi_random_crop(crop_shape=[2, 2], roi_start=[1, 1])",
            "ndd.roi_random_crop(crop_shape=[2, 2], roi_start=[1, 1, 1], roi_end=[3, 3, 3])",
        ],
    },
]


def inputs(ndd: Any) -> dict[str, Any]:
    rng = np.random.default_rng(3)

    def corners(n: int, ndim: int = 2) -> np.ndarray:
        return np.sort(rng.uniform(0, 1, (n, 2, ndim)), axis=1).reshape(n, 2 * ndim).astype(np.float32)

    boxes = [corners(n) for n in (3, 1, 6, 2)]
    sized = [np.hstack([box[:, :2], 0.9 * (box[:, 2:] - box[:, :2])]).astype(np.float32) for box in boxes]
    anchors = corners(300)
    masks = [rng.integers(0, 4, (11 + i, 17)) * (rng.uniform(0, 1, (11 + i, 17)) < 0.6) for i in range(3)]
    masks.append(np.kron(rng.integers(0, 6, (6, 8)), np.ones((5, 7), int)))
    return {
        "boxes": ndd.batch(boxes),
        "sized_boxes": ndd.batch(sized),
        "pixel_boxes": ndd.batch([(box * [64, 48, 64, 48]).astype(np.float32) for box in boxes]),
        "grid_boxes": ndd.batch([(np.round(box * 8) / 8).astype(np.float32) for box in boxes]),
        "solid_boxes": ndd.batch([corners(n, 3) for n in (2, 4, 1)]),
        "labels": ndd.batch([np.arange(1, len(box) + 1, dtype=np.int32) for box in boxes]),
        "anchors": anchors.ravel().tolist(),
        "grid_anchors": (np.round(anchors * 8) / 8).ravel().tolist(),
        "polygons": ndd.tensor(np.array([[0, 0, 3], [1, 3, 7], [4, 5, 12]], np.int32)),
        "vertices": ndd.tensor(np.arange(24, dtype=np.float32).reshape(12, 2)),
        "masks": ndd.batch([mask.astype(np.uint8) for mask in masks]),
        "solid_mask": ndd.tensor(rng.integers(0, 3, (10, 7, 8)).astype(np.int32)),
    }
