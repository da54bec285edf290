"""The verifier that travels in every bundle: three files of plain Python that need nothing but Python."""
