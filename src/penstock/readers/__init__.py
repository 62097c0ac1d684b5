"""Where samples come from: order, shards, reading ahead, saved state, and the readers themselves."""

from penstock.readers.caffe import Caffe, Caffe2
from penstock.readers.coco import COCO
from penstock.readers.file import File
from penstock.readers.fits import Fits
from penstock.readers.mxnet import MXNet
from penstock.readers.nemo import NemoAsr
from penstock.readers.numpy import Numpy
from penstock.readers.parquet import Parquet
from penstock.readers.reader import Reader
from penstock.readers.source import BadSample
from penstock.readers.state import ReaderState, reshard
from penstock.readers.tfrecord import TFRecord
from penstock.readers.webdataset import Webdataset
from penstock.readers.zip import Zip

__all__ = [
    "COCO", "BadSample", "Caffe", "Caffe2", "File", "Fits", "MXNet", "NemoAsr", "Numpy", "Parquet", "Reader",
    "ReaderState", "TFRecord", "Webdataset", "Zip", "reshard",
]  # fmt: skip
