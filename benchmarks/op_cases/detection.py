"""Boxes and masks: batches of 256 samples with up to 20 boxes, 32 with the 8732 anchors of SSD, 32 masks of 480x640."""

from __future__ import annotations

from typing import Any

CASES: list[dict[str, str]] = [
    {
        "operator": "bbox_rotate",
        "call": "ndd.bbox_rotate(boxes, labels, angle=30.0, input_shape=[480, 640], keep_size=True)",
        "plain": "[rotate_boxes(b, c) for b, c in zip(box_arrays, label_arrays)]",
    },
    {
        "operator": "box_encoder",
        "call": "ndd.box_encoder(few_boxes, few_labels, anchors=anchors)",
        "plain": "[encode_boxes(b, c) for b, c in zip(box_arrays[:32], label_arrays[:32])]",
    },
    {
        "operator": "box_encoder (offset)",
        "call": "ndd.box_encoder(few_boxes, few_labels, anchors=anchors, offset=True, stds=[0.1, 0.1, 0.2, 0.2])",
    },
    {
        "operator": "segmentation.select_masks",
        "call": "ndd.segmentation.select_masks(mask_ids, polygons, vertices)",
    },
    {
        "operator": "segmentation.random_mask_pixel",
        "call": "ndd.segmentation.random_mask_pixel(masks, foreground=1)",
        "plain": "[np.argwhere(m)[len(m) // 2] for m in mask_arrays]",
    },
    {
        "operator": "segmentation.random_object_bbox",
        "call": "ndd.segmentation.random_object_bbox(masks)",
        "plain": "[cv2.connectedComponentsWithStats((m == 1).astype(np.uint8), connectivity=4) for m in mask_arrays]",
    },
    {
        "operator": "segmentation.random_object_bbox (noise)",
        "call": "ndd.segmentation.random_object_bbox(noisy_masks)",
    },
]


def inputs(ndd: Any, np: Any) -> dict[str, Any]:
    rng = np.random.default_rng(0)

    def corners(n: int) -> Any:
        return np.sort(rng.uniform(0, 1, (n, 2, 2)), axis=1).reshape(n, 4).astype(np.float32)

    boxes = [corners(int(n)) for n in rng.integers(1, 20, 256)]
    labels = [np.arange(len(box), dtype=np.int32) for box in boxes]
    anchors = corners(8732)
    masks = np.kron(rng.integers(0, 4, (32, 12, 16)), np.ones((40, 40), int)).astype(np.uint8)
    polygons = np.array([[0, 0, 30], [1, 30, 70], [2, 70, 100]], np.int32)
    return {
        "box_arrays": boxes,
        "label_arrays": labels,
        "boxes": ndd.batch(boxes),
        "labels": ndd.batch(labels),
        "few_boxes": ndd.batch(boxes[:32]),
        "few_labels": ndd.batch(labels[:32]),
        "anchors": anchors.ravel().tolist(),
        "mask_arrays": list(masks),
        "masks": ndd.batch(masks),
        "noisy_masks": ndd.batch(rng.integers(0, 4, (8, 480, 640)).astype(np.uint8)),
        "mask_ids": ndd.batch([[2, 0]] * 256),
        "polygons": ndd.batch([polygons] * 256),
        "vertices": ndd.batch([np.arange(200, dtype=np.float32).reshape(100, 2)] * 256),
        "rotate_boxes": lambda box, label: _rotate(np, box, label),
        "encode_boxes": lambda box, label: _encode(np, box, label, anchors),
    }


def _rotate(np: Any, boxes: Any, labels: Any) -> tuple[Any, Any]:
    """Boxes turned by 30 degrees in an image of 480x640, as one would write it."""
    size = np.array([640, 480], np.float32)
    cosine, sine = np.cos(np.pi / 6), np.sin(np.pi / 6)
    centre, extent = (boxes[:, :2] + boxes[:, 2:]) / 2 * size - size / 2, (boxes[:, 2:] - boxes[:, :2]) * size
    turned = np.stack(
        [cosine * centre[:, 0] + sine * centre[:, 1], cosine * centre[:, 1] - sine * centre[:, 0]], axis=1
    )
    half = (extent * cosine + extent[:, ::-1] * sine) / 2
    low, high = turned + size / 2 - half, turned + size / 2 + half
    seen_low, seen_high = np.clip(low, 0, size), np.clip(high, 0, size)
    kept = np.prod(seen_high - seen_low, axis=1) >= 0.1 * np.prod(high - low, axis=1)
    return np.hstack([seen_low / size, seen_high / size])[kept], labels[kept]


def _encode(np: Any, boxes: Any, labels: Any, anchors: Any) -> tuple[Any, Any]:
    """The box of every anchor, as one would write it."""
    size = np.minimum(boxes[:, None, 2:], anchors[:, 2:]) - np.maximum(boxes[:, None, :2], anchors[:, :2])
    common = np.prod(np.maximum(size, 0), axis=-1)
    area = np.prod(anchors[:, 2:] - anchors[:, :2], axis=1) + np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)[:, None]
    overlap = common / (area - common)
    best = overlap.argmax(axis=0)
    best[overlap.argmax(axis=1)] = np.arange(len(boxes))
    found = overlap.max(axis=0) > 0.5
    found[overlap.argmax(axis=1)] = True
    target = np.where(found[:, None], boxes[best], anchors)
    centred = np.hstack([(target[:, :2] + target[:, 2:]) / 2, target[:, 2:] - target[:, :2]])
    return centred, np.where(found, labels[best], 0)
