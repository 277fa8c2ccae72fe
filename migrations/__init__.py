"""The history of the schema, newest file last. Run by `ace db upgrade`.

The folder stands at the top of the repository and is the package `ace.migrations`.
"""

if __name__ != "ace.migrations":
    message = f"since 0.3.0 the package {__name__!r} of ACE is 'ace.migrations': import it by that name"
    raise ImportError(message)
