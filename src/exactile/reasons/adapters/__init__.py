"""Third-party solvers, used for other questions than finding solutions."""
