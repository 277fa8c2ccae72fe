"""What an installation needs: a simulation of both queues with measured service times, and what breaks first.

Pure arithmetic and random numbers with a seed: no database, no broker, no model.
"""
