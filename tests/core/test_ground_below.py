"""Ground below: which faces are under a place, asked once for many places beside a walker, against a ray cast."""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import box, floor, playground, tessellated

from levelwalk.core import Command, LedgeGuard, Settings, World, spawn, step
from levelwalk.core.geometry.below import Below
from levelwalk.core.geometry.body import Body
from levelwalk.core.geometry.plumb import Plumb
from levelwalk.core.wander import wander

ABOVE, DEPTH = 2.0, 3.0
UPS = [(0.0, 0.0, 1.0), (0.0, 0.6, 0.8), (1.0, 0.0, 0.0), (0.0, 0.0, -1.0)]


def ray_meets(start, way, triangle):
    """Return whether a segment crosses a triangle, from the three equations of the crossing."""
    a, b, c = triangle
    equations = np.stack([b - a, c - a, -way], axis=1)
    if abs(np.linalg.det(equations)) < 1e-12 * np.linalg.norm(way):
        return False
    u, v, share = np.linalg.solve(equations, start - a)
    return u >= -1e-9 and v >= -1e-9 and u + v <= 1 + 1e-9 and 0 <= share <= 1


def faces_under(features, body, place):
    """Return all faces that carry on the way down through `place`, by asking each."""
    up = np.asarray(body.up)
    start, way = place + ABOVE * up, -(ABOVE + DEPTH) * up
    return {
        face
        for face, triangle in enumerate(features.corners)
        if features.carries[face] and ray_meets(start, way, triangle)
    }


def level_of(name):
    """Return a world of boxes, ramps and stairs, or of bumpy ground."""
    if name == "playground":
        return World.build(playground())
    flat = tessellated((-4, -4, 0), (8, 0, 0), (0, 8, 0), size=0.7)
    points = flat.vertices + np.random.default_rng(1).normal(scale=0.2, size=flat.vertices.shape)
    return World.build([type(flat)(points, flat.triangles, "bumps", mode="FACES")])


@pytest.mark.parametrize("up", UPS)
def test_a_face_is_met_where_a_ray_down_through_the_place_crosses_it(up):
    random = np.random.default_rng(3)
    features = level_of("bumps").features
    body = Body.with_skin(Settings(up=up))
    faces = random.integers(len(features.corners), size=600)
    within = random.dirichlet((1, 1, 1), 600)
    aim = np.einsum("ki,kij->kj", within, features.corners[faces])  # mostly over the face, so that both answers occur
    x, y = random.normal(scale=0.3, size=(2, 600))
    aside = np.stack([x, y, np.zeros(600)], axis=1) @ body.turn
    points = aim - aside + random.normal(scale=(0.2, 0.2, 2.5), size=(600, 3)) @ body.turn

    met = Plumb.at(features, body, points, faces).meets(x, y, ABOVE, DEPTH)

    down = np.asarray(up)
    expected = [
        ray_meets(point + ABOVE * down, -(ABOVE + DEPTH) * down, features.corners[face])
        for point, face in zip(points + aside, faces, strict=True)
    ]
    np.testing.assert_array_equal(met, expected)
    assert 50 < met.sum() < 550


def test_nothing_is_met_above_the_reach_or_below_the_depth():
    features = World.build([tessellated((-2, -2, 0), (4, 0, 0), (0, 4, 0), size=4.0)]).features
    body = Body.with_skin(Settings())
    heights = np.array([-ABOVE - 1e-6, -ABOVE + 1e-6, DEPTH - 1e-6, DEPTH + 1e-6])
    points = np.stack([np.full(4, 0.3), np.full(4, -0.4), heights], axis=1)

    met = [Plumb.at(features, body, points, np.full(4, face)).meets(0.0, 0.0, ABOVE, DEPTH) for face in range(2)]

    np.testing.assert_array_equal(met[0] | met[1], [False, True, True, False])


