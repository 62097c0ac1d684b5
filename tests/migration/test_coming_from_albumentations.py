"""What the guide for users of albumentations says of each transform holds, and it speaks of all of them."""

from __future__ import annotations

import inspect

import albumentations as A  # noqa: N812
import cv2
import numpy as np
import pytest

import penstock.dynamic as ndd
from migration.tables import PHOTOS, Row, agrees, arrays, names_for, page, rows_of

PAGE = page("coming_from_albumentations")
BASES = {"BasicTransform", "DualTransform", "ImageOnlyTransform", "Transform3D"}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("row", rows_of(PAGE), ids=lambda row: row.theirs)
def test_a_line_of_the_table_holds(row: Row) -> None:
    transform = eval(row.theirs, {"A": A, "cv2": cv2})
    theirs = [transform(image=photo)["image"] for photo in PHOTOS]
    agrees(row, theirs, arrays(eval(row.ours, names_for(ndd.batch(PHOTOS, layout="HWC")))))


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_quarter_turns_are_exact(angle: int) -> None:
    turned = arrays(ndd.rotate(ndd.batch(PHOTOS, layout="HWC"), angle=float(angle)))
    for photo, made in zip(PHOTOS, turned, strict=True):
        np.testing.assert_array_equal(made, np.rot90(photo, angle // 90))


def test_no_transform_is_left_out() -> None:
    public = {
        name for name, kind in vars(A).items() if inspect.isclass(kind) and issubclass(kind, A.BasicTransform)
    }  # fmt: skip
    assert {name for name in public - BASES if f"`A.{name}`" not in PAGE and f"`A.{name}(" not in PAGE} == set()
