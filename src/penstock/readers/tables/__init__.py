"""Rows of Parquet and Arrow tables."""
