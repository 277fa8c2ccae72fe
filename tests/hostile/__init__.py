"""What strangers may send to stop the stack, tried on its parts and on the whole."""
