"""The page: a server that lets processes of its own do what a browser asks for.

`app` serves files and streams of events, `guard` refuses strangers, `office` keeps the processes,
`desk` is what such a process does, and `tasks` are what can be asked of it.
"""
