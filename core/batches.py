"""Batches: building the colliders and features of a level some meshes at a time, and only of what has changed."""

import hashlib
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .arrays import Indices
from .colliders.build_report import BuildReport, ObjectReport
from .colliders.colliders import Colliders, build_colliders
from .geometry.features import Features
from .join import Part, join, measure
from .mesh import ColliderMode, TriMesh
from .stages import scaled

BATCH = 16_384
"""Triangles that are built at once: some 0.1 s. Fewer cost more calls for the same work, more keep an interface
waiting."""
BATCHES_SHARE = 0.8  # of the time, before the batches are joined
COST = {ColliderMode.HULL: 2, ColliderMode.PARTS: 2, ColliderMode.PIECES: 64}
"""How much longer a triangle takes in some modes, roughly."""


@dataclass(frozen=True, slots=True, eq=False)
class Built:
    """What m meshes have become.

    Attributes
    ----------
    colliders : Colliders
    report : BuildReport
    features : Features
    sizes : (m, 8) int
        How many vertices, triangles, .. each mesh has, see `join`.
    digests : tuple of bytes
        Of all that a mesh was built from, but for its name and whether it can be climbed.
    """

    colliders: Colliders
    report: BuildReport
    features: Features
    sizes: Indices
    digests: tuple[bytes, ...]


def digest_of(mesh: TriMesh) -> bytes:
    """Return a digest of all that colliders are made from: not of the name, nor of whether it can be climbed."""
    said = f"{mesh.mode.value} {mesh.layer.value} {mesh.sides.value} {mesh.piece_error}"
    told = f"{len(mesh.vertices)} {len(mesh.triangles)} {said}"
    total = hashlib.blake2b(told.encode(), digest_size=16)
    total.update(np.ascontiguousarray(mesh.vertices).data)
    total.update(np.ascontiguousarray(mesh.triangles).data)
    return total.digest()


def build_batches(meshes: Sequence[TriMesh], before: Built | None) -> Generator[float, None, Built]:
    """Build the colliders and features of `meshes`, and take over from `before` what has not changed.

    Yields
    ------
    float
        The share that is done, from 0 to 1.

    Returns
    -------
    Built
        Equal to what it would be without `before`.

    Raises
    ------
    ValueError
        If a mesh cannot be built; the message names it.
    """
    digests, hashed = [], 0
    for mesh in meshes:
        digests.append(digest_of(mesh))
        hashed += len(mesh.triangles)
        if hashed > 32 * BATCH:  # hashing is much faster than building
            hashed = 0
            yield 0.0
    parts, entries = yield from _build_parts(meshes, _match(digests, before), before)
    yield BATCHES_SHARE
    names = tuple(mesh.name for mesh in meshes)
    if len(parts) == 1 and len(parts[0].sizes) == len(names):
        colliders, features, sizes = parts[0].colliders, parts[0].features, parts[0].sizes
        colliders = replace(colliders, names=names)
    elif parts:
        colliders, features, sizes = yield from scaled(join(parts, names), BATCHES_SHARE, 1 - BATCHES_SHARE)
    else:
        colliders, _ = build_colliders([])
        features, sizes = Features.find(colliders), np.zeros((0, 8), np.intp)
    return Built(colliders, BuildReport(tuple(entries)), features, sizes, tuple(digests))


def _build_parts(
    meshes: Sequence[TriMesh], taken: Indices, before: Built | None
) -> Generator[float, None, tuple[list[Part], list[ObjectReport]]]:
    """Build what is not `taken` (m,) from before, some meshes at a time, and return the parts and what to report."""
    costs = np.array([len(mesh.triangles) * COST.get(mesh.mode, 1) + 1 for mesh in meshes], np.int64)
    todo, done = max(int(costs[taken < 0].sum()), 1), 0
    parts: list[Part] = []
    entries: list[ObjectReport] = []
    is_alone = [mesh.mode is ColliderMode.PIECES for mesh in meshes]  # each may take long, and brings new vertices
    for first, last in _batches(taken.tolist(), costs.tolist(), is_alone):
        batch, source = meshes[first:last], int(taken[first])
        if before is not None and source >= 0:
            end = source + last - first
            parts.append(Part(before.colliders, before.features, before.sizes, source, end))
            old = before.report.objects[source:end]
            entries += [entry.renamed(mesh.name) for entry, mesh in zip(old, batch, strict=True)]
            continue
        cost = int(costs[first:last].sum())
        yield BATCHES_SHARE * done / todo
        colliders, report = build_colliders(batch)
        yield BATCHES_SHARE * (done + cost / 2) / todo
        features = Features.find(colliders)
        parts.append(Part(colliders, features, measure(colliders, features, len(batch)), 0, len(batch)))
        entries += report.objects
        done += cost
    return parts, entries


def _match(digests: Sequence[bytes], before: Built | None) -> Indices:
    """Return for each mesh the one of `before` that is the same, or -1; if there are several, the one that follows."""
    taken = np.full(len(digests), -1, np.intp)
    if before is None:
        return taken
    known = {digest: i for i, digest in reversed(list(enumerate(before.digests)))}
    following = 0
    for i, digest in enumerate(digests):
        if following < len(before.digests) and before.digests[following] == digest:
            taken[i] = following
        else:
            taken[i] = known.get(digest, -1)
        following = int(taken[i]) + 1
    return taken


def _batches(taken: list[int], costs: list[int], is_alone: list[bool]) -> Generator[tuple[int, int], None, None]:
    """Yield the ranges of meshes that are built, or taken over, together."""
    first, cost = 0, 0
    for i in range(len(taken)):
        follows = taken[i] == taken[i - 1] + 1 if taken[i] >= 0 else taken[i - 1] < 0
        is_full = taken[i] < 0 and (cost + costs[i] > BATCH or is_alone[i] or is_alone[i - 1])
        if i > first and (not follows or (taken[i - 1] < 0) != (taken[i] < 0) or is_full):
            yield first, i
            first, cost = i, 0
        cost += costs[i]
    if taken:
        yield first, len(taken)
