"""Where the time goes: collects the engine's events, and tells of them as text, as a page and as a trace."""
