"""A file's text → a value that remembers its places, checked against a JSON Schema."""

from agenttest.documents.document import Document, Marks, OddKey, Path, decode, dotted, spelled

__all__ = ["Document", "Marks", "OddKey", "Path", "decode", "dotted", "spelled"]
