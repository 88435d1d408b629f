"""Whole corpora on one machine. ``surefoot.ray`` is for clusters."""

from __future__ import annotations

import os
from typing import Sequence

from . import _surefoot

Path = str | os.PathLike[str]


def batch(
    inputs: Path | Sequence[Path],
    out: Path,
    *,
    jobs: int | None = None,
    shard: str | None = None,
    resume: bool = False,
    force: bool = False,
    table: Path | None = None,
    reports: int = 20,
    **settings,
) -> dict[str, int]:
    """Clean a corpus as ``surefoot batch`` does: folders, files and patterns into a folder with table and index page.

    Settings are those of ``Clip.clean`` and the facts of ``load``. Returns the totals. A file that cannot be cleaned is
    a row with its reason; nothing is raised for it.

    >>> import os, shutil
    >>> os.makedirs("mocap", exist_ok=True)
    >>> _ = shutil.copy("walk.bvh", "mocap/walk.bvh")
    >>> totals = surefoot.batch("mocap", "mocap-clean", resume=True)
    >>> totals["clips"], totals["failed"], totals["frames"]
    (1, 0, 361)
    """
    if isinstance(inputs, (str, os.PathLike)):
        inputs = [inputs]
    existing = "resume" if resume else "overwrite" if force else "keep"
    jobs = jobs or os.cpu_count() or 1
    return _surefoot.batch(list(inputs), out, jobs, shard, existing, table, reports, **settings)
