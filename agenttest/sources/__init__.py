"""Where observations come from → `Observed`: observations by scenario id, and their provenance."""

ORIGINS = {"offline": ("observation_file", "unverified_fixture"), "live": ("endpoint", "runtime_observed")}
"""By the mode of a run the kind of its source, and how far that is to be trusted."""
