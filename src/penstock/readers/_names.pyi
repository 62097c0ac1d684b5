"""The readers by name. Written by tools/gen.py; not there at run time."""

from penstock.readers.coco.coco import COCO as COCO
from penstock.readers.records.caffe import Caffe as Caffe
from penstock.readers.records.caffe import Caffe2 as Caffe2
from penstock.readers.files.file import File as File
from penstock.readers.arrays.fits import Fits as Fits
from penstock.readers.tables.hugging_face import HuggingFace as HuggingFace
from penstock.readers.records.mxnet import MXNet as MXNet
from penstock.readers.sound.nemo_asr import NemoAsr as NemoAsr
from penstock.readers.arrays.numpy import Numpy as Numpy
from penstock.readers.tables.parquet import Parquet as Parquet
from penstock.readers.video.sequence import Sequence as Sequence
from penstock.readers.records.tfrecord import TFRecord as TFRecord
from penstock.readers.archives.webdataset import Webdataset as Webdataset
from penstock.readers.archives.zip import Zip as Zip
