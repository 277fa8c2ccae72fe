"""The history of the schema, newest file last. Run by `ace db upgrade`."""
