"""Functions of torch tensors in a pipeline. Argument: a folder of images."""

import sys

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.plugin.pytorch as dalitorch
import nvidia.dali.types as types
import torch
from nvidia.dali.pipeline import Pipeline
from nvidia.dali.plugin.pytorch.fn import torch_python_function


def perspective(image):
    return image.flip(0).contiguous(), image.float().mean(dim=(0, 1))


def batched(images, angles):
    return [image.float() * angle for image, angle in zip(images, angles)]  # noqa: B905


def brightness(images):
    return [torch.atleast_1d(image.float().mean()) for image in images]


class TorchPipeline(Pipeline):
    def __init__(self, batch_size, num_threads):
        super().__init__(batch_size, num_threads, None, seed=12, exec_async=False, exec_pipelined=False)
        self.function = dalitorch.TorchPythonFunction(function=lambda x, y: (x + y, (x - y).abs()), num_outputs=2)

    def define_graph(self):
        encoded, labels = fn.readers.file(file_root=sys.argv[1], name="Reader")
        images = fn.resize(fn.decoders.image(encoded, output_type=types.RGB), size=[8, 10])
        flipped, means = torch_python_function(images, function=perspective, num_outputs=2)
        factors = fn.random.uniform(range=[0.5, 1.5])
        scaled = torch_python_function(images, factors, function=batched, batch_processing=True, output_layouts="HWC")
        grey = torch_python_function(images, function=brightness, batch_processing=True)
        both, apart = self.function(fn.cast(images, dtype=types.FLOAT), fn.cast(flipped, dtype=types.FLOAT))
        return flipped, means, scaled, grey, both, apart, labels


pipe = TorchPipeline(3, 1)
pipe.build()
for _ in range(2):
    for output in pipe.run():
        samples = [np.array(output[i]) for i in range(3)]
        sums = [f"{sample.astype(np.float64).sum():.1f}" for sample in samples]
        print(repr(output.layout()), output.dtype, [sample.shape for sample in samples], sums)
