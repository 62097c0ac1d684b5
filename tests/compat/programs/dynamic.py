"""A loop in dynamic mode, plain and captured. Arguments: a folder."""

import sys

import numpy as np
import nvidia.dali.experimental.dynamic as ndd
from nvidia.dali.experimental.dynamic._batch import Batch
from nvidia.dali.experimental.dynamic._capture import CapturedBatch
from nvidia.dali.experimental.dynamic.capture._invariant import is_invariant, unwrap_invariants
from nvidia.dali.tensors import TensorListCPU


def loop(capture):
    reader = ndd.readers.File(file_root=sys.argv[1])
    generator = ndd.random.RNG(seed=1234)
    total, kinds = 0.0, set()
    for jpegs, labels in reader.next_epoch(batch_size=3, capture=capture):
        images = ndd.decoders.image(jpegs, device="cpu")
        images = ndd.resize(images, size=[16, 16])
        angle = ndd.random.uniform(batch_size=images.batch_size, range=[-20, 20], rng=generator)
        images = ndd.rotate(images, angle=angle, keep_size=True)
        kinds.add(type(images))
        images = images + 1
        total += sum(float(np.asarray(image).mean()) for image in images)
        assert isinstance(images.evaluate()._storage, TensorListCPU)
        assert np.asarray(labels.tensors[0]).shape == (1,)
    assert all(issubclass(kind, Batch) for kind in kinds)
    return total, kinds


reader = ndd.readers.File(file_root=sys.argv[1])
next(reader.next_epoch(batch_size=2))
assert reader._op_backend.GetReaderMeta()["epoch_size"] == 6
plain, _ = loop(False)
captured, kinds = loop(True)
assert CapturedBatch in kinds
assert plain == captured
sizes = ndd.capture.invariant([1, 2])
assert is_invariant(sizes)
assert unwrap_invariants((sizes, 3)) == ([1, 2], 3)
ndd.EvalContext.current()._purge_operator_cache()
print("same", ndd.resize._op_class._fn_path, ndd.resize._op_class._schema.Name())
