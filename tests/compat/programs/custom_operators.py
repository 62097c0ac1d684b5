"""Operators written in Python. Without arguments."""

import numpy as np
from nvidia.dali import fn, ops, pipeline_def, types


def edit(image):
    return np.ascontiguousarray(image[::-1]), np.array([image.mean()], np.float32)


def joined(first, second):
    return [np.concatenate(pair) for pair in zip(first, second)]  # noqa: B905


@pipeline_def(batch_size=2, num_threads=1, device_id=None, exec_async=False, exec_pipelined=False)
def custom():
    data = fn.external_source(lambda i: np.arange(12, dtype=np.float32).reshape(2, 3, 2) + i.iteration, batch_info=True)
    upside_down, mean = fn.python_function(data, function=edit, num_outputs=2)
    both = fn.python_function(data, upside_down, function=joined, batch_processing=True, output_layouts="HW")
    power = ops.PythonFunction(function=lambda x: x**2)(data)
    doubled = fn.cast(data, dtype=types.INT32) * 2
    return upside_down, mean, both, power, doubled


pipe = custom()
pipe.build()
for _ in range(2):
    for output in pipe.run():
        print(output.layout(), output.dtype, np.array(output.as_tensor()).ravel()[:6].tolist())
