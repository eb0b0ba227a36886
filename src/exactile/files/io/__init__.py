"""Reading and writing of any file: contents, places in them, files written as a whole."""
