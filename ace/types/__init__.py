"""Plain values that the store, the expert and the flow share. No rule, no SQL, no HTTP."""
