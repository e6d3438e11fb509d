"""Ground: what carries the character, judged by the faces under a contact."""

from dataclasses import dataclass

import numpy as np

from ..arrays import Indices, Level, Mask, Rows, Scalars, expand, is_any, nonzero
from .axes import dot, level_dot, turned
from .body import Body, cos_limit
from .features import Features
from .near import Near


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What k contacts are to a character.

    Attributes
    ----------
    is_walkable : (k,) bool
        At least one face under the contact can be stood on.
    is_even : (k,) bool
        All faces under it can, and it is not the rim of a sheet: ground that is followed, not a step.
    is_gentle : (k,) bool
        The contact's own normal is within the slope limit.
    is_edge : (k,) bool
        On an edge or a corner, not inside a face.
    normal : (3, k) float
        Normal of the face that carries, or of the one that faces the character most.
    object_index : (k,) int
    """

    is_walkable: Mask
    is_even: Mask
    is_gentle: Mask
    is_edge: Mask
    normal: Rows
    object_index: Indices

    def only(self, contacts: Indices) -> "Judged":
        """Return some of the contacts."""
        return Judged(
            self.is_walkable[contacts],
            self.is_even[contacts],
            self.is_gentle[contacts],
            self.is_edge[contacts],
            self.normal.take(contacts, axis=1),
            self.object_index[contacts],
        )


def judge(near: Near, rows: Indices, normal: Rows, slope_limit: float) -> Judged:
    """Judge contacts on `rows` of the near pieces by the faces that meet there.

    Parameters
    ----------
    rows : (k,) int
    normal : (3, k) float
        The contacts' normals, in the walker's axes; they tell which side of a sheet is meant.
    slope_limit : float, rad
    """
    features, gentlest = near.features, cos_limit(slope_limit)
    feature = near.feature(rows)
    contact, face, has_rim = _faces_of(features, feature)
    turned_normal = turned(features.normal[face], near.body)
    facing = dot(turned_normal, normal.take(contact, axis=1))
    is_flipped = (facing < 0) & ~features.is_one_sided[face]
    turned_normal = np.where(is_flipped, -turned_normal, turned_normal)
    facing = np.where(is_flipped, -facing, facing)
    walkable = (turned_normal[2] >= gentlest) & features.carries[face]

    order = (facing + 4.0 * walkable).argsort(kind="stable")  # the best last: it is the one that stays
    chosen = np.zeros(len(rows), np.intp)
    chosen[contact[order]] = order
    is_even = ~has_rim
    is_even[contact[~walkable]] = False
    return Judged(
        is_walkable=walkable[chosen],
        is_even=is_even,
        is_gentle=normal[2] >= gentlest,
        is_edge=feature >= len(features.normal),
        normal=turned_normal.take(chosen, axis=1),
        object_index=features.object_index[face[chosen]],
    )


def _faces_of(features: Features, feature: Indices) -> tuple[Indices, Indices, Mask]:
    """Return (contact, face) pairs for each feature, and which features are the rim of a sheet."""
    faces, edges = len(features.normal), len(features.edge_ends)
    if not is_any(feature >= faces):
        return np.arange(len(feature)), feature, np.zeros(len(feature), bool)
    on_face = nonzero(feature < faces)
    on_edge = nonzero((feature >= faces) & (feature < faces + edges))
    at_corner = nonzero(feature >= faces + edges)
    starts = features.corner_edges_at[feature[at_corner] - faces - edges]
    counts = features.corner_edges_at[feature[at_corner] - faces - edges + 1] - starts
    contact = np.concatenate([on_edge, np.repeat(at_corner, counts)])
    edge = np.concatenate([feature[on_edge] - faces, features.corner_edges[expand(starts, counts)]])
    starts = features.edge_faces_at[edge]
    counts = features.edge_faces_at[edge + 1] - starts
    has_rim = np.zeros(len(feature), bool)
    has_rim[contact[counts < 2]] = True
    return (
        np.concatenate([on_face, np.repeat(contact, counts)]),
        np.concatenate([feature[on_face], features.edge_faces[expand(starts, counts)]]),
        has_rim,
    )


def rise_of(normal: Rows, heading: Level) -> Scalars:
    """Return how much a plane rises along a level `heading` (2, n), for each metre seen from above."""
    rise: Scalars = -level_dot(normal[:2], heading) / np.maximum(normal[2], 1e-9)
    return rise


def feet_of(offset: Rows, body: Body) -> Scalars:
    """Return the height of the lowest point of the moved body, in the walker's coordinates."""
    lowest: Scalars = offset[2] - body.radius
    return lowest
