"""The tasks that the page requests: a module for each subject, a function for each task."""
