"""Moving old bodies out of the store, and back: nothing that a memory says changes by it."""
