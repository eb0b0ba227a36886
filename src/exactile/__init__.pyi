from exactile.answers import Count as Count
from exactile.answers import Explanation as Explanation
from exactile.answers import Packing as Packing
from exactile.answers import Status as Status
from exactile.answers import Verdict as Verdict
from exactile.assembly.disassemble import take_apart as take_apart
from exactile.assembly.search import AssemblySearch as AssemblySearch
from exactile.assembly.search import count_assemblable as count_assemblable
from exactile.backends import backend_names as backend_names
from exactile.certificate.verify import verify
from exactile.classics.grids.queens import QueensSearch as QueensSearch
from exactile.classics.grids.queens import count_queens as count_queens
from exactile.classics.grids.search import count_sudoku as count_sudoku
from exactile.classics.grids.verbs import solve_sudoku as solve_sudoku
from exactile.classics.peg.verbs import solve_peg as solve_peg
from exactile.counting import count as count
from exactile.counting.estimate import estimate as estimate
from exactile.counting.sampling import sample as sample
from exactile.errors import ExactileError as ExactileError
from exactile.files import entries
from exactile.files import load as load
from exactile.files import read_solutions as read_solutions
from exactile.files import write_solutions as write_solutions
from exactile.files.foreign.conversion import import_file as import_file
from exactile.files.foreign.conversion import import_puzzles as import_puzzles
from exactile.files.foreign.conversion import write_puzzle_as as write_puzzle_as
from exactile.files.models.formats import export_model as export_model
from exactile.files.models.formats import read_model as read_model
from exactile.files.puzzles.document import make_puzzle as make_puzzle
from exactile.files.puzzles.writer import write_puzzles as write_puzzles
from exactile.geometry import get_lattice as get_lattice
from exactile.model import Model as Model
from exactile.model.lower import lower as lower
from exactile.puzzle import Placement as Placement
from exactile.puzzle import Puzzle as Puzzle
from exactile.puzzle import Region as Region
from exactile.puzzle import Solution as Solution
from exactile.puzzle.check import check as check
from exactile.puzzle.pieces.generate import generate as generate
from exactile.puzzle.pieces.piece import Freedom as Freedom
from exactile.puzzle.pieces.piece import Piece as Piece
from exactile.puzzle.pieces.sets import piece_set as piece_set
from exactile.puzzle.symmetry import symmetries as symmetries
from exactile.reasons.certify import certify as certify
from exactile.reasons.colorings import find_linear
from exactile.reasons.explain import explain as explain
from exactile.reasons.packing import pack as pack
from exactile.reasons.verdict import prove as prove
from exactile.render import draw_cutouts as draw_cutouts
from exactile.render import draw_pages as draw_pages
from exactile.render import draw_svg as draw_svg
from exactile.render import draw_text as draw_text
from exactile.render import draw_tiling as draw_tiling
from exactile.render import write_disassembly as write_disassembly
from exactile.render import write_pages as write_pages
from exactile.render import write_pictures as write_pictures
from exactile.render.making.verbs import make as make
from exactile.runs.found import found_solutions as found_solutions
from exactile.runs.run import StoredRun as StoredRun
from exactile.runs.status import join_stores as join_stores
from exactile.runs.status import store_status as store_status
from exactile.runs.store import Store as Store
from exactile.runs.store.join import take_share as take_share
from exactile.search import Search as Search
from exactile.search import find_solutions as find_solutions
from exactile.search import solve_one as solve_one
from exactile.search.cover import CoverSearch as CoverSearch
from exactile.surveys.boards.survey import survey_boards as survey_boards
from exactile.surveys.classes.report import similarity_classes as similarity_classes
from exactile.surveys.compare.comparison import Comparison as Comparison
from exactile.surveys.compare.comparison import compare as compare
from exactile.surveys.design.challenges import challenge_puzzle as challenge_puzzle
from exactile.surveys.design.challenges import design_challenges as design_challenges
from exactile.surveys.design.grading import grade as grade
from exactile.surveys.instances.library import list_instances as list_instances
from exactile.surveys.instances.library import make_instances as make_instances
from exactile.surveys.subsets import count_by_subset as count_by_subset
from exactile.surveys.tiling.verbs import tile as tile

__version__: str

catalogue = entries
find_coloring = find_linear
verify_certificate = verify
