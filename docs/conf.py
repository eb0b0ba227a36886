"""Sphinx: the pages of this folder as HTML."""

project = "Exactile"
author = copyright = "The Exactile authors"
extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Exactile"
html_static_path = ["_static"]
html_css_files = ["gallery.css"]
exclude_patterns = ["_build"]
