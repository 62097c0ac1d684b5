"""Sources written in Python: iterables, generators, functions told of batches and samples. Without arguments."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali import Pipeline


class ExternalInputIterator:
    def __init__(self, batch_size, count):
        self.batch_size, self.full = batch_size, count

    def __iter__(self):
        self.i = 0
        return self

    def __len__(self):
        return self.full

    def __next__(self):
        if self.i >= self.full:
            self.__iter__()
            raise StopIteration
        batch = [np.full((1 + k,), self.i + k, np.uint8) for k in range(self.batch_size)]
        labels = [np.array([self.i + k], np.int32) for k in range(self.batch_size)]
        self.i += self.batch_size
        return batch, labels


class ExternalInputCallable:
    def __init__(self, batch_size, samples):
        self.full_iterations = samples // batch_size

    def __call__(self, sample_info):
        if sample_info.iteration >= self.full_iterations:
            raise StopIteration
        told = [sample_info.idx_in_epoch, sample_info.idx_in_batch, sample_info.iteration, sample_info.epoch_idx]
        return np.array(told, np.int32), np.float32(sample_info.idx_in_epoch / 4)


def shown(pipe, epochs=2, most=4):
    for epoch in range(epochs):
        for _ in range(most):
            try:
                outputs = pipe.run()
            except StopIteration:
                print("end of", epoch)
                pipe.reset()
                break
            print(epoch, *([np.array(output[i]).tolist() for i in range(len(output))] for output in outputs))


def of(source, **arguments):
    pipe = Pipeline(batch_size=2, num_threads=2, device_id=None)
    with pipe:
        made = fn.external_source(source=source, **arguments)
        pipe.set_outputs(*(made if isinstance(made, list) else [made]))
    pipe.build()
    return pipe


shown(of(ExternalInputIterator(2, 4), num_outputs=2, dtype=[types.UINT8, types.INT32]))
shown(of(ExternalInputCallable(2, 6), num_outputs=2, batch=False, dtype=[types.INT32, types.FLOAT]))
shown(of(lambda info: [np.int64([info.iteration, info.epoch_idx])] * 2, batch_info=True), epochs=1)
shown(of(lambda i: np.full((2, 1), i, np.float32), batch=True), epochs=1)
shown(of([np.zeros((2, 1), np.uint8), np.ones((2, 1), np.uint8)], cycle=True), epochs=1)
shown(of([np.zeros((2, 1), np.uint8), np.ones((2, 1), np.uint8)], cycle="raise"))
shown(of([np.zeros((2, 1), np.uint8), np.ones((2, 1), np.uint8)], cycle="quiet"), epochs=1)


def generated():
    for k in range(3):
        yield [np.array([k, k + 1])] * 2


shown(of(generated, cycle="raise", layout="C"))
shown(of(lambda: ([np.uint8([1]), np.uint8([2, 3])], np.eye(2, dtype=np.float32)), num_outputs=2), epochs=1, most=1)


class Fed(Pipeline):
    def __init__(self, batch_size):
        super().__init__(batch_size, 1, None, prefetch_queue_depth=1)
        self.input = ops.ExternalSource(name="images", layout="HWC")
        self.input_label = ops.ExternalSource()
        self.count = 0

    def define_graph(self):
        self.images, self.labels = self.input(), self.input_label(name="labels")
        return fn.flip(self.images, horizontal=1), self.labels * 2

    def iter_setup(self):
        self.feed_input(self.images, [np.arange(3, dtype=np.uint8).reshape(1, 3, 1) + self.count] * 2)
        self.feed_input("labels", np.int32([[self.count], [self.count + 1]]))
        self.count += 1


shown(Fed(2), epochs=1, most=3)
