"""agenttest: does a running AI agent still keep its behaviour contract? Answered from evidence, no model as a judge.

PYTEST_DONT_REWRITE: nothing in here asserts anything to pytest, which may be started when this is imported already.
"""

__version__ = "0.1.0"
