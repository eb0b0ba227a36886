"""The page: a server whose worker processes handle the requests of a browser.

`app` serves files and streams of events, `guard` refuses unauthorized requests, `office` manages
the worker processes, `desk` is the code of a worker process, and `tasks` are the requests that it
handles.
"""
