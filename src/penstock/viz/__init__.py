"""Pictures of what the engine runs."""
