from exactile.answers import Status as Status
from exactile.search.search import Search as Search
from exactile.search.search import find_solutions as find_solutions
from exactile.search.search import solve_one as solve_one
