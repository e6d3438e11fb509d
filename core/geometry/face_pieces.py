"""Face pieces: faces moved out by the capsule, one for each end of it."""

import numpy as np

from ..arrays import Indices, Rows
from .axes import dot, turned, turned_all
from .fronts import FENCE, face_fronts
from .pieces import ENDS, TURNED_AWAY, Around, Pieces, flat_pieces

NEXT = [1, 2, 0]  # corner of a triangle after each


def face_pieces(around: Around, lane: Indices, face: Indices) -> Pieces:
    """Return a flat piece for each face (k,) and end of the capsule of `lane` (k,) that can be touched."""
    features, body, span = around.features, around.body, around.span[lane]
    points = _corners(around, lane, face)
    normal = turned(features.normal[face], body)
    outward = _outward(points, normal)
    limits = dot(outward, points)
    is_solid, is_front, is_gone = features.is_one_sided[face], None, None
    if features.has_fronts:
        is_front, is_gone, sign = face_fronts(features, face, normal[2], body)
        is_solid, normal = is_solid | is_front, normal * sign
    lower = dot(normal, points[:, 0])
    offset = np.array([lower, lower - span * normal[2]])
    shift = np.array([np.zeros(len(span)), span])

    # The axis goes through a face only where a walk starts inside the level: neither end need be near it then.
    past = np.minimum(span * outward[2], 0.0) - limits
    pierced = np.where(offset[0] * offset[1] < 0, past.max(axis=0), np.inf)

    limits = limits[:, None] - shift * outward[2][:, None]
    away = np.abs(offset)
    # The lower end touches what faces up, the upper end what faces down; solids have one side.
    facing = np.where(offset > 0, -normal[2], normal[2]) * ENDS
    is_turned = ((facing < -TURNED_AWAY) & (span > 0)) | (is_solid & (offset > 0))
    clear = np.maximum(away - body.radius, -limits.min(axis=0))
    clear = np.minimum(np.where(is_turned, np.maximum(clear, away), clear), pierced)
    upright = np.abs(np.concatenate([normal[2:], outward[2]]))[:, None]
    beside = around.level_way(lane, upright, np.concatenate([away[None] - body.radius, -limits])).max(axis=0)
    beside = np.where(pierced < np.inf, np.minimum(beside, clear), beside)
    if is_front is not None and is_gone is not None:
        is_far = (normal[2] * ENDS < -FENCE) & (span > 0)  # the other end comes first, from the front
        clear = np.where(is_front & (is_gone | is_far), np.inf, clear)

    end, of = np.nonzero(around.touches(lane, clear, beside))
    form, border = np.zeros((7, len(of))), np.zeros((len(of), 16))
    form[:3], form[3], form[4] = normal.take(of, axis=1), offset[end, of], np.where(is_solid[of], 1.0, -1.0)
    border[:, :9] = outward.transpose(2, 1, 0).reshape(-1, 9)[of]
    border[:, 12:15] = limits[:, end, of].T
    return flat_pieces(
        lane[of],
        clear[end, of],
        beside[end, of],
        face[of],
        shift[end, of],
        form,
        border,
        None if is_front is None else is_front[of],
    )


def _corners(around: Around, lane: Indices, face: Indices) -> Rows:
    """Return the corners of faces (k,) as seen from the origins of `lane` (k,): (component, corner, k)."""
    return turned_all(around.features.corners[face] - around.origin[lane, None], around.body)


def _outward(points: Rows, normal: Rows) -> Rows:
    """Return for each side of triangles with corners `points` (component, corner, k) the unit vector in the plane that
    leads out of them, in the same order."""
    along = points[:, NEXT] - points
    outward = np.empty(along.shape)
    outward[0] = along[1] * normal[2] - along[2] * normal[1]
    outward[1] = along[2] * normal[0] - along[0] * normal[2]
    outward[2] = along[0] * normal[1] - along[1] * normal[0]
    outward /= np.maximum(np.sqrt(dot(outward, outward)), 1e-300)
    return outward
