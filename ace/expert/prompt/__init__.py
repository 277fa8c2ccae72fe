"""What the expert is asked and what it answers: prompts, rationales, evidence and verification."""
