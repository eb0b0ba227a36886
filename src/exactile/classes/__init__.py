"""Similarity classes: solutions that become each other by moving a few pieces."""

from exactile.classes.graph import classes, similarity_graph
from exactile.classes.report import Report, classify, pairs_sharing
from exactile.classes.silhouettes import silhouette_table
from exactile.classes.solutions import Solutions
from exactile.classes.transformations import Kind, Transformation, usable_isometries

__all__ = [
    "Kind",
    "Report",
    "Solutions",
    "Transformation",
    "classes",
    "classify",
    "pairs_sharing",
    "silhouette_table",
    "similarity_graph",
    "usable_isometries",
]