def test_an_upright_face_is_never_met():
    features = World.build(playground()).features
    upright = np.flatnonzero(np.abs(features.normal[:, 2]) < 1e-12)
    body = Body.with_skin(Settings())
    points = features.corners[upright].mean(axis=1)

    assert len(upright)
    assert not Plumb.at(features, body, points, upright).meets(0.0, 0.0, ABOVE, DEPTH).any()


@pytest.mark.parametrize("up", UPS)
@pytest.mark.parametrize("level", ["playground", "bumps"])
def test_what_was_gathered_answers_for_every_place_that_it_covers(level, up):
    """Walkers wander off until they are not covered, and are gathered again, in turns; the answer is that of a ray
    against all faces. What an earlier step has kept is not touched."""
    world, body = level_of(level), Body.with_skin(Settings(up=up))
    random = np.random.default_rng(5)
    n, ahead, room = 5, 1.0, 0.5
    feet = random.uniform(-3, 3, (n, 3)) * (1, 1, 0.3)
    below = Below.nothing(world.features, body, ABOVE, DEPTH, n)
    covered, found = 0, 0
    for _ in range(12):
        far = np.full(n, ahead)
        stale = np.flatnonzero(~below.covers(np.arange(n), feet, far))
        covered += n - len(stale)
        before, faces = below, [below.pairs(np.array([lane]))[1].copy() for lane in range(n)]
        below = below.gather(world.grid, stale, feet[stale], far[stale] + room, far[stale] * room)
        for lane in range(n):
            np.testing.assert_array_equal(before.pairs(np.array([lane]))[1], faces[lane])
        assert below.covers(np.arange(n), feet, far).all()
        angle = random.uniform(0, 2 * math.pi, n)
        x, y = np.cos(angle) * ahead, np.sin(angle) * ahead
        of, face = below.pairs(np.arange(n))
        plumb = Plumb.at(world.features, body, feet[of], face)
        met = plumb.meets(x[of], y[of], ABOVE, DEPTH)
        assert plumb.may_meet(far[of])[met].all()
        places = feet + np.stack([x, y, np.zeros(n)], axis=1) @ body.turn
        for lane in range(n):
            expected = faces_under(world.features, body, places[lane])
            assert set(face[met & (of == lane)]) == expected
            found += len(expected)
        feet = feet + random.normal(scale=0.25, size=(n, 3)) * (1, 1, 0.3)
    assert covered > 5
    assert found > 5


def test_what_is_known_is_of_one_level_and_one_depth():
    world, other = level_of("bumps"), level_of("bumps")
    body = Body.with_skin(Settings())
    below = Below.nothing(world.features, body, ABOVE, DEPTH, 1)

    assert below.is_of(world.features, body, ABOVE, DEPTH)
    assert not below.is_of(other.features, body, ABOVE, DEPTH)
    assert not below.is_of(world.features, body, ABOVE, DEPTH + 1)
    assert not below.is_of(world.features, Body.with_skin(Settings(up=(0, 0.6, 0.8))), ABOVE, DEPTH)


def test_a_guarded_walk_is_the_same_when_nothing_is_kept():
    """To the bit: what is kept only saves time."""
    dt, lanes, world = 1 / 60, 8, World.build([box((-3, -3, -5), (3, 3, 0), "tower"), floor(z=-5)])
    settings = Settings(ledge_guard=LedgeGuard.SLIDE)
    start = np.random.default_rng(2).uniform(-2, 2, (lanes, 3)) * (1, 1, 0) + (0, 0, 0.02)
    decide, sides = wander(4, lanes, dt), set()
    keeps = forgets = spawn(world, settings, start)
    for index in range(240):
        command = Command(decide(index, keeps).move)
        keeps = step(world, settings, keeps, command, dt)
        forgets = step(world, settings, replace(forgets, below=None), command, dt)
        sides |= set(keeps.memory.rim_side)
        np.testing.assert_array_equal(forgets.position, keeps.position)
    assert sides == {-1, 0, 1}
    assert keeps.below is not None
    assert (np.abs(keeps.position[:, :2]) < 3).all()
