from exactile.files.puzzles.catalogue import Entry as Entry
from exactile.files.puzzles.catalogue import entries as entries
from exactile.files.puzzles.document import Document as Document
from exactile.files.puzzles.structure import schema as schema
from exactile.files.reading import load as load
from exactile.files.solution_files import FORMATS as FORMATS
from exactile.files.solution_files import read_solutions as read_solutions
from exactile.files.solution_files import write_solutions as write_solutions
