"""Evidence bundles: one zip file with all that a third party needs to check runs, in full or without their texts."""

from __future__ import annotations

from pipeline.audit.bundle.checking import verify_bundle
from pipeline.audit.bundle.fields import LEVELS, Level
from pipeline.audit.bundle.making import BundleOptions, MadeBundle, make_bundle

__all__ = ["LEVELS", "BundleOptions", "Level", "MadeBundle", "make_bundle", "verify_bundle"]
