"""Objects in Blender for the tests, each drawn by its numbers."""

import bpy
import numpy as np

from levelwalk.core import Commands, Settings
from levelwalk.operators.level_from_blender import read_level
from levelwalk.operators.take import Take

CUBE_VERTICES = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
CUBE_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
SQUARE = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]


def add_mesh(name, vertices, faces, location=(0, 0, 0), collection=None):
    """Add a mesh object to a collection, or to the scene."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    ob = bpy.data.objects.new(name, mesh)
    ob.location = location
    (collection or bpy.context.scene.collection).objects.link(ob)
    return ob


def add_cube(name="Cube", location=(0, 0, 0), collection=None):
    """Add a cube of 2 x 2 x 2 m about its origin: 8 vertices, 12 triangles, facing outwards."""
    return add_mesh(name, CUBE_VERTICES, CUBE_FACES, location, collection)


def add_floor(half=10.0, name="Floor"):
    """Add a square floor at height 0."""
    return add_mesh(name, [(half * x, half * y, 0) for x, y, _ in SQUARE], [(0, 1, 2, 3)])


def add_collection(name):
    """Add a collection to the scene."""
    collection = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(collection)
    return collection


def add_instance(name, collection, into=None):
    """Add an empty that shows a collection, to another collection or to the scene."""
    instance = bpy.data.objects.new(name, None)
    instance.instance_type, instance.instance_collection = "COLLECTION", collection
    (into or bpy.context.scene.collection).objects.link(instance)
    return instance


def level():
    """Return the scene's level as it is read now."""
    return read_level(bpy.context.scene, bpy.context.evaluated_depsgraph_get())


def meshes_by_name():
    """Return the level's meshes by name."""
    return {mesh.name: mesh for mesh in level().meshes}


def volume_of(mesh):
    """Return the signed volume of a closed TriMesh, m3: positive if its faces look outwards (divergence theorem)."""
    a, b, c = (mesh.vertices[mesh.triangles[:, corner]] for corner in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def straight_take(metres=4.0, seconds=1.0, start=(0.0, 0.0, 0.0), towards=(0.0, -1.0), dt=1 / 60):
    """Return a take that walks straight at constant speed, without any physics."""
    steps = round(seconds / dt)
    moves = np.tile(np.asarray(towards, float), (steps, 1))
    way = np.linspace(0, metres, steps + 1)[:, None] * np.array([*towards, 0.0])
    return Take(
        dt=dt,
        settings=Settings(),
        commands=Commands(moves),
        position=np.asarray(start) + way,
        heading=np.full(steps + 1, np.arctan2(towards[0], -towards[1])),  # along the walk, from -Y
        support=np.full(steps + 1, 2, np.int8),
    )


def turning_take(turns=2.0, seconds=2.0, dt=1 / 60):
    """Return a take that turns on the spot, to the left, at a constant rate."""
    steps = round(seconds / dt)
    return Take(
        dt=dt,
        settings=Settings(),
        commands=Commands(np.zeros((steps, 2))),
        position=np.zeros((steps + 1, 3)),
        heading=np.linspace(0, turns * 2 * np.pi, steps + 1),
        support=np.full(steps + 1, 2, np.int8),
    )


def curves_of(ob):
    """Return the animation curves of an object by path and index, on every version of Blender."""
    animation = ob.animation_data
    action = animation.action
    if hasattr(action, "slots"):
        curves = action.layers[0].strips[0].channelbag(animation.action_slot).fcurves
    else:
        curves = action.fcurves
    return {(curve.data_path, curve.array_index): curve for curve in curves}


def keys_of(curve):
    """Return the frames and the values of a curve."""
    points = np.empty(2 * len(curve.keyframe_points), np.float32)
    curve.keyframe_points.foreach_get("co", points)
    return points.reshape(-1, 2).T.astype(float)


def update():
    """Bring world matrices up to date."""
    bpy.context.view_layer.update()
