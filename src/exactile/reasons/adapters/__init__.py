"""Third-party solvers asked other questions than for solutions."""
