"""A solid of triangles, as a printer gets it: whether it is one, how thick its walls are, and what hangs in the air."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

# A slope of 45° is printed without supports; what is less steep than this is not.
STEEPEST_DOWN = -np.sin(np.radians(46))
# Two faces are those of one wall if they look away from each other, by less than some 37°.
OPPOSITE = -0.8
# In square millimetres: a face below it looks nowhere.
SMALLEST = 1e-6
DIRECTIONS = np.radians(np.arange(0, 180, 15))


@dataclass
class Solid:
    """`points` are in millimetres, `faces` are three indices of them each, counterclockwise from outside."""

    points: np.ndarray
    faces: np.ndarray

    @property
    def corners(self) -> np.ndarray:
        return self.points[self.faces]

    @property
    def normals(self) -> np.ndarray:
        corners = self.corners
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        return normals / np.maximum(lengths, SMALLEST)

    @property
    def areas(self) -> np.ndarray:
        corners = self.corners
        return np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2

    @property
    def size(self) -> np.ndarray:
        return np.ptp(self.points, axis=0)

    @property
    def volume(self) -> float:
        corners = self.corners
        return float(np.sum(corners[:, 0] * np.cross(corners[:, 1], corners[:, 2])) / 6)

    @property
    def edges(self) -> np.ndarray:
        """Each side of each face, in its direction; the three of a face are beside each other."""
        return self.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)


def read(path: Path) -> Solid:
    """An STL file of text, as OpenSCAD writes it."""
    rows = [line.split()[1:] for line in path.read_text("ascii").splitlines() if line.lstrip().startswith("vertex")]
    # Behind the fourth digit there are errors of rounding only. What they have made of a face that was none is dropped.
    points, index = np.unique(np.array(rows, float).round(4) + 0.0, axis=0, return_inverse=True)
    faces = index.reshape(-1, 3)
    whole = (faces != np.roll(faces, 1, axis=1)).all(axis=1)
    return Solid(points, faces[whole])


def open_edges(solid: Solid) -> int:
    """How many sides have not exactly one face on their other side, which runs through them the other way."""
    there, there_count = np.unique(solid.edges, axis=0, return_counts=True)
    back = np.unique(solid.edges[:, ::-1], axis=0)
    single = {tuple(edge) for edge in there[there_count == 1]}
    return len(there) - len(single & {tuple(edge) for edge in back})


def shells(solid: Solid) -> int:
    """Into how many pieces the faces fall that have no side in common."""
    piece = np.arange(len(solid.points))
    ends = solid.edges
    while True:
        least = piece.copy()
        np.minimum.at(least, ends[:, 0], piece[ends[:, 1]])
        np.minimum.at(least, ends[:, 1], piece[ends[:, 0]])
        if np.array_equal(least, piece):
            return len(np.unique(piece[solid.faces]))
        piece = least


def thinnest(solid: Solid, samples: int = 3000) -> tuple[float, np.ndarray]:
    """The least way from a face through the material to one that looks the other way, and where that is.

    It begins at the middle of each face and at points of chance. An edge, as of a chamfer, is no wall.
    """
    chance = np.random.default_rng(1)
    corners, normals = solid.corners, solid.normals
    chosen = chance.choice(len(corners), samples, p=solid.areas / solid.areas.sum())
    weights = chance.dirichlet([1, 1, 1], samples)
    all_faces = np.flatnonzero(solid.areas > SMALLEST)
    faces = np.concatenate([all_faces, chosen])
    starts = np.concatenate([corners[all_faces].mean(axis=1), np.einsum("ij,ijk->ik", weights, corners[chosen])])
    least, where = np.inf, np.zeros(3)
    for part in range(0, len(starts), 200):
        some, inward = starts[part : part + 200], -normals[faces[part : part + 200]]
        ways = _ways(some, inward, corners)
        hit = ways.argmin(axis=1)
        way = ways[np.arange(len(some)), hit]
        way[np.sum(normals[hit] * inward, axis=1) < -OPPOSITE] = np.inf
        if way.min() < least:
            least, where = float(way.min()), some[way.argmin()]
    return least, where


def _ways(starts: np.ndarray, directions: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """How far each ray goes to each triangle, infinite where it misses it (Möller and Trumbore)."""
    first, one, other = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(directions[:, None], other[None])
    determinant = np.sum(one * across, axis=2)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        offset = starts[:, None] - first[None]
        u = np.sum(offset * across, axis=2) / determinant
        turned = np.cross(offset, one[None])
        v = np.sum(directions[:, None] * turned, axis=2) / determinant
        way = np.sum(other * turned, axis=2) / determinant
        hit = (np.abs(determinant) > 1e-9) & (u >= 0) & (v >= 0) & (u + v <= 1) & (way > 1e-3)
    return np.where(hit, way, np.inf)


def hanging(solid: Solid, bridge: float) -> list[np.ndarray]:
    """Points of faces that look down, above the bed, and that no bridge of that length reaches.

    A bridge ends at both its ends where the material goes on downwards.
    """
    above_bed = solid.corners[:, :, 2].max(axis=1) > solid.points[:, 2].min() + 0.01
    down = above_bed & (solid.normals[:, 2] < STEEPEST_DOWN)
    third = {}
    for face, (a, b, c) in enumerate(solid.faces):
        for side, opposite in (((a, b), c), ((b, c), a), ((c, a), b)):
            third[side] = (face, opposite)
    sides, holds = [], []
    for face in np.flatnonzero(down):
        a, b, c = solid.faces[face]
        for side in ((a, b), (b, c), (c, a)):
            neighbour, opposite = third[side[::-1]]
            if not down[neighbour]:
                heights = solid.points[list(side), 2]
                sides.append(solid.points[list(side), :2])
                holds.append(solid.points[opposite, 2] < heights.min() - 1e-6)
    if not sides:
        return []
    sides, holds = np.array(sides), np.array(holds)
    grid = np.array([[u, v, 6 - u - v] for u in range(1, 5) for v in range(1, 6 - u)]) / 6
    found = (grid @ solid.corners[down]).reshape(-1, 3)
    return [point for point in found if _bridge(point[:2], sides, holds) > bridge]


def _bridge(point: np.ndarray, sides: np.ndarray, holds: np.ndarray) -> float:
    """The length of the shortest bridge over a point of the plane, infinite where one end would be free."""
    best = np.inf
    for angle in DIRECTIONS:
        reach = 0.0
        for sign in (1, -1):
            direction = sign * np.array([np.cos(angle), np.sin(angle)])
            offset, along = sides[:, 0] - point, sides[:, 1] - sides[:, 0]
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                determinant = direction[0] * along[:, 1] - direction[1] * along[:, 0]
                way = (offset[:, 0] * along[:, 1] - offset[:, 1] * along[:, 0]) / determinant
                share = (offset[:, 0] * direction[1] - offset[:, 1] * direction[0]) / determinant
            way = np.where((way > 1e-9) & (share >= -1e-6) & (share <= 1 + 1e-6), way, np.inf)
            nearest = way.argmin()
            reach += way[nearest] if holds[nearest] else np.inf
        best = min(best, reach)
    return best
