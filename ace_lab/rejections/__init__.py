"""Real rejections under 35 U.S.C. 112(b) and (d): from office actions to a file, from a file to a score."""
