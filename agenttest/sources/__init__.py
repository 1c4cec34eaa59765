"""Where observations come from → `Observed`: observations by scenario id, and their provenance."""
