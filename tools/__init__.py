"""What the developers' commands do: `python3 dev.py test`, `demo`, `build` and `bench`. Not part of the extension."""
