"""agenttest: does a running AI agent still keep its behaviour contract? Answered from evidence, no model as a judge."""

__version__ = "0.1.0"
