"""Checks of a value against the lines it cites, one subject a file; the same for rules, a model, or a saved record."""
