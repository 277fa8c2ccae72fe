"""ACE: adaptive, cost-efficient checking of patent claims for defects under 35 U.S.C. 112."""

__version__ = "0.3.0"
