"""What a capsule can touch: the features of the colliders, found near a walker, and cast against exactly."""
