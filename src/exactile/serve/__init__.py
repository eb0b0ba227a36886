"""The server of the page in the browser, whose worker processes handle the requests.

`app` refuses unauthorized requests and serves files and streams of events. `office` starts and ends
the worker processes, and has their code. `tasks` has the functions that handle the requests. `site`
writes the page as files that need no server.
"""
