"""Processes of every kind below one that uses DALI. Arguments: how multiprocessing starts them."""

import multiprocessing
import subprocess
import sys

import numpy as np
from nvidia.dali import fn, pipeline_def


@pipeline_def(batch_size=2, num_threads=1, device_id=None)
def doubled(first):
    return fn.external_source(lambda i: [np.int32([first + i])] * 2) * 2


def work(first, answers):
    import nvidia.dali.experimental.dynamic as ndd

    batch = ndd.batch([np.float32([first, 2.0])])
    total = float(np.asarray(ndd.reductions.sum(batch).tensors[0]))
    answers.put((int(doubled(first).run()[0].as_array()[0, 0]), total))


if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    answers = context.Queue()
    process = context.Process(target=work, args=(21, answers))
    process.start()
    print(answers.get(timeout=60))
    process.join()
    code = "import nvidia.dali.types as types; print(types.FLOAT)"
    print(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip())
