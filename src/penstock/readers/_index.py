"""Where each reader is. Written by tools/gen.py."""

READERS: dict[str, str] = {
    "COCO": "coco.coco",
    "Caffe": "records.caffe",
    "Caffe2": "records.caffe",
    "File": "files.file",
    "Fits": "arrays.fits",
    "HuggingFace": "tables.hugging_face",
    "MXNet": "records.mxnet",
    "NemoAsr": "sound.nemo_asr",
    "Numpy": "arrays.numpy",
    "Parquet": "tables.parquet",
    "Sequence": "video.sequence",
    "TFRecord": "records.tfrecord",
    "Webdataset": "archives.webdataset",
    "Zip": "archives.zip",
}
