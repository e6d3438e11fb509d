"""Decompose: a closed surface into convex cells that together fill it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .cells import Cell, TooDetailedError
from .convexity import find_planes, match_sides
from .fragments import Fragments
from .hull import hull_volumes
from .nearest import nearest_sides
from .parts import connect
from .stand_out import is_within

ON_PLANE = 1e-6
"""Share of the size within which a point lies on a plane, near the origin. Too small and the rounding of single
precision, in which meshes are stored, becomes slivers; too large and real detail is lost."""
PIECES_LIMIT = 4096  # pieces of one object; more are too slow to walk on and no help to anyone
CELLS_LIMIT = 2 * PIECES_LIMIT  # before neighbours are joined
EXACT_LIMIT = 256  # cells up to which exact pieces are looked for where rough ones will do
WORK_LIMIT = 4_000_000  # triangles looked at in all cells, before the surface counts as too detailed
CORNERS_LIMIT = 100_000_000
"""Corners of all cells, each times those of its cell: what finding edges takes. Some seconds and 400 MB at the most."""
CANDIDATES = 48  # planes that are compared for a cut
ROUGH = 200  # triangles that the hulls of both sides of a cut are estimated from
BOX = 0.6  # half the side of the first cell, around a surface of size 1


@dataclass(frozen=True, slots=True, eq=False)
class _Planes:
    """The planes of a surface and the triangles on them."""

    normal: NDArray[np.float64]  # (p, 3)
    offset: NDArray[np.float64]  # (p,)
    on_plane: float  # within which a point lies on one


def decompose(
    points: NDArray[np.float64], triangles: NDArray[np.int64], on_plane: float = ON_PLANE
) -> list[NDArray[np.float64]]:
    """Cut a closed surface into convex pieces.

    Cells are cut by the planes of faces beside edges where the surface turns inward, first by those that have most
    of these edges on them and cut fewest, until what lies in a cell is convex: that is exact. (The cells are the
    leaves of a binary space partition: B. Naylor, J. Amanatides and W. Thibault, Merging BSP trees yields polyhedral
    set operations, SIGGRAPH 1990.)

    Parameters
    ----------
    points : (v, 3) float
        At unit size about the origin.
    triangles : (t, 3) int
        Closed, counter-clockwise seen from outside.
    on_plane : float
        Within which a point lies on a plane; more for a mesh whose corners are rounded by more.

    Returns
    -------
    list of (n, 3) float
        Points whose convex hulls are the pieces; no two overlap.

    Raises
    ------
    TooDetailedError
        If there are too many.
    """
    return _cut(points, triangles, 0.0, CELLS_LIMIT, on_plane)


def decompose_roughly(
    points: NDArray[np.float64], triangles: NDArray[np.int64], error: float, on_plane: float = ON_PLANE
) -> list[NDArray[np.float64]]:
    """Cut as `decompose` does, but into pieces that may stand out from the surface by `error`, a share of the size.

    Cutting stops as soon as the hull of what lies in a cell is within the error (see `stand_out`). Block-outs often
    have fewer exact pieces than rough ones: these are taken then.
    """
    try:
        exact = _cut(points, triangles, 0.0, EXACT_LIMIT, on_plane)
    except TooDetailedError:
        exact = []
    if len(exact) == 1:
        return exact
    rough = _cut(points, triangles, error, CELLS_LIMIT, on_plane)
    return exact if 0 < len(exact) <= len(rough) else rough


def _cut(
    points: NDArray[np.float64], triangles: NDArray[np.int64], error: float, most: int, on_plane: float
) -> list[NDArray[np.float64]]:
    planes, fragments = _prepare(points, triangles, on_plane)
    if error == 0 and _fewest_cuts(fragments, planes) > most / 2:
        raise TooDetailedError
    pieces: list[NDArray[np.float64]] = []
    stack, work, pairs = [(Cell.box(BOX), fragments)], 0, 0
    while stack:
        cell, inside = stack.pop()
        work += len(inside.corners)
        pairs += len(cell.points) ** 2
        content = _convex_content(cell, inside, planes)
        if content is None and error > 0:
            content = _content_within(cell, inside, planes, error)
        if content is not None:
            pieces.append(content)
            continue
        normal, offset = _choose(inside, planes)
        if error > 0:
            normal, offset = _choose_roughly(inside, normal, offset, planes)
        front, back, on = inside.split(normal, offset, on_plane)
        facing = float((_area_vectors(on) @ normal).sum())  # positive: solid behind, air in front
        cells = cell.split(normal, offset, on_plane)
        for side, some, is_full in zip(cells, (front, back), (facing < 0, facing > 0), strict=True):
            if side is not None and len(some.corners):
                stack.append((side, some))
            elif side is not None and (is_full if facing else _is_solid(side, inside)):
                pieces.append(side.points)
        if len(pieces) + len(stack) > most or work > WORK_LIMIT or pairs > CORNERS_LIMIT:
            raise TooDetailedError
    return pieces


def _prepare(points: NDArray[np.float64], triangles: NDArray[np.int64], on_plane: float) -> tuple[_Planes, Fragments]:
    """Find the planes of a surface: neighbours that are flat within `on_plane` share the one of the largest."""
    normal, offset = find_planes(points, triangles)
    mate = match_sides(triangles, len(points))
    here = np.arange(len(mate)) // 3
    far = triangles.ravel()[mate // 3 * 3 + (mate + 2) % 3]
    height = (normal[here] * points[far]).sum(axis=1) - offset[here]
    flat = np.flatnonzero((np.maximum(np.abs(height), np.abs(height[mate])) <= on_plane) & (here < mate // 3))
    region = connect(here[flat], mate[flat] // 3, len(triangles))
    area = np.linalg.norm(_area_vectors(points[triangles]), axis=1)
    order = np.lexsort((-area, region))
    first = np.concatenate([[True], np.diff(region[order]) != 0])
    largest = order[first][np.cumsum(first) - 1]
    plane_of = np.empty(len(triangles), np.intp)
    plane_of[order] = largest
    off = np.abs((points[triangles] * normal[plane_of][:, None]).sum(axis=2) - offset[plane_of][:, None]).max(axis=1)
    plane_of = np.where(off > on_plane, np.arange(len(triangles)), plane_of)  # a chain of flat neighbours may bend
    used, plane = np.unique(plane_of, return_inverse=True)
    begin, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    reflex = np.flatnonzero((np.maximum(height, height[mate]) > on_plane) & (here < mate // 3))
    return _Planes(normal[used], offset[used], on_plane), Fragments(
        points[triangles],
        plane.reshape(-1),
        np.stack([points[begin[reflex]], points[end[reflex]]], axis=1),
        np.stack([plane.reshape(-1)[here[reflex]], plane.reshape(-1)[mate[reflex] // 3]], axis=1),
    )


def _fewest_cuts(fragments: Fragments, planes: _Planes) -> float:
    """Return how many cuts along faces it takes at least, so that each reflex edge is on one of them."""
    rounded = np.round(np.column_stack([planes.normal, planes.offset]), 5) + 0.0
    _, same = np.unique(rounded, axis=0, return_inverse=True)
    beside = same.reshape(-1)[fragments.beside]
    settled = np.bincount(beside.ravel(), minlength=len(same))
    return float((1 / settled[beside].max(axis=1, initial=1)).sum())


def _area_vectors(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return twice the area of triangles (t, 3, 3), along their normals."""
    return np.asarray(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), np.float64)


