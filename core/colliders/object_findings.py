"""Object findings: what there is to say of each mesh, from what its parts have become."""

from collections.abc import Sequence

import numpy as np

from ..mesh import TriMesh
from .clean import CleanMeshes
from .findings import Finding, FindingKind, tell_covering, tell_dropped, tell_edges, tell_trouble
from .part_solids import Parts, Solids
from .solid_pieces import PieceTrouble


def find_findings(
    meshes: Sequence[TriMesh], clean: CleanMeshes, parts: Parts, made: Solids
) -> dict[int, list[Finding]]:
    """Return for meshes what their authors may want to know: what was dropped, and what was not done as asked."""
    found: dict[int, list[Finding]] = {}
    for kind, count, place in (
        (FindingKind.ZERO_AREA, clean.zero_area, clean.zero_area_at),
        (FindingKind.DUPLICATE, clean.duplicates, clean.duplicate_at),
    ):
        for mesh in np.flatnonzero(count).tolist():
            _add(found, mesh, tell_dropped(meshes[mesh], kind, int(count[mesh]), place[mesh]))
    _add_troubles(found, meshes, clean, parts, made)
    for kind, faults in ((FindingKind.CROWDED, made.crowded), (FindingKind.MIXED, made.mixed)):
        total = np.bincount(parts.mesh, faults.count, len(meshes)).astype(np.intp)
        for mesh in np.flatnonzero(total).tolist():
            first = int(np.flatnonzero((parts.mesh == mesh) & (faults.count > 0))[0])
            _add(found, mesh, tell_edges(meshes[mesh], kind, int(total[mesh]), faults.place[first]))
    cover = made.coverings
    for mesh in np.flatnonzero(cover.openings).tolist():
        told = tell_covering(meshes[mesh], float(cover.error[mesh]), int(cover.openings[mesh]), cover.place[mesh])
        _add(found, mesh, told)
    return found


def _add(found: dict[int, list[Finding]], mesh: int, finding: Finding) -> None:
    found.setdefault(mesh, []).append(finding)


def _add_troubles(
    found: dict[int, list[Finding]], meshes: Sequence[TriMesh], clean: CleanMeshes, parts: Parts, made: Solids
) -> None:
    """Add what parts did not become; an open one is shown where it is open, all others at their first vertex."""
    first = np.zeros(len(parts.mesh), np.intp)
    first[parts.of_vertex[::-1]] = np.arange(len(parts.of_vertex))[::-1]
    is_open = made.opened.count > 0
    for kind, chosen in (
        (FindingKind.NO_HULL, made.refusals),
        (FindingKind.NO_PIECES, {part: trouble.value for part, trouble in made.troubles.items()}),
        (FindingKind.NO_INSIDE, dict.fromkeys(np.flatnonzero(made.has_no_inside).tolist(), "")),
    ):
        of_mesh: dict[int, list[int]] = {}
        for part in sorted(chosen):
            of_mesh.setdefault(int(parts.mesh[part]), []).append(part)
        for mesh, some in of_mesh.items():
            is_shown_open = is_open[some[0]] and chosen[some[0]] in ("", PieceTrouble.OPEN.value)
            place = made.opened.place[some[0]] if is_shown_open else clean.vertices[first[some[0]]]
            _add(found, mesh, tell_trouble(meshes[mesh], kind, [chosen[part] for part in some], place))
