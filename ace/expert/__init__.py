"""The expert: the Chain of Patent Thought prompt, the client of an LLM server, the pacing of its work, and
the structural examiner, a set of rules that answers in the same protocol if no LLM is available.
"""