def _convex_content(cell: Cell, inside: Fragments, planes: _Planes) -> NDArray[np.float64] | None:
    """Return the corners of what is solid in a cell, if that is convex.

    If no fragment has a point of another in front of it, the solid is what of the cell is behind all of them.
    """
    if len(inside.ends):
        return None
    used = np.unique(inside.plane)
    corners = inside.corners.reshape(-1, 3)
    kept = cell.points
    for begin in range(0, len(used), 64):
        normal, offset = planes.normal[used[begin : begin + 64]], planes.offset[used[begin : begin + 64]]
        if ((corners @ normal.T - offset).max(axis=0) > planes.on_plane).any():
            return None
        kept = kept[(kept @ normal.T - offset <= planes.on_plane).all(axis=1)]
    return np.concatenate([corners, kept])


def _content_within(cell: Cell, inside: Fragments, planes: _Planes, error: float) -> NDArray[np.float64] | None:
    """Return the corners of what is solid in a cell, if their hull stands out from it by no more than `error`."""
    middle = cell.points.mean(axis=0)
    near = cell.points + planes.on_plane * (middle - cell.points)  # inside the cell, where the surface does not pass
    _, is_solid = nearest_sides(near, inside.corners)
    content = np.concatenate([inside.corners.reshape(-1, 3), cell.points[is_solid]])
    return content if is_within(content, inside.corners, error) else None


