"""Boards: the regions that are left when a puzzle's rules choose units that stay open.

A calendar puzzle, for example, has a board for each date. A survey of boards finds the sets of
pieces that fill every board, or counts the solutions of each board.
"""
