"""The modeller's bench: claim sets in, labelled rows out. Nothing here runs in production."""
