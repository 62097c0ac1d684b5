"""An iterator of the program's own, below DALI's base of iterators. Argument: a folder of images."""

import ctypes
import math
import sys

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline
from nvidia.dali.plugin.base_iterator import LastBatchPolicy, _DaliBaseIterator


class NumpyIterator(_DaliBaseIterator):
    def __init__(self, pipelines, output_map, size=-1, reader_name=None, auto_reset=False, policy=LastBatchPolicy.FILL):
        self.output_map = output_map
        super().__init__(pipelines, size, reader_name, auto_reset, None, False, policy)
        self._first_batch = None
        if self._prepare_first_batch:
            try:
                self._first_batch = NumpyIterator.__next__(self)
            except StopIteration:
                self._report_no_data_in_pipeline()

    def __next__(self):
        if self._first_batch is not None:
            batch, self._first_batch = self._first_batch, None
            return batch
        outputs = self._get_outputs()
        batches = []
        for i in range(self._num_gpus):
            made = {}
            for name, output in zip(self.output_map, outputs[i]):  # noqa: B905
                tensor = output.as_tensor()
                made[name] = np.empty(tensor.shape(), types.to_numpy_type(tensor.dtype))
                tensor.copy_to_external(ctypes.c_void_p(made[name].ctypes.data))
            batches.append(made)
        self._schedule_runs()
        self._advance_and_check_drop_last()
        if self._reader_name:
            if_drop, left = self._remove_padded()
            if np.any(if_drop):
                return [
                    {name: array[:count] for name, array in made.items()}
                    for made, count in zip(batches, left)  # noqa: B905
                ]
        elif self._last_batch_policy == LastBatchPolicy.PARTIAL and self._counter > self._size > 0:
            left = self._num_gpus * self.batch_size - (self._counter - self._size)
            batches = batches[: math.ceil(left / self.batch_size)]
            last = left % self.batch_size or self.batch_size
            batches[-1] = {name: array[:last] for name, array in batches[-1].items()}
        return batches


class Numbers(Pipeline):
    def __init__(self, shard_id, num_shards, pad, stick):
        super().__init__(batch_size=2, num_threads=1, device_id=None, seed=3)
        self.shards = {
            "shard_id": shard_id,
            "num_shards": num_shards,
            "pad_last_batch": pad,
            "stick_to_shard": stick,
        }

    def define_graph(self):
        files = [f"{sys.argv[1]}/{k // 3}/{k}.png" for k in (0, 1, 2, 3, 4, 5, 0)]
        _, labels = fn.readers.file(files=files, labels=[*range(7)], name="Reader", **self.shards)
        return fn.cast(labels, dtype=types.FLOAT)


def epoch(batches):
    return " ".join("|".join("".join(f"{x:.0f}" for x in each["n"].ravel()) for each in step) for step in batches)


for policy in LastBatchPolicy:
    for count in (1, 2):
        for pad, stick in ((True, True), (False, False), (False, True)):
            pipelines = [Numbers(shard, count, pad, stick) for shard in range(count)]
            batches = NumpyIterator(pipelines, ["n"], reader_name="Reader", auto_reset=True, policy=policy)
            print(policy.name, count, pad, stick, len(batches), "/", *(f"{epoch(batches)} /" for _ in range(3)))
    batches = NumpyIterator([Numbers(0, 1, True, True)], ["n"], size=7, policy=policy)
    print(policy.name, batches.size, batches._num_gpus, batches.batch_size, epoch(batches))
    batches.reset()
    print(epoch(batches), batches._pipes[0].max_batch_size, batches._reader_name)
