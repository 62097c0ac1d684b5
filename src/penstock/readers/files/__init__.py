"""Whole files, a sample each."""
