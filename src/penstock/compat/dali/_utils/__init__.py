"""What programs find as `nvidia.dali._utils`."""
