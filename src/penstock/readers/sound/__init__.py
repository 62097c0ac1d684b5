"""Sound files and their transcripts."""
