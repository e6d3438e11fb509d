"""Hull error: how far hulls stand out from the meshes that they are put around, and which openings they close."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices
from .clean import keep_used
from .filled_sides import find_filled
from .groups import starts_of
from .openings import count_openings
from .places import Places

OPENING = 0.1  # m; free space under a hull that is no deeper closes no opening
OPENING_SHARE = 0.05  # the same as a share of the size: on small and round things
CLOSE_ENOUGH = 0.1  # share of the error that it may be larger than what is found, beside `FINE`
FINE = 0.02  # the same as a share of the size
PLACES_LIMIT = 4096  # asked of all hulls of a mesh together: some 20 ms
FEWEST_PLACES = 64  # asked of each hull, whatever its mesh has
LEVELS = 24  # times that a face is halved


@dataclass(frozen=True, slots=True, eq=False)
class HullErrors:
    """What is known of h hulls.

    Attributes
    ----------
    error : (h,) float, m
        The largest distance from the hull's surface to the mesh's that was found. It is that of a place, so it is
        never too large; it is too small by no more than 10 % and 2 % of the size, but where that would take more places
        than a mesh may have. It is the same whatever else is measured.
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
    vertices: NDArray[np.float64],
    hulls: NDArray[np.int64],
    hull_of: Indices,
    triangles: NDArray[np.int64],
    mesh_of: Indices,
    hulls_beside: Indices,
) -> HullErrors:
    """Measure hulls against meshes.

    The faces of the hulls are halved where they can still hold a place further from the mesh than what has been found,
    or an opening.

    Parameters
    ----------
    vertices : (v, 3) float, m
    hulls, triangles : (f, 3) and (t, 3) int
        Rows of `vertices`: the faces of the hulls, and the triangles of their meshes. A mesh has all corners of its
        hull.
    hull_of, mesh_of : (f,) and (t,) int
        The hull that each is of, or that its mesh has; sorted; each hull has some of both.
    hulls_beside : (h,) int
        How many hulls the mesh of each hull has: these share what a mesh may take.
    """
    used, rows = keep_used(np.concatenate([hulls, triangles]), len(vertices))
    vertices, hulls, triangles = vertices[used], rows[: len(hulls)], rows[len(hulls) :]
    size = _sizes(vertices[hulls], hull_of)
    limit = np.maximum(OPENING, OPENING_SHARE * size)
    budget = np.maximum(PLACES_LIMIT // hulls_beside, FEWEST_PLACES)
    error = np.zeros(len(size))
    places = Places.at_corners(vertices, triangles, mesh_of)
    faces = hulls[~find_filled(vertices, hulls, hull_of, triangles, mesh_of, size)]
    for _ in range(LEVELS):
        open_rows = _find_open(places, faces, error * (1 + CLOSE_ENOUGH) + FINE * size, limit)
        faces, budget = _afford(places, faces[open_rows], budget)
        if not len(faces):
            break
        before = len(places.hull)
        places, faces = places.halve(faces)
        np.maximum.at(error, places.hull[before:], places.distance[before:])
    order = np.lexsort((places.distance, places.hull))
    furthest = order[np.append(np.diff(places.hull[order]) != 0, True)]
    deep = np.flatnonzero(places.distance > limit[places.hull])
    openings = count_openings(places.points[deep], places.distance[deep], places.hull[deep], len(size))
    return HullErrors(error, places.points[furthest], openings)


def _sizes(corners: NDArray[np.float64], owner: Indices) -> NDArray[np.float64]:
    starts = starts_of(np.bincount(owner))[:-1]
    low = np.minimum.reduceat(corners.min(axis=1), starts)
    high = np.maximum.reduceat(corners.max(axis=1), starts)
    return np.asarray((high - low).max(axis=1))


def _find_open(
    places: Places, faces: NDArray[np.int64], enough: NDArray[np.float64], limit: NDArray[np.float64]
) -> Indices:
    """Return the rows of faces that can hold a place further than is `enough` (h,), or an opening that is not found.

    An opening is found when a place in it is: within `limit` (h,) of each place that is twice as deep, or so deep that
    the empty ball around it holds the whole face.
    """
    hull = places.hull[faces[:, 0]]
    enough, limit = enough[hull], limit[hull]
    deepest, length = places.distance[faces].max(axis=1), places.lengths(faces)
    reach = length / math.sqrt(3)  # no place of a triangle is further from all of its corners
    is_found = (reach <= limit) | (deepest > np.maximum(limit, length))
    rest = np.where(is_found, enough, np.minimum(enough, limit))
    rows = np.flatnonzero(deepest + reach > rest)
    return rows[places.furthest(faces[rows]) > rest[rows]]


def _afford(
    places: Places, faces: NDArray[np.int64], budget: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the largest faces of each hull, as many as its budget (h,) has places, and what is left of the budgets."""
    hull = places.hull[faces[:, 0]]
    counts = np.bincount(hull, minlength=len(budget))
    if (counts > budget).any():
        order = np.lexsort((-places.lengths(faces), hull))
        rank = np.arange(len(hull)) - starts_of(counts)[hull[order]]
        faces = faces[np.sort(order[rank < budget[hull[order]]])]
    return faces, budget - np.minimum(counts, budget)
