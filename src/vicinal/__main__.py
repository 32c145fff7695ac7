"""``python -m vicinal``."""

from vicinal.cli import main

main()
