"""Where each reader is. Written by tools/gen.py."""

READERS: dict[str, str] = {
    "COCO": "coco.reader",
    "Caffe": "caffe",
    "Caffe2": "caffe",
    "File": "file",
    "Fits": "fits",
    "MXNet": "mxnet",
    "NemoAsr": "nemo",
    "Numpy": "numpy",
    "Parquet": "parquet",
    "Sequence": "sequence",
    "TFRecord": "tfrecord",
    "Webdataset": "webdataset",
    "Zip": "zip",
}
