"""From level meshes to convex colliders: cleaned, taken apart, made convex, and reported on."""
