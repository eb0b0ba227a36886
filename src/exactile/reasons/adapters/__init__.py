"""Third-party solvers for questions other than finding solutions."""
