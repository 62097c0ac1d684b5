"""What `penstock pack` is made of: the files of a folder, smaller images, shards of each format, what is done."""
