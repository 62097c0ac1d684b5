"""Pipelines in PyTorch programs.

from penstock.plugin.pytorch import DALIClassificationIterator, LastBatchPolicy

batches = DALIClassificationIterator(pipeline, reader_name="train", last_batch_policy=LastBatchPolicy.PARTIAL)
for epoch in range(90):
    for [batch] in batches:
        train_step(batch["data"], batch["label"])
"""

from penstock.plugin.epochs import LastBatchPolicy
from penstock.plugin.pytorch.iterators import DALIClassificationIterator, DALIGenericIterator, DALIRaggedIterator

__all__ = ["DALIClassificationIterator", "DALIGenericIterator", "DALIRaggedIterator", "LastBatchPolicy"]
