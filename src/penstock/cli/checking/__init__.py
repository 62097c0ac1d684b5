"""What `penstock check` looks for, remembers and writes."""
