"""A pipeline in the style of the first versions: a subclass, with operators as objects. Arguments: a folder."""

import sys

import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.backend import TensorListCPU
from nvidia.dali.pipeline import Pipeline


class HybridPipe(Pipeline):
    def __init__(self, batch_size, num_threads, device_id, root):
        super().__init__(batch_size, num_threads, device_id, seed=12)
        self.input = ops.FileReader(file_root=root, random_shuffle=False)
        self.decode = ops.ImageDecoder(device="cpu", output_type=types.RGB)
        self.resize = ops.Resize(resize_x=20, resize_y=16)
        self.twist = ops.ColorTwist()
        self.uniform = ops.Uniform(range=(0.8, 1.2))

    def define_graph(self):
        jpegs, labels = self.input(name="Reader")
        images = self.resize(self.decode(jpegs))
        return self.twist(images, brightness=self.uniform()), labels


pipe = HybridPipe(batch_size=3, num_threads=1, device_id=0, root=sys.argv[1])
pipe.build()
images, labels = pipe.run()
assert isinstance(images, TensorListCPU)
print([images.at(i).shape for i in range(len(images))], [int(label) for label in labels.as_array().ravel()])
