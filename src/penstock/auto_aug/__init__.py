"""Automatic augmentation of images in pipelines and loops: AutoAugment, RandAugment and TrivialAugment.

from penstock.auto_aug import auto_augment, rand_augment, trivial_augment

images = trivial_augment.trivial_augment_wide(images, shape=shapes)
"""
