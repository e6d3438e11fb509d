"""Meshes for pictures, as arrays: a tube along a path, and a capsule."""

import math

import numpy as np
from numpy.typing import NDArray

Mesh = tuple[NDArray[np.float64], NDArray[np.int64]]  # vertices (v, 3) m, quads (q, 4)

TUBE_SIDES = 8
CAPSULE_SIDES = 24
CAP_RINGS = 9  # of each round end


def tube(path: NDArray[np.float64], radius: float) -> Mesh:
    """Return a tube around a path of s points (s, 3), open at its ends."""
    along = np.gradient(path, axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)
    upright = np.abs(along[:, 2:]) > 0.95
    side = np.cross(along, np.where(upright, [[1.0, 0.0, 0.0]], [[0.0, 0.0, 1.0]]))
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    over = np.cross(side, along)
    turns = np.linspace(0, 2 * math.pi, TUBE_SIDES, endpoint=False)[:, None]
    rings = path[:, None] + radius * (np.cos(turns) * side[:, None] + np.sin(turns) * over[:, None])
    return rings.reshape(-1, 3), _ring_faces(len(path), TUBE_SIDES)


def capsule(radius: float, height: float) -> Mesh:
    """Return an upright capsule with its lowest point at the origin."""
    lower = np.linspace(-math.pi / 2, 0, CAP_RINGS)
    latitudes = np.concatenate([lower, -lower[::-1]])
    centres = np.repeat([radius, height - radius], CAP_RINGS)
    turns = np.linspace(0, 2 * math.pi, CAPSULE_SIDES, endpoint=False)
    vertices = np.empty((2 * CAP_RINGS, CAPSULE_SIDES, 3))
    vertices[..., 0] = radius * np.multiply.outer(np.cos(latitudes), np.cos(turns))
    vertices[..., 1] = radius * np.multiply.outer(np.cos(latitudes), np.sin(turns))
    vertices[..., 2] = (centres + radius * np.sin(latitudes))[:, None]
    return vertices.reshape(-1, 3), _ring_faces(2 * CAP_RINGS, CAPSULE_SIDES)


def join(parts: list[Mesh]) -> Mesh:
    """Return all parts as one mesh."""
    offsets = np.cumsum([0] + [len(vertices) for vertices, _ in parts[:-1]])
    faces = [faces + offset for (_, faces), offset in zip(parts, offsets, strict=True)]
    return np.concatenate([vertices for vertices, _ in parts]), np.concatenate(faces)


def _ring_faces(rings: int, sides: int) -> NDArray[np.int64]:
    """Return the quads between each ring of vertices and the next."""
    ring, side = np.meshgrid(np.arange(rings - 1), np.arange(sides), indexing="ij")
    after = (side + 1) % sides
    quads = [ring * sides + side, ring * sides + after, (ring + 1) * sides + after, (ring + 1) * sides + side]
    return np.stack(quads, axis=-1).reshape(-1, 4)
