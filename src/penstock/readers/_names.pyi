"""The readers by name. Written by tools/gen.py; not there at run time."""

from penstock.readers.coco.reader import COCO as COCO
from penstock.readers.caffe import Caffe as Caffe
from penstock.readers.caffe import Caffe2 as Caffe2
from penstock.readers.file import File as File
from penstock.readers.fits import Fits as Fits
from penstock.readers.mxnet import MXNet as MXNet
from penstock.readers.nemo import NemoAsr as NemoAsr
from penstock.readers.numpy import Numpy as Numpy
from penstock.readers.parquet import Parquet as Parquet
from penstock.readers.sequence import Sequence as Sequence
from penstock.readers.tfrecord import TFRecord as TFRecord
from penstock.readers.webdataset import Webdataset as Webdataset
from penstock.readers.zip import Zip as Zip
