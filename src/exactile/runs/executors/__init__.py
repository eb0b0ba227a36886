"""Where the parts of a run are searched, a module a way."""
