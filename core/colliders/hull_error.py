"""Hull error: how far hulls stand out from the meshes that they are put around, and which openings they close."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, expand
from .convexity import find_planes
from .groups import starts_of
from .nearest import measure, nearest_sides
from .parts import connect

OPENING = 0.1  # m; free space under a hull that is no deeper closes no opening
OPENING_SHARE = 0.05  # the same as a share of the size: on small and round things
CLOSE_ENOUGH = 0.1  # share of the error that it may be larger than what is found, beside `FINE`
FINE = 0.02  # the same as a share of the size
PAIRS_LIMIT = 200_000  # points times triangles, all hulls of a mesh together: some 20 ms
FEWEST_POINTS = 64  # asked of each hull, whatever its mesh has
SIDES_LIMIT = 4_000_000  # sides of a hull times triangles, up to which is asked which sides are filled
ON_SIDE = 1e-6  # share of the size within which a triangle of the mesh lies in a side of the hull
SIDE_DIGITS = 6  # of directions and places that tell sides apart
SMALL = 32  # triangles of a mesh up to which every point is measured against every triangle
PAIRS_AT_ONCE = 1 << 18
LEVELS = 24  # times that a face is halved


@dataclass(frozen=True, slots=True, eq=False)
class HullErrors:
    """What is known of h hulls.

    Attributes
    ----------
    error : (h,) float, m
        The largest distance from the hull's surface to the mesh's that was found. It is that of a place, so it is
        never too large; it is too small by no more than 10 % and 2 % of the size, but where a mesh has so many hulls
        or triangles that the places have to be few. It is the same whatever else is measured.
    place : (h, 3) float, m
        Where that is.
    openings : (h,) int
        How many places there are, apart from each other, where the hull covers free space deeper than 0.1 m and 5 %
        of the size: doors, windows, steps, the inside of a bowl. Those deeper than twice that are all found, with the
        same exception.
    """

    error: NDArray[np.float64]
    place: NDArray[np.float64]
    openings: Indices


def measure_hulls(
    hull_corners: NDArray[np.float64],
    hull_of: Indices,
    mesh_corners: NDArray[np.float64],
    mesh_of: Indices,
    hulls_beside: Indices,
) -> HullErrors:
    """Measure hulls against meshes.

    The faces of the hulls are divided where they can still hold a place further from the mesh than what has been
    found, or an opening: the distance changes by no more than one moves.

    Parameters
    ----------
    hull_corners, mesh_corners : (f, 3, 3) and (t, 3, 3) float, m
    hull_of, mesh_of : (f,) and (t,) int
        The hull that each triangle is of, or that its mesh has; sorted; each hull has some of both.
    hulls_beside : (h,) int
        How many hulls the mesh of each hull has: these share what a mesh may take.
    """
    count = len(hulls_beside)
    starts = starts_of(np.bincount(mesh_of, minlength=count))
    size = _sizes(hull_corners, hull_of, count)
    limit = np.maximum(OPENING, OPENING_SHARE * size)
    error = np.zeros(count)
    budget = np.maximum(PAIRS_LIMIT // np.maximum(np.diff(starts) * hulls_beside, 1), FEWEST_POINTS)
    is_bare = ~_covered(hull_corners, hull_of, mesh_corners, starts, size)
    faces, owner = hull_corners[is_bare], hull_of[is_bare]
    place = hull_corners[starts_of(np.bincount(hull_of, minlength=count))[:-1], 0]
    deep: list[tuple[NDArray[np.float64], NDArray[np.float64], Indices]] = []
    for _ in range(LEVELS):
        faces, owner, budget = _afford(faces, owner, budget)
        if not len(faces):
            break
        middle = faces.mean(axis=1)
        reach = np.sqrt(((faces - middle[:, None]) ** 2).sum(axis=2).max(axis=1))
        distance = _distances(middle, owner, mesh_corners, starts)
        order = np.lexsort((distance, owner))
        last = np.flatnonzero(np.append(np.diff(owner[order]) != 0, True))
        best = order[last]
        best = best[distance[best] > error[owner[best]]]
        error[owner[best]], place[owner[best]] = distance[best], middle[best]
        is_deep = distance > limit[owner]
        deep.append((middle[is_deep], distance[is_deep], owner[is_deep]))
        highest = distance + reach
        is_open = highest > error[owner] * (1 + CLOSE_ENOUGH) + FINE * size[owner]
        is_open |= (highest > limit[owner]) & (reach > limit[owner])
        faces, owner = _halves(faces[is_open]), np.repeat(owner[is_open], 2)
    return HullErrors(error, place, _count_openings(deep, count))


def _sizes(corners: NDArray[np.float64], owner: Indices, count: int) -> NDArray[np.float64]:
    starts = starts_of(np.bincount(owner, minlength=count))[:-1]
    low = np.minimum.reduceat(corners.min(axis=1), starts)
    high = np.maximum.reduceat(corners.max(axis=1), starts)
    return np.asarray((high - low).max(axis=1))


def _covered(
    hull_corners: NDArray[np.float64],
    hull_of: Indices,
    mesh_corners: NDArray[np.float64],
    mesh_starts: Indices,
    size: NDArray[np.float64],
) -> Mask:
    """Return which faces of hulls (f,) lie in a side that triangles of the mesh fill: there is nothing under them."""
    is_covered = np.zeros(len(hull_corners), bool)
    normal, offset = find_planes(hull_corners.reshape(-1, 3), np.arange(3 * len(hull_corners)).reshape(-1, 3))
    area = np.linalg.norm(_area_vectors(hull_corners), axis=1)
    faces = starts_of(np.bincount(hull_of, minlength=len(size)))
    for hull in range(len(size)):
        rows = slice(faces[hull], faces[hull + 1])
        some = mesh_corners[mesh_starts[hull] : mesh_starts[hull + 1]]
        if (rows.stop - rows.start) * len(some) > SIDES_LIMIT:
            continue
        key = np.round(np.column_stack([normal[rows], offset[rows] / size[hull]]), SIDE_DIGITS) + 0.0
        _, first, side = np.unique(key, axis=0, return_index=True, return_inverse=True)
        height = some.reshape(-1, 3) @ normal[rows][first].T - offset[rows][first]
        is_in = (np.abs(height) <= ON_SIDE * size[hull]).reshape(len(some), 3, -1).all(axis=1)
        vectors = _area_vectors(some)
        filled = np.maximum(vectors @ normal[rows][first].T, 0.0)
        one_way = (filled * is_in).sum(axis=0)
        other_way = (np.maximum(-vectors @ normal[rows][first].T, 0.0) * is_in).sum(axis=0)
        whole = np.bincount(side.reshape(-1), area[rows])
        is_full = np.maximum(one_way, other_way) >= whole * (1 - 1e-6)  # flipped meshes too; doubled ones are welded
        is_covered[rows] = is_full[side.reshape(-1)]
    return is_covered


def _area_vectors(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), np.float64)


def _afford(
    faces: NDArray[np.float64], owner: Indices, budget: NDArray[np.int64]
) -> tuple[NDArray[np.float64], Indices, NDArray[np.int64]]:
    """Return the largest faces of each hull, as many as its budget has points, and what is left of the budgets."""
    counts = np.bincount(owner, minlength=len(budget))
    if (counts > budget).any():
        area = np.linalg.norm(np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0]), axis=1)
        order = np.lexsort((-area, owner))
        place = np.arange(len(owner)) - starts_of(counts)[owner[order]]
        kept = np.sort(order[place < budget[owner[order]]])
        faces, owner = faces[kept], owner[kept]
    return faces, owner, budget - np.minimum(counts, budget)


def _distances(
    points: NDArray[np.float64], owner: Indices, corners: NDArray[np.float64], starts: Indices
) -> NDArray[np.float64]:
    """Return how far each point is from the triangles of its mesh."""
    sizes = np.diff(starts)
    distance = np.empty(len(points))
    small = np.flatnonzero(sizes[owner] <= SMALL)
    for block in np.array_split(small, sizes[owner[small]].sum() // PAIRS_AT_ONCE + 1):
        counts = sizes[owner[block]]
        if len(block):
            triangle = expand(starts[owner[block]], counts)
            length, _ = measure(points[np.repeat(block, counts)], corners[triangle])
            distance[block] = np.minimum.reduceat(length, starts_of(counts)[:-1])
    for mesh in np.unique(owner[sizes[owner] > SMALL]):
        rows = np.flatnonzero(owner == mesh)
        distance[rows], _ = nearest_sides(points[rows], corners[starts[mesh] : starts[mesh + 1]])
    return distance


def _halves(faces: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return two triangles for each, cut at the middle of its longest side: needles become stouter."""
    longest = ((np.roll(faces, -1, axis=1) - faces) ** 2).sum(axis=2).argmax(axis=1)
    turn = (longest[:, None] + np.arange(3)) % 3
    a, b, c = (faces[np.arange(len(faces)), turn[:, i]] for i in range(3))
    middle = (a + b) / 2
    return np.stack([a, middle, c, middle, b, c], axis=1).reshape(-1, 3, 3)


def _count_openings(deep: list[tuple[NDArray[np.float64], NDArray[np.float64], Indices]], count: int) -> Indices:
    """Return how many groups of empty balls there are under each hull; balls that overlap are of one opening."""
    openings = np.zeros(count, np.intp)
    if not deep:
        return openings
    points, radius, owner = (np.concatenate(column) for column in zip(*deep, strict=True))
    for hull in np.unique(owner):
        rows = np.flatnonzero(owner == hull)
        rows = rows[np.argsort(-radius[rows], kind="stable")[:1024]]
        apart = np.linalg.norm(points[rows][:, None] - points[rows], axis=2)
        one, other = np.nonzero(apart < radius[rows][:, None] + radius[rows])
        first = connect(one, other, len(rows))
        openings[hull] = np.count_nonzero(first == np.arange(len(rows)))
    return openings