def _is_solid(cell: Cell, inside: Fragments) -> bool:
    """Return whether a cell that no fragment is in is solid, by those of the cell that it is cut from."""
    _, is_behind = nearest_sides(cell.points.mean(axis=0)[None], inside.corners)
    return bool(is_behind[0])


def _choose_roughly(
    inside: Fragments, normal: NDArray[np.float64], offset: float, planes: _Planes
) -> tuple[NDArray[np.float64], float]:
    """Return the plane given or one across an axis: that which leaves the least in the hulls of both sides."""
    points = np.unique(inside.corners.reshape(-1, 3), axis=0)
    low, high = points.min(axis=0), points.max(axis=0)
    normals, offsets = [normal], [offset]
    for axis in np.flatnonzero(high - low > (high - low).max() / 4):
        for share in (0.25, 0.5, 0.75):
            normals.append(np.eye(3)[axis])
            offsets.append(float(low[axis] + share * (high[axis] - low[axis])))
    some, groups, sizes = inside.thinned(ROUGH), [], []
    for one, at in zip(normals, offsets, strict=True):
        front, back, on = some.split(one, at, planes.on_plane)
        for side in (front.corners, back.corners):
            cloud = np.concatenate([side, on]).reshape(-1, 3)
            groups.append(cloud)
            sizes.append(len(cloud))
    volumes = hull_volumes(np.concatenate(groups), np.array(sizes)).reshape(-1, 2).sum(axis=1)
    best = int(volumes.argmin())
    return normals[best], offsets[best]


def _choose(inside: Fragments, planes: _Planes) -> tuple[NDArray[np.float64], float]:
    """Return the plane to cut by: the one that settles most reflex edges, cuts fewest, and halves best."""
    candidates = np.unique(inside.beside) if len(inside.ends) else np.unique(inside.plane)
    candidates = candidates[np.isin(candidates, inside.plane)]
    if not len(candidates):
        candidates = np.unique(inside.plane)
    if len(candidates) > CANDIDATES:
        candidates = candidates[np.linspace(0, len(candidates) - 1, CANDIDATES).astype(np.intp)]
    normal, offset = planes.normal[candidates], planes.offset[candidates]
    ends = inside.ends @ normal.T - offset  # (m, 2, candidates)
    is_settled = (np.abs(ends) <= planes.on_plane).all(axis=1)
    is_cut = (ends.max(axis=1) > planes.on_plane) & (ends.min(axis=1) < -planes.on_plane)
    gain = is_settled.sum(axis=0) - is_cut.sum(axis=0)
    corners = inside.corners @ normal.T - offset
    is_front, is_back = corners.max(axis=1) > planes.on_plane, corners.min(axis=1) < -planes.on_plane
    cut = (is_front & is_back).sum(axis=0)
    smaller = np.minimum(is_front.sum(axis=0), is_back.sum(axis=0))
    best = np.lexsort((-smaller, cut, -gain))[0]
    return normal[best], float(offset[best])
