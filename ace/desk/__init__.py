"""The desk: pages on which people look at filings, read verdicts with their reasons, and file claims.

Made by the server from templates; every page works as plain links and forms, and scripts only keep it live.
"""
