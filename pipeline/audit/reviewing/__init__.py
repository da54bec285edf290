"""What people say of runs: verdicts with reason and reviewer, when they settle, what they teach.

`recording.record` saves a verdict, `stored.reviews_of` reads those of a run with their seals checked, and
`standing.settled` says whether enough different people agree. `sampling` plans how many to check, `agreement` measures
how alike people judge, `cases` makes checks for later of corrections, `teaching` proposals for the dictionaries.
"""
