"""The page: a server whose worker processes handle the requests of a browser.

`app` serves files and streams of events, `server` refuses unauthorized requests, `office` has the
code of the worker processes and manages them, and `tasks` are the requests that they handle.
"""
