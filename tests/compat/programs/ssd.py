"""Detection in the style of SSD. Arguments: a folder of images, the file of annotations."""

import sys

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


def anchors():
    boxes = []
    for i in range(4):
        for j in range(4):
            for size in (0.3, 0.6):
                x, y = (j + 0.5) / 4, (i + 0.5) / 4
                boxes += [max(x - size / 2, 0), max(y - size / 2, 0), min(x + size / 2, 1), min(y + size / 2, 1)]
    return boxes


@pipeline_def(batch_size=2, num_threads=2, device_id=None, seed=7)
def training():
    jpegs, boxes, labels = fn.readers.coco(
        file_root=sys.argv[1], annotations_file=sys.argv[2], ltrb=True, ratio=True, skip_empty=True,
        random_shuffle=False, name="Train_Reader",
    )  # fmt: skip
    crop_begin, crop_size, boxes, labels = fn.random_bbox_crop(
        boxes, labels, device="cpu", aspect_ratio=[0.5, 2.0], thresholds=[0, 0.1, 0.3, 0.5, 0.7, 0.9],
        scaling=[0.3, 1.0], bbox_layout="xyXY", allow_no_crop=True, num_attempts=50,
    )  # fmt: skip
    images = fn.decoders.image_slice(jpegs, crop_begin, crop_size, device="cpu", output_type=types.RGB)
    images = fn.resize(images, resize_x=24, resize_y=24, min_filter=types.INTERP_TRIANGULAR)
    saturation = fn.random.uniform(range=[0.5, 1.5])
    contrast = fn.random.uniform(range=[0.5, 1.5])
    hue = fn.random.uniform(range=[-18.0, 18.0])
    images = fn.hsv(images, dtype=types.FLOAT, hue=hue, saturation=saturation)
    images = fn.brightness_contrast(images, contrast_center=128, dtype=types.UINT8, contrast=contrast)
    flip = fn.random.coin_flip(probability=0.5)
    boxes = fn.bb_flip(boxes, ltrb=True, horizontal=flip)
    images = fn.crop_mirror_normalize(images, mean=[104.0, 117.0, 123.0], std=[1.0, 1.0, 1.0], mirror=flip)
    encoded, classes = fn.box_encoder(
        boxes, labels, criteria=0.5, anchors=anchors(), offset=True, stds=[0.1, 0.1, 0.2, 0.2], scale=24
    )
    return images, boxes, labels, encoded, classes


pipe = training()
pipe.build()
for _ in range(3):
    images, boxes, labels, encoded, classes = pipe.run()
    print(images.shape(), images.layout(), [len(np.array(boxes[i])) for i in range(2)])
    print([np.array(labels[i]).ravel().tolist() for i in range(2)], [int(np.array(classes[i]).sum()) for i in range(2)])
    print(
        [f"{np.array(boxes[i]).sum():.3f}" for i in range(2)], [f"{np.array(encoded[i]).sum():.1f}" for i in range(2)]
    )
    print([f"{np.array(images[i]).mean():.0f}" for i in range(2)])
