"""Arrays that have a file each: NumPy and FITS."""
