"""Where observations come from → `Observed`: observations by scenario id, and their provenance."""

ORIGINS = {
    "offline": ("observation_file", "unverified_fixture"),
    "live": ("endpoint", "runtime_observed"),
    "scripted": ("scenario_files", "scripted"),
    "replayed": ("trace_files", "unverified_fixture"),
    "mixed": ("several", "mixed"),
    "unobserved": ("nothing", "unobserved"),
}
"""By how a suite's scenarios are observed the kind of their source, and how far that is to be trusted."""
