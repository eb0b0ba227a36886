from exactile.answers import Count as Count
from exactile.answers import Status as Status
from exactile.answers import Verdict as Verdict
from exactile.solve.search import Search as Search
from exactile.solve.verbs import count as count
from exactile.solve.verbs import find_solutions as find_solutions
from exactile.solve.verbs import solve_one as solve_one
from exactile.solve.verdict import prove as prove
