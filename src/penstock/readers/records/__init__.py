"""Records, many to a file: TFRecord, RecordIO and the LMDBs of Caffe."""
