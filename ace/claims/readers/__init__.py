"""Readers that turn what people paste, programs send and offices publish into a ClaimSet.

Text, DOCX and XML in; numbered claims out, with their status, their position in the source, and notes on
what was not understood. Everything invalid is refused here, once, with the field and the limit
(errors.Refused). No message repeats claim text.
"""

from ace.claims.readers.files import BOMS, MAX_FILE_BYTES, read_file
from ace.claims.readers.plain import read_claims, read_text

__all__ = ["BOMS", "MAX_FILE_BYTES", "read_claims", "read_file", "read_text"]
