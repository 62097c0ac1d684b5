"""What a pipeline hands out: TensorListCPU and TensorCPU."""
