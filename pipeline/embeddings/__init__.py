"""Models that turn texts into numbers: embedders, cross-encoders and learned sparse encoders, local or by endpoint.

None is part of the core, and no decision rests on one alone; `protocols.py` says what each must offer.
"""
