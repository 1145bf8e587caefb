"""Import stage: how far an import is, told to whoever listens."""

from app.core.progress import Progress, Silent

__all__ = ["Progress", "Silent"]
