"""Training on several processes: every one reads its own shard, and the run goes on where it was after a crash.

torchrun --nproc_per_node=2 examples/distributed_training.py [--fsdp] [--photos FOLDER] [--checkpoint FILE]

FOLDER has a sub-folder of images for each class. Without it a few are made. A run that died goes on from FILE when it
is launched again, also with another number of processes, and trains on exactly the rest of the epoch. With --fsdp each
process keeps a part of the model (FSDP), without it a copy of the whole (DDP); FILE is the same for both.

On several machines, launch the same on each, with FOLDER and FILE where all of them see them, and HOST one of them:

torchrun --nnodes=4 --nproc_per_node=8 --rdzv-backend=c10d --rdzv-endpoint=HOST:29400 --rdzv-id=run1 \\
    examples/distributed_training.py --photos FOLDER --checkpoint FILE

When a machine dies, launch it again on those that are left. With --max-restarts=3 torchrun by itself restarts processes
that died. Set TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1 with it: otherwise they may look for their peers where those stood
before the restart (pytorch/pytorch#135712).
Needs `pip install penstock[torch]`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_state_dict, set_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel

import penstock.dynamic as ndd
from penstock.torch import Loader


def make_photos(root: Path, per_class: int = 20) -> None:
    """Noise in two shades, a folder for each."""
    rng = np.random.default_rng(0)
    for name, shade in (("blue", (200, 90, 90)), ("red", (90, 90, 200))):
        (root / name).mkdir(parents=True, exist_ok=True)
        for number in range(per_class):
            noise = rng.normal(shade, 40, (48, 64, 3)).clip(0, 255)
            cv2.imwrite(str(root / name / f"{number:02d}.jpg"), noise.astype(np.uint8))


def prepare(jpegs: ndd.Batch, labels: ndd.Batch) -> tuple[ndd.Batch, torch.Tensor]:
    """Made ahead of the training, on threads."""
    images = ndd.resize(ndd.decoders.image(jpegs), size=[32, 32])
    images = ndd.crop_mirror_normalize(images, mean=[128.0] * 3, std=[64.0] * 3, output_layout="CHW")
    return images, labels.torch().flatten().long()


def make_loader(photos: Path, batch_size: int) -> Loader:
    """The shard of this process.

    `shuffle_after_epoch` deals the photos out anew for every epoch, in an order that all processes agree on;
    `stick_to_shard` would instead leave each with its own, which a cache on local disks may need.
    `last_batch="pad"` gives all of them equally many steps: a shorter shard repeats its last photo. Otherwise one
    process could be through with the epoch while the others wait for its gradients.
    """
    reader = ndd.readers.File(
        file_root=photos, shard_id=dist.get_rank(), num_shards=dist.get_world_size(), shuffle_after_epoch=True
    )
    return Loader(reader, prepare, batch_size=batch_size, last_batch="pad")


def make_model(fsdp: bool) -> torch.nn.Module:
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 5, stride=2), torch.nn.ReLU(),
        torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(8, 2),
    )  # fmt: skip
    if not fsdp:
        return DistributedDataParallel(model)
    return fully_shard(model, mesh=init_device_mesh("cpu", (dist.get_world_size(),)))


WHOLE = StateDictOptions(full_state_dict=True, cpu_offload=True)  # however the model is kept


class Checkpoint:
    """A file with the model, the optimizer and where the loaders of all processes stand."""

    def __init__(self, path: Path, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
        self.path, self.model, self.optimizer = path, model, optimizer

    def save(self, loader: Loader, step: int) -> None:
        """Called by all processes at the same step; the first writes. A crash leaves the old file or the new one."""
        states: list[str] = [""] * dist.get_world_size()
        dist.all_gather_object(states, loader.dataset.state_dict()["state"])
        model, optimizer = get_state_dict(self.model, self.optimizer, options=WHOLE)
        if dist.get_rank() == 0:
            unfinished = self.path.with_suffix(".unfinished")
            torch.save({"step": step, "model": model, "optimizer": optimizer, "readers": states}, unfinished)
            os.replace(unfinished, self.path)

    def load(self, loader: Loader) -> int:
        """How many steps were done. What is left of the epoch is shared out among the processes there are now."""
        if not self.path.exists():
            return 0
        saved = torch.load(self.path, weights_only=True)
        model, optimizer = saved["model"], saved["optimizer"]
        set_state_dict(self.model, self.optimizer, model_state_dict=model, optim_state_dict=optimizer, options=WHOLE)
        loader.dataset.set_state(ndd.readers.reshard(saved["readers"]))
        return saved["step"]


def train(
    photos: Path, checkpoint_file: Path, fsdp: bool, epochs: int = 3, batch_size: int = 4, save_every: int = 2
) -> None:
    loader, model = make_loader(photos, batch_size), make_model(fsdp)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    checkpoint = Checkpoint(checkpoint_file, model, optimizer)
    step = checkpoint.load(loader)
    while loader.epoch < epochs:
        epoch, losses = loader.epoch, []
        for images, labels in loader:
            loss = torch.nn.functional.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            step += 1
            if step % save_every == 0:
                checkpoint.save(loader, step)
        print(f"rank {dist.get_rank()}, epoch {epoch}: {len(losses)} steps, loss {np.mean(losses):.3f}")
    checkpoint.save(loader, step)


def train_on_made_photos(checkpoint_file: Path | None, fsdp: bool) -> None:
    """The first process makes the photos, where those of a restart find them too."""
    root = Path(tempfile.gettempdir()) / f"penstock-{os.environ['TORCHELASTIC_RUN_ID']}"
    if dist.get_rank() == 0:
        make_photos(root / "photos")
    dist.barrier()
    train(root / "photos", checkpoint_file or root / "checkpoint.pt", fsdp)
    dist.barrier()
    if dist.get_rank() == 0:
        shutil.rmtree(root)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, help="a folder of class folders of images")
    parser.add_argument("--checkpoint", type=Path, help="where the state of the run is kept")
    parser.add_argument("--fsdp", action="store_true", help="share the model out among the processes")
    given = parser.parse_args()
    dist.init_process_group("gloo")
    if given.photos is None:
        train_on_made_photos(given.checkpoint, given.fsdp)
    else:
        train(given.photos, given.checkpoint or Path("checkpoint.pt"), given.fsdp)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
