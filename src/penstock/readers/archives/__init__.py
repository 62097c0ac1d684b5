"""Members of tar and zip archives."""
