"""Recognition: the text of pages that are pictures, line by line with confidence, by whichever engine is installed.

`recognise.recognise_pages` reads the pages that need it into their `PageRead`; `engines.installed_engines` says what
would read them here, so that a record written without an engine can be told from one that need not be written anew.
"""
