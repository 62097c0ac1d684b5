"""Random numbers in the worker processes of torch's DataLoader."""

from itertools import pairwise

import pytest
import torch
from torch.utils.data import DataLoader, Dataset

import penstock.dynamic as ndd
from penstock.engine.rng import thread_rng


class Draws(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, i):
        return ndd.random.uniform(range=(0, 1))


def epochs(count=2, **options):
    return [
        [value for values in DataLoader(Draws(), batch_size=2, num_workers=2, **options) for value in values.tolist()]
        for _ in range(count)
    ]


@pytest.fixture
def fresh():
    """A default generator that nobody has seeded."""
    before, thread_rng.rng = thread_rng.rng, ndd.random.RNG()
    yield
    thread_rng.rng = before


def all_differ(runs):
    flat = [value for run in runs for value in run]
    assert len({*flat}) == len(flat)


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_they_differ_by_worker_and_epoch_and_follow_torchs_seed(fresh, context):
    torch.manual_seed(3)
    first = epochs(multiprocessing_context=context)
    all_differ(first)
    torch.manual_seed(3)
    again = epochs(2 if context == "fork" else 1, multiprocessing_context=context)  # to spawn workers takes seconds
    assert again == first[: len(again)]


def test_without_any_seed_every_run_differs(fresh):
    all_differ(epochs() + epochs())


def test_a_seed_that_is_set_decides_whatever_torchs_is(fresh):
    ndd.random.set_seed(5)
    first = epochs(3)
    all_differ(first)
    torch.manual_seed(7)
    ndd.random.set_seed(5)
    assert epochs(3) == first
    ndd.random.set_seed(6)
    assert all(one != other for one, other in pairwise([*first, *epochs(3)]))
