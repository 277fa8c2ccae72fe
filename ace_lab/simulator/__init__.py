"""The parts of a server that only looks like an LLM's: what it is asked, how it answers, how it fails.

`ace.expert.examiner.server`, the embedded expert, uses those of a healthy TGI; `ace_lab.simulator.server`
all.
"""
