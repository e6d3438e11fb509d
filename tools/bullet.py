"""Bullet's kinematic character controller, walking the same level on the same commands, as a yardstick."""

import time

import numpy as np
from numpy.typing import NDArray
from panda3d.bullet import (
    BulletCapsuleShape,
    BulletCharacterControllerNode,
    BulletRigidBodyNode,
    BulletTriangleMesh,
    BulletTriangleMeshShape,
    BulletWorld,
    ZUp,
)
from panda3d.core import (
    BitMask32,
    Geom,
    GeomEnums,
    GeomTriangles,
    GeomVertexData,
    GeomVertexFormat,
    LVector3,
    loadPrcFileData,
)

from levelwalk.core import Commands, Settings, TriMesh

LEVEL, WALKERS = 0, 1  # Bullet's groups: walkers meet the level and not each other

loadPrcFileData("", "bullet-filter-algorithm groups-mask")


class BulletWalk:
    """Walkers in a level: n of them, from `starts` (n, 3), with the character and gravity of `settings`."""

    def __init__(self, meshes: list[TriMesh], settings: Settings, starts: NDArray[np.float64]) -> None:
        self.settings = settings
        self.world = BulletWorld()
        self.world.setGravity(LVector3(0, 0, -settings.gravity))
        for group, meets in ((LEVEL, WALKERS), (WALKERS, LEVEL)):
            self.world.setGroupCollisionFlag(group, meets, True)
            self.world.setGroupCollisionFlag(group, group, False)
        began = time.perf_counter()
        for mesh in meshes:
            body = BulletRigidBodyNode(mesh.name)
            body.addShape(BulletTriangleMeshShape(_triangles(mesh), dynamic=False))
            body.setIntoCollideMask(BitMask32.bit(LEVEL))
            self.world.attach(body)
        self.build_seconds = time.perf_counter() - began
        self.walkers = [self._add_walker(start) for start in starts]

    def _add_walker(self, start: NDArray[np.float64]) -> BulletCharacterControllerNode:
        settings = self.settings
        shape = BulletCapsuleShape(settings.radius, settings.height - 2 * settings.radius, ZUp)
        walker = BulletCharacterControllerNode(shape, settings.step_offset, "walker")
        walker.setIntoCollideMask(BitMask32.bit(WALKERS))
        walker.setGravity(settings.gravity)
        walker.setMaxSlope(settings.slope_limit)
        walker.setJumpSpeed(settings.jump_speed)
        walker.setTransform(walker.getTransform().setPos(LVector3(*(start + [0, 0, settings.height / 2]))))
        self.world.attach(walker)
        return walker

    def steps(self, commands: Commands, first: int, count: int, dt: float) -> float:
        """Take `count` steps from command `first` on; return the seconds that Bullet took, without the input's."""
        seconds = 0.0
        for index in range(first, first + count):
            command = commands.at(index, len(self.walkers))
            jumps = np.zeros(len(self.walkers), bool) if command.jump is None else command.jump
            velocities = self.settings.speed * command.move
            if command.run is not None:
                velocities = np.where(command.run[:, None], self.settings.run_speed * command.move, velocities)
            for walker, velocity, is_jump in zip(self.walkers, velocities, jumps, strict=True):
                walker.setLinearMovement(LVector3(*velocity, 0), False)
                if is_jump and walker.canJump():
                    walker.doJump()
            began = time.perf_counter()
            self.world.doPhysics(dt, 1, dt)
            seconds += time.perf_counter() - began
        return seconds

    def grounded_share(self) -> float:
        """Return which share of the walkers stands on the ground."""
        return float(np.mean([walker.isOnGround() for walker in self.walkers]))


def _triangles(mesh: TriMesh) -> BulletTriangleMesh:
    """Hand the mesh over as whole arrays: vertex by vertex would measure Python and not Bullet."""
    vertices = GeomVertexData(mesh.name, GeomVertexFormat.getV3(), GeomEnums.UH_static)
    vertices.uncleanSetNumRows(len(mesh.vertices))
    vertices.modifyArrayHandle(0).setData(mesh.vertices.astype(np.float32).tobytes())
    triangles = GeomTriangles(GeomEnums.UH_static)
    triangles.setIndexType(GeomEnums.NT_uint32)
    corners = triangles.modifyVertices()
    corners.uncleanSetNumRows(mesh.triangles.size)
    corners.modifyHandle().setData(mesh.triangles.astype(np.uint32).tobytes())
    geometry = Geom(vertices)
    geometry.addPrimitive(triangles)
    made = BulletTriangleMesh()
    made.addGeom(geometry)
    return made
