"""The client, half of it: one package works with asyncio, and the other is made from that."""
