"""The page: a server whose worker processes handle the requests of a browser.

`app` refuses unauthorized requests and serves files and streams of events, `office` has the code of
the worker processes and manages them, and `tasks` are the requests that they handle.
"""
