"""Evaluation: labelled documents in, rows out - which strategy finds what, at which cost, and why it fails.

Every figure of a report is computed from the rows of `rows.py`, so that nothing is claimed that cannot be looked up.
"""
