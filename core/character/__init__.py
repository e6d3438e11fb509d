"""The character: one step of it, from the wish to where it stands, and why it was stopped."""
