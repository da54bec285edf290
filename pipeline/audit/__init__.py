"""The ledger read, decisions replayed and compared, evidence taken apart, reviewed, bundled and erased."""
