"""Of whom and of where a passage speaks: what retrieval ranks by and generation refuses by, read in one place."""
