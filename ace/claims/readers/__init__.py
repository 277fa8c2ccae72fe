"""From what people paste, programs send and offices publish to a ClaimSet.

Text, DOCX and XML in; numbered claims out, with their status, where they stand in the source, and notes
on what was not understood. Everything unfit is refused here, once, with the field and the limit
(errors.Refused); no message repeats claim text.
"""

from ace.claims.readers.files import BOMS, MAX_FILE_BYTES, read_file
from ace.claims.readers.plain import read_claims, read_text

__all__ = ["BOMS", "MAX_FILE_BYTES", "read_claims", "read_file", "read_text"]
