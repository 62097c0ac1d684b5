"""The features of TFRecord files under the names DALI programs use: `FixedLenFeature([1], int64, -1)`, ..."""

from penstock.readers.records.tfrecord_features import Feature, FixedLenFeature, VarLenFeature, float32, int64, string

__all__ = ["Feature", "FixedLenFeature", "VarLenFeature", "float32", "int64", "string"]
