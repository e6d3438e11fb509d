"""`python3 dev.py demo [LEVEL]`: a walk of 20 s through a level, baked, drawn and summed up, without a window.

It goes the extension's own way: its operators add, build and bake; the step is that of Play.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import bpy
import numpy as np
from numpy.typing import NDArray

import levelwalk
from levelwalk.core import Command, Commands, EventKind, Settings, State, Support, Trace, World, simulate, spawn
from levelwalk.core.colliders.build_report import counted
from levelwalk.core.samples.sample_level import SAMPLE_GOAL, SAMPLE_START, sample_walk
from levelwalk.operators.built_level import build_level
from levelwalk.operators.from_blender import metres_per_unit, read_settings
from levelwalk.operators.level_from_blender import LeftOut, read_level
from levelwalk.operators.session import FRONT, turned_on
from levelwalk.operators.take import Take
from levelwalk.operators.to_blender import fit_settings, keep_take

from . import picture
from .level_files import LevelFileError, check_level_file, open_level
from .route import find_walk

ROOT = Path(__file__).resolve().parents[1]
SECONDS, DT = 20.0, 1 / 60
NAMED = 3  # objects left out that the summary names

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """One walk through a level: what the summary and the picture are made of."""

    world: World
    settings: Settings
    commands: Commands
    trace: Trace
    heading: NDArray[np.float64]  # (s + 1,) rad, as Blender counts it
    step_seconds: float  # of computing, for one step
    left_out: tuple[LeftOut, ...] = ()

    @property
    def fell_at(self) -> int | None:
        """The step in which it was below the level for the first time, or None."""
        steps = self.trace.events.of(EventKind.LEFT_LEVEL).step
        return int(steps.min()) + 1 if len(steps) else None

    @property
    def last(self) -> int:
        """The last step that counts: that in which it was last carried by the level if it fell off, or else the end."""
        if self.fell_at is None:
            return len(self.commands)
        carried = np.flatnonzero(self.trace.support[: self.fell_at, 0] != Support.AIRBORNE)
        return int(carried[-1]) if len(carried) else 0


def main(arguments: list[str]) -> int:
    """Walk the level and print the summary; return 2, with one line, for a level that cannot be walked."""
    parser = argparse.ArgumentParser(prog="dev.py demo", description=__doc__)
    parser.add_argument("level", nargs="?", type=Path, metavar="LEVEL", help=".blend, .obj or .glb; default the sample")
    parser.add_argument("--scale", type=float, default=1.0, help="metres per unit of an .obj or .glb; default 1")
    options = parser.parse_args(arguments)
    out = ROOT / "out"
    out.mkdir(exist_ok=True)
    levelwalk.register()
    try:
        with blender_speaks_into(out / "demo.log") as say:
            walk = walk_sample(say) if options.level is None else walk_level(options.level, options.scale, say)
            say("baking")
            keyframes = bake(walk)
            say("drawing")
            draw(walk, out / "demo.png")
            (out / "demo.blend").unlink(missing_ok=True)  # or else Blender keeps the last one as a backup
            bpy.ops.wm.save_as_mainfile(filepath=str(out / "demo.blend"), check_existing=False)
    except LevelFileError as error:
        print(error, file=sys.stderr)
        return 2
    finally:
        levelwalk.unregister()
    print_summary(walk, keyframes, is_sample=options.level is None)
    print(f"wrote {out / 'demo.blend'} and {out / 'demo.png'}")
    return 0


@contextmanager
def blender_speaks_into(log: Path) -> Iterator[Say]:
    """Send what Blender and the graphics driver print to a file: warnings of theirs would drown the summary.

    What is yielded prints a line for the user all the same, at once.
    """
    sys.stdout.flush()
    kept = os.dup(1), os.dup(2)
    with log.open("w", encoding="utf-8") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
        try:
            yield lambda line: _write(kept[0], f"{line} ...\n")
        finally:
            sys.stdout.flush()
            for stream, former in zip((1, 2), kept, strict=True):
                os.dup2(former, stream)
                os.close(former)


def _write(stream: int, text: str) -> None:
    os.write(stream, text.encode())


def walk_sample(say: Say) -> Walk:
    """Add the sample level to an empty scene and walk its scripted path."""
    say("adding the sample level")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.levelwalk.add_sample_level()
    world, settings, left_out = build(say)
    say("walking")
    return replace(take_walk(world, settings, SAMPLE_START, sample_walk(DT)), left_out=left_out)


def walk_level(path: Path, scale: float, say: Say) -> Walk:
    """Open a level and take the seeded walk through it that sees the most."""
    check_level_file(path)
    say(f"reading {path.name}")
    open_level(path, scale)
    world, settings, left_out = build(say)
    say("looking for a walk")
    found = find_walk(world, settings, round(SECONDS / DT), DT)
    if found is None:
        raise LevelFileError(f"{path}: no ground to stand on was found")
    say("walking")
    return replace(take_walk(world, settings, *found), left_out=left_out)


def build(say: Say) -> tuple[World, Settings, tuple[LeftOut, ...]]:
    """Return the scene's level and settings as Play would, and what is not part of the level."""
    say("building colliders")
    scene = bpy.context.scene
    fit_settings(scene)
    try:
        world, settings = build_level(bpy.context).world, read_settings(scene)
    except ValueError as error:
        raise LevelFileError(f"the level cannot be walked: {error}") from error
    at_reading = read_level(scene, bpy.context.evaluated_depsgraph_get()).left_out
    at_building = (LeftOut(entry.name, entry.reason) for entry in world.report if entry.is_left_out)
    return world, settings, (*at_reading, *at_building)


