"""What automatic augmentations are made of: single augmentations with magnitudes, and policies of several."""

from penstock.auto_aug.core.augmentation import Augmentation as _Augmentation
from penstock.auto_aug.core.decorator import augmentation
from penstock.auto_aug.core.magnitudes import signed_bin
from penstock.auto_aug.core.policy import Policy
from penstock.auto_aug.core.selection import select

__all__ = ("Policy", "_Augmentation", "augmentation", "select", "signed_bin")
