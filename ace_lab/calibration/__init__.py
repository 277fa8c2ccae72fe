"""Choosing tau, fitting temperatures and confidences, and what each choice guarantees."""
