"""Places and rectangles of PEs."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class IntVector:
    """A place, or a size."""
    x: int
    y: int


@dataclasses.dataclass(frozen=True)
class IntRectangle:
    """The PEs from `lower` up to `upper`, which is outside."""
    lower: IntVector
    upper: IntVector
