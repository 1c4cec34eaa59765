"""`Report`: what a run found, and its JSON document with the digest of its evidence."""

from agenttest.report.document import (
    FILES,
    KIND,
    SCHEMA_VERSION,
    coverage,
    digest_of,
    evidence_digest,
    gate_document,
    problem_document,
    provenance,
    summary,
    to_document,
)
from agenttest.report.found import Ending, Report, TraceFile, ending, invalid, tally

__all__ = [
    "FILES",
    "KIND",
    "SCHEMA_VERSION",
    "Ending",
    "Report",
    "TraceFile",
    "coverage",
    "digest_of",
    "ending",
    "evidence_digest",
    "gate_document",
    "invalid",
    "problem_document",
    "provenance",
    "summary",
    "tally",
    "to_document",
]
