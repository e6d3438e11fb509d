"""World: the colliders of a level and the questions that can be asked of them."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Indices, Mask, Rows, Scalars, Vectors
from .batches import Built, build_batches
from .colliders.build_report import BuildReport
from .colliders.colliders import Colliders
from .geometry.body import Body
from .geometry.contacts import contact_points, find_touches, smallest_gap
from .geometry.features import Features
from .geometry.grid import Grid
from .geometry.ground import judge
from .geometry.long_cast import CastHits, cast_far
from .geometry.near import Near, gather
from .geometry.solids import Solids
from .mesh import Layer, TriMesh
from .settings import Settings
from .stages import finish, scaled
from .vectors import as_vectors

BATCHES_SHARE = 0.85  # of the time of a build, before the grid over all of it is made


@dataclass(frozen=True, slots=True, eq=False)
class Contacts:
    """The k places where the level is near a capsule.

    Attributes
    ----------
    lane : (k,) int
    point, normal : (k, 3) float
        In world space; the normal points to the capsule.
    distance : (k,) float, m
        From the capsule's surface; negative means overlap.
    object_index : (k,) int
    is_walkable : (k,) bool
    """

    lane: Indices
    point: Vectors
    normal: Vectors
    distance: Scalars
    object_index: Indices
    is_walkable: Mask


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """A level as convex colliders, ready to be walked.

    Attributes
    ----------
    colliders : Colliders
    report : BuildReport
        What the level's objects became, and what was left out.
    features : Features
    grid : Grid
    solids : Solids
    bounds : (2, 3) float, m
        Lowest and highest corner of all colliders; zeros for an empty level.
    climbable : (m,) bool
        Which of the m objects can be climbed.
    sizes, digests
        How much of everything each object has, and of what it was built, for the next build.
    """

    colliders: Colliders
    report: BuildReport
    features: Features
    grid: Grid
    solids: Solids
    bounds: NDArray[np.float64]
    climbable: Mask
    sizes: Indices
    digests: tuple[bytes, ...]

    @classmethod
    def build(cls, meshes: Sequence[TriMesh], before: "World | None" = None) -> "World":
        """Build the colliders of `meshes`, each by its own mode.

        Parameters
        ----------
        meshes : sequence of TriMesh
        before : World, optional
            What is the same in it is taken over, and only the rest is built. The result is the same without it.

        Raises
        ------
        ValueError
            If a mesh has coordinates that are not finite or beyond all reason, or triangles of vertices that it does
            not have; the message names the mesh. `check_mesh` tells beforehand.
        """
        return finish(cls.build_stages(meshes, before))

    @classmethod
    def build_stages(cls, meshes: Sequence[TriMesh], before: "World | None" = None) -> Generator[float, None, "World"]:
        """Build as `build` does, a stage at a time: yield the share that is done, 0 to 1, and return the world.

        A stage takes some 0.1 s, or for a single large mesh up to half of the whole. To give up, stop asking.
        """
        meshes = list(meshes)
        stages = build_batches(meshes, None if before is None else before._built())
        built = yield from scaled(stages, 0.0, BATCHES_SHARE)
        yield BATCHES_SHARE
        features = built.features
        a, b, c = (features.corners[:, i] for i in range(3))
        low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
        bounds = np.stack([low.min(axis=0), high.max(axis=0)]) if len(low) else np.zeros((2, 3))
        climbable = np.array([mesh.is_climbable for mesh in meshes] or [False])
        grid = Grid.build(low, high)
        yield 1.0
        solids = Solids.find(built.colliders, features, grid)
        return cls(built.colliders, built.report, features, grid, solids, bounds, climbable, built.sizes, built.digests)

    def _built(self) -> Built:
        return Built(self.colliders, self.report, self.features, self.sizes, self.digests)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the level objects, by `object_index`."""
        return self.colliders.names

    def lowest(self, up: tuple[float, float, float]) -> float:
        """Return the height along `up` below which there is no level, m."""
        direction = np.asarray(up)
        return float(np.where(direction >= 0, self.bounds[0] * direction, self.bounds[1] * direction).sum())

    def cast(
        self, settings: Settings, start: ArrayLike, displacement: ArrayLike, *, layers: Layer = Layer.BOTH
    ) -> CastHits:
        """Move the character's capsule, without its skin, along a displacement to its first hit.

        Parameters
        ----------
        settings : Settings
            Radius, height and up are used.
        start : (3,) or (n, 3) float, m
            The lowest points of the capsules.
        displacement : (3,) or (n, 3) float, m
        layers : Layer
            Which level objects are in the way: those that carry (GROUND), those that stop (OBSTACLE), or all (BOTH).

        Raises
        ------
        ValueError
            If a shape is another, or a number is not finite.
        """
        return cast_far(self.features, self.grid, settings, start, displacement, layers)

    def contacts(self, settings: Settings, position: ArrayLike, within: float) -> Contacts:
        """Return all places where the level is nearer than `within` (m) to the character's capsule, without skin.

        `position` is (3,) or (n, 3): the lowest points of the capsules.
        """
        body = Body.without_skin(settings)
        near, offset, limit = self._around(settings, body, position, within)
        touches = find_touches(near, offset, limit)
        at = offset[:, touches.lane]
        points = contact_points(near, touches.row, at, touches.normal, touches.gap)
        judged = judge(near, touches.row, touches.normal, settings.slope_limit)
        return Contacts(
            touches.lane,
            near.origin[touches.lane] + (body.turn.T @ points).T,
            np.ascontiguousarray((body.turn.T @ touches.normal).T),
            touches.gap,
            judged.object_index,
            judged.is_walkable & (touches.normal[2] > 0),
        )

    def clearance(self, settings: Settings, position: ArrayLike, within: float) -> Scalars:
        """Return the distance (n,) from the character's capsule, without skin, to the level.

        It is `within` (m) where nothing is nearer, and negative where the capsule overlaps the level.
        """
        body = Body.without_skin(settings)
        near, offset, limit = self._around(settings, body, position, within)
        gap = smallest_gap(find_touches(near, offset, limit), limit)
        return np.minimum(gap, -self.solids.depth(near, offset, np.arange(offset.shape[1])))

    def overlaps(self, settings: Settings, position: ArrayLike) -> Mask:
        """Return for each pose (n,) whether the character's capsule, without skin, is inside the level."""
        inside: Mask = self.clearance(settings, position, 0.0) < 0
        return inside

    def _around(self, settings: Settings, body: Body, position: ArrayLike, within: float) -> tuple[Near, Rows, Scalars]:
        """Return the pieces around capsules that stand still, their offsets (zero), and `within` for each."""
        origin = as_vectors("position", position) + np.asarray(settings.up) * settings.radius
        limit, span = np.full(len(origin), float(within)), np.full(len(origin), settings.span)
        near = gather(self.features, self.grid, body, span, origin, limit, limit)
        return near, np.zeros((3, len(origin))), limit
