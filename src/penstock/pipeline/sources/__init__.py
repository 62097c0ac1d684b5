"""Where the batches of a pipeline come from: readers, callbacks, and what is fed by the program."""
