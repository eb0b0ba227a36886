"""Questions that take many searches: about all solutions, many boards, puzzles, solvers or tiles."""
