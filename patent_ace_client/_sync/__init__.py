# Made from ../_async/__init__.py by `python -m tests.client_halves`; change that file.
"""The client, half of it: one package works with asyncio, and the other is made from that."""
