"""torch's DataLoader stacks Tensors, whichever of torch and this library is imported first."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader, Dataset, default_collate

import penstock.dynamic as ndd


class Rows(Dataset):
    """Tensors, made by operators in whichever process asks for them."""

    def __len__(self):
        return 6

    def __getitem__(self, i):
        return {"row": ndd.tensor([i, i + 1], dtype=ndd.float32) * 2, "label": i}


def test_tensors_are_stacked_as_torchs_own_are():
    made = default_collate([(ndd.tensor([1, 2]), 5), (ndd.tensor([3, 4]), 6)])
    assert [each.tolist() for each in made] == [[[1, 2], [3, 4]], [5, 6]]
    assert isinstance(made[0], torch.Tensor)


@pytest.mark.parametrize("workers", [0, 2])
def test_a_loader_stacks_them_in_its_workers(workers):
    batches = [*DataLoader(Rows(), batch_size=3, num_workers=workers)]
    assert np.concatenate([batch["row"] for batch in batches]).tolist() == [[2 * i, 2 * i + 2] for i in range(6)]
    assert torch.cat([batch["label"] for batch in batches]).tolist() == [*range(6)]


@pytest.mark.parametrize("first", ["torch", "penstock.dynamic"])
def test_it_does_not_matter_which_is_imported_first(first):
    script = f"""
        import sys, {first}
        assert ("torch" in sys.modules) is {first == "torch"}
        import penstock.dynamic as ndd
        from torch.utils.data import default_collate
        assert default_collate([ndd.tensor(1), ndd.tensor(2)]).tolist() == [1, 2]
        collate = sys.modules["torch.utils.data._utils.collate"]
        assert collate.__spec__.loader is collate.__loader__
        assert not any(type(finder).__module__.startswith("penstock.interop") for finder in sys.meta_path)
    """
    subprocess.run([sys.executable, "-W", "ignore", "-c", textwrap.dedent(script)], check=True, timeout=120)
