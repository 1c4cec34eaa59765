"""A file's text → a value that remembers its places, checked against a JSON Schema."""

from agenttest.documents.document import Document, Marks, Path, decode

__all__ = ["Document", "Marks", "Path", "decode"]
