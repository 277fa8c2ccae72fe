"""The price that is assumed where nobody has named one."""

from typing import Final

PAPER_USD_PER_CALL: Final = 0.005733
"""What the paper's 70B expert costs per claim (table 1: $5,733 per million)."""
