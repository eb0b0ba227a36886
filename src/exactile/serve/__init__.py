"""The server of the page in the browser; its worker processes handle requests.

`app` refuses unauthorized requests and serves files and streams of events, `office` has the code of
the worker processes and manages them, and `tasks` has the functions that handle the requests.
"""
