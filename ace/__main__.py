"""`python -m ace` is the command `ace`."""

from ace.cli import main

main()
