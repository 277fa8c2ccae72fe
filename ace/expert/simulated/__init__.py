"""The parts of a server that only looks like an LLM's: what it is asked, how it answers, how it fails.

`ace.expert.server`, the embedded expert, uses those of a healthy TGI; `ace.expert.simulator` all.
"""
