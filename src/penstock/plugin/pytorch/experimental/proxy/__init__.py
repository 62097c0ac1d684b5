"""A pipeline in the place of the transforms of a torch data set.

The workers of a DataLoader read the data set and send what they read; the pipeline runs in the main process.

from penstock.plugin.pytorch.experimental import proxy

@pipeline_def(batch_size=64, num_threads=4, device_id=None)
def transforms():
    jpegs = fn.external_source(name="jpegs")
    return fn.resize(fn.decoders.image(jpegs), size=[224, 224])

with proxy.DALIServer(transforms()) as server:
    dataset = ImageFolder("train", loader=read_bytes, transform=server.proxy)
    for images, labels in proxy.DataLoader(server, dataset, batch_size=64, num_workers=4):
        train_step(images, labels)
"""

from penstock.plugin.pytorch.experimental.proxy.loader import DataLoader
from penstock.plugin.pytorch.experimental.proxy.references import (
    DALIOutputBatchRef,
    DALIOutputSampleRef,
    DALIPipelineRunRef,
)
from penstock.plugin.pytorch.experimental.proxy.server import DALIServer

__all__ = ["DALIOutputBatchRef", "DALIOutputSampleRef", "DALIPipelineRunRef", "DALIServer", "DataLoader"]
