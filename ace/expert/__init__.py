"""The expert: the Chain of Patent Thought prompt, the client of an LLM server, its retries, and the
structural examiner, a set of rules that answers in the same protocol where no LLM is at hand.
"""
