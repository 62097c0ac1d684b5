"""Checks for programs' own tests: what operators promise, in one call. Needs no test framework."""

from penstock.testing.gpu import check_gpu, gpu_of_tests, on_torch_cpu
from penstock.testing.operators import check_operator

__all__ = ["check_gpu", "check_operator", "gpu_of_tests", "on_torch_cpu"]
