"""Questions that take many searches: of all solutions, of many boards, puzzles, solvers, tiles."""
