"""What flows: element types, devices, specs and the storage of a batch. No laziness, no operators."""
