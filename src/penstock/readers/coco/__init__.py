"""`readers.COCO`: images with boxes, labels and masks."""

from penstock.readers.coco.reader import COCO

__all__ = ["COCO"]
