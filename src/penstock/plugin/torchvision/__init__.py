"""Transforms with the names and arguments of torchvision.transforms.v2, on the operators of penstock.

from penstock.plugin.torchvision import Compose, RandomHorizontalFlip, Resize

transform = Compose([Resize((224, 224)), RandomHorizontalFlip()])
image = transform(PIL.Image.open("cat.jpg"))  # a tensor in, a tensor out; an image in, an image out
"""

from penstock.plugin.torchvision import functional
from penstock.plugin.torchvision.color import ColorJitter, Grayscale, Normalize, RandomGrayscale
from penstock.plugin.torchvision.compose import Compose, PILToTensor, RandomApply, ToPILImage, ToPureTensor
from penstock.plugin.torchvision.geometry import (
    CenterCrop,
    GaussianBlur,
    Pad,
    RandomCrop,
    RandomHorizontalFlip,
    RandomResizedCrop,
    RandomVerticalFlip,
    Resize,
)
from penstock.plugin.torchvision.interpolation import InterpolationMode

__all__ = [
    "CenterCrop",
    "ColorJitter",
    "Compose",
    "GaussianBlur",
    "Grayscale",
    "InterpolationMode",
    "Normalize",
    "PILToTensor",
    "Pad",
    "RandomApply",
    "RandomCrop",
    "RandomGrayscale",
    "RandomHorizontalFlip",
    "RandomResizedCrop",
    "RandomVerticalFlip",
    "Resize",
    "ToPILImage",
    "ToPureTensor",
    "functional",
]
