"""How dictionaries grow: what a store's runs say that they lack, and what an edit would change before it is accepted.

`suggesting.suggest` mines proposals, `deciding.decide` applies what a person accepted, `comparing.compare` tells of an
edit. Nothing here changes a dictionary by itself, and nothing calls a model.
"""
