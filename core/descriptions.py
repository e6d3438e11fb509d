"""Descriptions: what each setting is, and what goes wrong when it is too small and too large.

User interfaces and manuals show these words.
"""

DESCRIPTIONS = {
    "radius": (
        "Radius of the capsule. Too small and the character slips through gaps that the game would close; "
        "too large and it sticks in doors"
    ),
    "height": (
        "Total height of the capsule, from the soles to the top of the head. Too small and low ceilings are "
        "never noticed; too large and doors are blocked"
    ),
    "skin_width": (
        "Gap kept between the capsule and the level. Too small and rounding makes the character catch on "
        "joints; too large and it visibly floats and no longer fits narrow passages"
    ),
    "slope_limit": (
        "Steepest ground that carries the character. Too small and ramps become walls; too large and the "
        "character climbs what the game would make it slide down"
    ),
    "step_offset": (
        "Highest step climbed without jumping; zero turns it off. Too small and stairs block; too large and "
        "the character walks over railings and crates"
    ),
    "ground_snap": (
        "Deepest drop that is followed while walking; zero turns it off. Too small and the character hops "
        "down  ramps and stairs; too large and it is pulled down from ledges"
    ),
    "gravity": "Acceleration of falling. Too small and jumps float; too large and they feel heavy and end short",
    "speed": "Walking speed. Too small and a level feels larger than it is; too large and it feels smaller",
    "run_speed": (
        "Speed while running. Too small and running changes nothing; too large and long jumps reach places "
        "that the game would not allow"
    ),
    "acceleration": (
        "Change of speed in a second on the ground; infinite means at once. Too small and the character "
        "slides as on ice; too large and it starts and stops like a machine"
    ),
    "air_acceleration": (
        "Change of speed in a second in the air; infinite means at once. Too small and a jump cannot be "
        "steered; too large and it can be turned round in mid-air"
    ),
    "jump_height": (
        "Height reached by a jump on flat ground; zero turns jumping off. Too small and ledges stay out of "
        "reach; too large and the character skips parts of the level"
    ),
    "slope_speed": (
        "What speed means on a slope: constant along the surface, constant seen from above, or the wish "
        "projected on the slope, which is slower uphill"
    ),
    "normal_smoothing": (
        "Time over which the normal of the ground is smoothed, for the speed on slopes and for what is told of the "
        "ground; zero turns it off. What can be walked on stays the same. Too small and ragged ground makes the "
        "speed tremble; too large and the character answers late to a slope"
    ),
    "max_slides": (
        "Surfaces that one step may slide along. Too small and the character sticks where several walls "
        "meet; more than needed costs time only where it is stuck"
    ),
    "up": "Direction away from the ground. A wrong one makes floors into walls",
    "deceleration": (
        "Loss of speed in a second when the wish is let go; infinite means at once. Too small and the "
        "character slides past its mark; too large and it stops like a machine"
    ),
    "ledge_distance": (
        "How far the middle of the character may stand past an edge before it falls; infinite for as far as "
        "the capsule touches. Too small and it slips off narrow beams; too large and it stands on thin air"
    ),
    "ground_memory": (
        "Time for which the character still counts as grounded after its last contact. Too small and the "
        "state flickers on rough ground; too large and it counts as grounded while it falls"
    ),
    "holds_on_slopes": (
        "Stand still on any walkable slope. Off, gravity pulls the character down every slope, and speed counts as "
        "seen from above"
    ),
    "launch_speed": (
        "Speed away from the ground above which it is not snapped to, so that a crest launches the character; "
        "infinite never launches. Too small and it hops over every bump; too large and it sticks to crests at "
        "any speed"
    ),
    "ledge_guard": "What happens at a drop: walk off it, stop before it, or slide along its rim",
    "guard_ahead": (
        "Distance ahead in which a drop is noticed. Too small and a fast character is over the edge; too "
        "large and it stops far from it"
    ),
    "guard_depth": (
        "Drop that counts as one for the guard. Too small and curbs and stairs stop the character; too large "
        "and it walks off ledges"
    ),
    "gravity_scale": "Factor on gravity. Too small and jumps float; too large and they end short of their gap",
    "terminal_speed": (
        "Highest speed of falling; infinite for none. Too small and falls look like gliding; too large and "
        "long falls get very fast"
    ),
    "jump_release": (
        "Share of the rising speed that is kept when the jump button is let go early; one turns it off. Too "
        "small and a tap hardly leaves the ground; too large and the button's length makes no difference"
    ),
    "coyote_time": (
        "Time after leaving an edge in which a jump is still possible; zero turns it off. Too small and late "
        "jumps are lost; too large and the character jumps off thin air"
    ),
    "jump_buffer": (
        "Time before landing in which a press of jump is kept; zero turns it off. Too small and early presses "
        "are lost; too large and the character jumps when nobody wants it any more"
    ),
    "air_jumps": "Jumps possible in the air. Too few and gaps stay closed; too many and walls are no limit",
    "wall_jump_speed": (
        "Speed away from a wall of a jump off it; zero turns wall jumps off. Too small and the character "
        "slides back into the wall; too large and it cannot come back"
    ),
    "jump_direction": "Jump straight up, or along the normal of the ground",
    "crouch_height": (
        "Height while crouching; zero turns crouching off. Too small and it fits where the game would not; "
        "too large and low passages stay closed"
    ),
    "crouch_speed": "Speed while crouching. Too small and tunnels take for ever; too large and crouching costs nothing",
    "slide_speed": (
        "Speed that a crouch slide starts with, out of a run; zero turns it off. Too small and sliding is "
        "slower than running; too large and it crosses gaps"
    ),
    "slide_deceleration": (
        "Loss of speed of a crouch slide in a second. Too small and it never ends; too large and it ends at once"
    ),
    "dash_speed": (
        "Speed of a dash; zero turns it off. Too small and it is no faster than a run; too large and it "
        "crosses gaps that should be closed"
    ),
    "dash_time": (
        "How long a dash lasts. Too short and it is not noticed; too long and it crosses gaps that should be closed"
    ),
    "dash_wait": (
        "Time between the end of a dash and the next. Too short and the character dashes everywhere; too long "
        "and it is never ready"
    ),
    "climb_speed": (
        "Speed on ladders and climbable walls, and of pulling up on a ledge; zero turns climbing off. Too "
        "small and ladders take for ever; too large and they are lifts"
    ),
    "mantle_height": (
        "Highest ledge that the character pulls itself up on; zero turns it off. Too small and ledges stay "
        "out of reach; too large and walls are no limit"
    ),
    "push_fade": (
        "Share of an outside push that is left after a sixtieth of a second. Too small and explosions are not "
        "felt; too large and the character slides for ever"
    ),
    "facing": "The character turns to where it moves, or to where it wishes to move",
    "turn_rate": (
        "Turning in a second; infinite means at once. Too small and the character moves sideways; too large "
        "and it turns like a weathercock"
    ),
    "turn_share": (
        "Share of the angle to its aim that the character turns by in a sixtieth of a second, fast at first and then "
        "slower; zero turns it off, so that the turning rate alone counts. Too small and it looks elsewhere for long; "
        "too large and it snaps round"
    ),
    "plane_lock": (
        "Direction that the character cannot move in, for side-scrolling; zeros for none. A wrong one stops the walk"
    ),
    "movement": (
        "How the character is moved: along the ground with steps and snap, or as a body that keeps its momentum and is "
        "left to gravity"
    ),
}
