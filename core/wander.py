"""Wander: a seeded player that walks about, turns when it is blocked, and jumps now and then."""

import math

import numpy as np

from .character.state import State
from .commands import Command
from .trace import Player

PROGRESS = 0.3  # share of the wished speed below which a walker counts as blocked


def wander(
    seed: int,
    lanes: int,
    dt: float = 1 / 60,
    *,
    speed: float = 4.0,
    turn_every: float = 2.0,
    jump_every: float = 4.0,
) -> Player:
    """Return a player for `simulate` that leads each lane on a walk of its own.

    A walker goes straight, picks a new heading at random times, and another one when it comes forward by less than
    a third of what it wishes. The same seed gives the same walk.

    Parameters
    ----------
    seed : int
    lanes : int
    dt : float, s
        Length of a step.
    speed : float, m/s
        What full speed is, to tell who is blocked.
    turn_every, jump_every : float, s
        Mean times between turns and between jumps; infinite for never.
    """
    random = np.random.default_rng(seed)
    heading = random.uniform(-math.pi, math.pi, lanes)
    waited = np.zeros(lanes)

    def decide(index: int, state: State) -> Command:
        moved = np.sqrt((state.velocity * state.velocity).sum(axis=1))
        waited[:] = np.where(moved < PROGRESS * speed, waited + dt, 0.0)
        turns = (random.random(lanes) < dt / turn_every) | (waited > 0.25)
        aim = random.uniform(-math.pi, math.pi, lanes)
        jumps = random.random(lanes) < dt / jump_every
        heading[:] = np.where(turns, aim, heading)
        waited[turns] = 0.0
        move = np.stack([np.cos(heading), np.sin(heading)], axis=1)
        return Command(move, jumps, np.zeros(lanes, bool))

    return decide
