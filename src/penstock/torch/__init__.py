"""penstock.torch: what fits readers and operators into PyTorch programs.

from penstock.torch import Loader

for images, labels in Loader(reader, augment, batch_size=64):
    train_step(images, labels)
"""

from penstock.torch.loader import Loader

__all__ = ["Loader"]
