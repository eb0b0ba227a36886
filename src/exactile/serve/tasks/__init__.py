"""The tasks of the server: a module for each subject, a function for each task."""
