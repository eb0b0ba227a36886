from exactile.answers import Status as Status
from exactile.answers import Verdict as Verdict
from exactile.search.search import Search as Search
from exactile.search.verbs import find_solutions as find_solutions
from exactile.search.verbs import solve_one as solve_one
from exactile.search.verdict import prove as prove
