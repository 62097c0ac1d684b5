"""Detection as SSD is trained: decoded, cropped and coloured on a GPU. Arguments: a folder, the file of annotations."""

import sys

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def
from nvidia.dali.plugin.pytorch import DALIGenericIterator, LastBatchPolicy

ANCHORS = [
    edge for row in range(4) for column in range(4) for edge in (column / 4, row / 4, (column + 1) / 4, (row + 1) / 4)
]


@pipeline_def(batch_size=2, num_threads=2, device_id=0, seed=7)
def training():
    jpegs, boxes, labels = fn.readers.coco(
        file_root=sys.argv[1], annotations_file=sys.argv[2], ltrb=True, ratio=True, skip_empty=True, name="Train_Reader"
    )
    crop_begin, crop_size, boxes, labels = fn.random_bbox_crop(
        boxes, labels, device="cpu", aspect_ratio=[0.5, 2.0], thresholds=[0, 0.1, 0.3, 0.5, 0.7, 0.9],
        scaling=[0.3, 1.0], bbox_layout="xyXY", allow_no_crop=True, num_attempts=50,
    )  # fmt: skip
    images = fn.decoders.image_slice(jpegs, crop_begin, crop_size, device="mixed", output_type=types.RGB)
    images = fn.resize(images, device="gpu", resize_x=24, resize_y=24, min_filter=types.INTERP_TRIANGULAR)
    images = fn.hsv(
        images, device="gpu", dtype=types.FLOAT, hue=fn.random.uniform(range=[-18.0, 18.0]),
        saturation=fn.random.uniform(range=[0.5, 1.5]),
    )  # fmt: skip
    images = fn.brightness_contrast(
        images, device="gpu", contrast_center=128, dtype=types.UINT8, brightness=fn.random.uniform(range=[0.9, 1.1]),
        contrast=fn.random.uniform(range=[0.5, 1.5]),
    )  # fmt: skip
    flip = fn.random.coin_flip(probability=0.5)
    boxes = fn.bb_flip(boxes, ltrb=True, horizontal=flip)
    images = fn.crop_mirror_normalize(
        images, device="gpu", crop=(24, 24), mean=[104.0, 117.0, 123.0], std=[1.0, 1.0, 1.0], mirror=flip,
        dtype=types.FLOAT, output_layout="CHW", pad_output=False,
    )  # fmt: skip
    boxes, labels = fn.box_encoder(
        boxes.gpu(), labels.gpu(), device="gpu", criteria=0.5, anchors=ANCHORS, offset=True,
        stds=[0.1, 0.1, 0.2, 0.2], scale=24,
    )  # fmt: skip
    return images, boxes, labels


pipe = training()
pipe.build()
loader = DALIGenericIterator(
    pipe, ["image", "bbox", "label"], reader_name="Train_Reader", last_batch_policy=LastBatchPolicy.FILL
)
for data in loader:
    images, boxes, labels = (data[0][key] for key in ("image", "bbox", "label"))
    print(tuple(images.shape), images.dtype, tuple(boxes.shape), labels.sum(dim=1).tolist(), f"{images.mean():.0f}")
