"""Sphinx: the pages of this folder as HTML."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "Exactile"
author = copyright = "The Exactile authors"
extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc", "sphinx_click"]
myst_heading_anchors = 3
autodoc_member_order = "alphabetical"
autodoc_typehints = "signature"
numpydoc_show_class_members = False
html_theme = "furo"
html_title = "Exactile"
html_static_path = ["_static"]
html_css_files = ["gallery.css"]
SUMMARY = "solve polyform puzzles, count their solutions, or prove that they have none"
man_pages = [("command-reference", "exactile", SUMMARY, [], 1)]
exclude_patterns = ["_build"]
