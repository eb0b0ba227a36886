"""Similarity classes: two solutions are similar if moving some pieces turns one into the other."""

from exactile.surveys.classes.report import (
    Report,
    classes,
    classify,
    pairs_sharing,
    similarity_graph,
)
from exactile.surveys.classes.silhouettes import silhouette_table
from exactile.surveys.classes.solutions import Solutions
from exactile.surveys.classes.transformations import Kind, Transformation, usable_isometries

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