def take_walk(world: World, settings: Settings, start: NDArray[np.float64], commands: Commands) -> Walk:
    """Simulate one walker that faces -Y at first, and time it."""
    heading = [0.0]

    def play(index: int, state: State) -> Command:
        if index:
            heading.append(turned_on(heading[-1], float(state.heading[0])))
        return commands.at(index, 1)

    began = time.perf_counter()
    trace = simulate(world, settings, spawn(world, settings, start, FRONT), play, dt=DT, steps=len(commands))
    seconds = (time.perf_counter() - began) / len(commands)
    heading.append(turned_on(heading[-1], float(trace.final.heading[0])))
    return Walk(world, settings, commands, trace, np.array(heading), seconds)


def bake(walk: Walk) -> int:
    """Keep the walk as a take, bake it with the extension's operator, and return the number of keyframes."""
    scene = bpy.context.scene
    if scene.levelwalk.character is None:
        bpy.ops.levelwalk.add_character()
    position, support = walk.trace.position[:, 0], walk.trace.support[:, 0].astype(np.int8)
    keep_take(scene, Take(DT, walk.settings, walk.commands, position, walk.heading, support))
    bpy.ops.levelwalk.bake_keyframes(is_range_set=True)
    return scene.frame_end - scene.frame_start + 1


def draw(walk: Walk, file: Path) -> None:
    """Draw the path over the level, as far as the level carries it."""
    path = walk.trace.position[: (walk.fell_at or len(walk.commands)) + 1, 0]
    around = np.array([path.min(axis=0) - picture.MARGIN, path.max(axis=0) + picture.MARGIN])
    frame = np.clip(around, *walk.world.bounds)
    support, scale = walk.trace.support[: len(path), 0], metres_per_unit(bpy.context.scene)
    picture.draw(path, support, walk.settings, frame, scale, file, {entry.name for entry in walk.left_out})


def print_summary(walk: Walk, keyframes: int, is_sample: bool) -> None:
    """Print the numbers of the level and the walk."""
    path = walk.trace.position[: walk.last + 1, 0]
    grounded = np.mean(walk.trace.support[1:, 0] == Support.GROUNDED)
    # The start is where somebody put it; what the steps make of it counts.
    clearances = walk.world.clearance(walk.settings, path[1:], within=walk.settings.radius)
    rows = [
        ("triangles", f"{walk.world.report.triangles:,}"),
        ("colliders", f"{walk.world.report.hulls + walk.world.report.faces:,}"),
        *rows_of_left_out(walk.left_out),
        ("steps", f"{len(walk.commands):,} of 1/{1 / DT:.0f} s"),
        ("walked", f"{np.linalg.norm(np.diff(path, axis=0), axis=1).sum():.1f} m"),
        ("grounded", f"{grounded:.1%} of the steps"),
        ("smallest clearance", f"{np.min(clearances) * 1000:.1f} mm" if len(clearances) else "none: it never stood"),
        ("time for a step", f"{walk.step_seconds * 1e6:.0f} us"),
        ("keyframes", f"{keyframes}"),
    ]
    if walk.fell_at is not None:
        words = f"it fell off the level: the last {(len(walk.commands) - walk.last) * DT:.1f} s do not count as walked"
        rows.append(("attention", words))
    for label, text in rows:
        print(f"{label:20}{text}")
    if is_sample:
        missed = np.linalg.norm(path[-1] - SAMPLE_GOAL)
        print(f"{'goal':20}{'reached' if missed < 1 else f'missed by {missed:.1f} m'}")


def rows_of_left_out(left_out: tuple[LeftOut, ...]) -> list[tuple[str, str]]:
    """Return the summary's rows about objects that are not part of the level: how many, and why the first ones."""
    if not left_out:
        return []
    rows = [("left out", counted(len(left_out), "object"))]
    rows += [("", f"{entry.name}: {entry.reason}") for entry in left_out[:NAMED]]
    return rows + ([("", f"and {len(left_out) - NAMED:,} more")] if len(left_out) > NAMED else [])


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # Blender 4 may crash while Python takes it apart
