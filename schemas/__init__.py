"""Records and tables that the bricks hand each other: pydantic and pandas, nothing of ours above."""
