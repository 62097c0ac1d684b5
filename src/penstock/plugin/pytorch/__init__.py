"""Pipelines in PyTorch programs.

from penstock.plugin.pytorch import DALIClassificationIterator, LastBatchPolicy

batches = DALIClassificationIterator(pipeline, reader_name="train", last_batch_policy=LastBatchPolicy.PARTIAL)
for epoch in range(90):
    for [batch] in batches:
        train_step(batch["data"], batch["label"])
"""

from penstock.plugin.epochs import LastBatchPolicy
from penstock.plugin.pytorch import fn
from penstock.plugin.pytorch.feeding import feed_ndarray, to_torch_tensor, to_torch_type
from penstock.plugin.pytorch.iterators import DALIClassificationIterator, DALIGenericIterator, DALIRaggedIterator
from penstock.plugin.pytorch.python_function import TorchPythonFunction

__all__ = [
    "DALIClassificationIterator",
    "DALIGenericIterator",
    "DALIRaggedIterator",
    "LastBatchPolicy",
    "TorchPythonFunction",
    "feed_ndarray",
    "fn",
    "to_torch_tensor",
    "to_torch_type",
]
