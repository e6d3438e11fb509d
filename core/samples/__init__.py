"""Levels made of blocks, to try a character in."""
