"""Whole corpora on a cluster, with Ray Data.

>>> import surefoot.ray                                                     # doctest: +SKIP
>>> surefoot.ray.clean_dataset("s3://mocap/cmu", "s3://mocap/cmu-clean")    # doctest: +SKIP

or from a shell: ``python -m surefoot.ray DIR --out OUT``. Paths are local, or anything that fsspec opens. Each task
cleans a group of files, writes them, and then writes their rows; a group has its rows only when all its files are
complete. Ray retries the tasks of nodes that are lost. A run that was stopped continues with the clips that have no
row.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import posixpath
from typing import Any, Iterable, Sequence
from urllib.parse import urlsplit

try:
    import fsspec
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("surefoot.ray needs Ray and fsspec: pip install 'surefoot[ray]'") from error

from . import _surefoot
from ._errors import FormatError

#: Clips of one task. A task costs Ray about 2 ms, and a clip of 500 frames 10 ms.
GROUP = 32


def clean_dataset(
    inputs: str | Sequence[str],
    out: str,
    *,
    group: int = GROUP,
    **settings: Any,
) -> dict[str, int]:
    """Clean a corpus on the Ray cluster that this process is connected to, or on this machine.

    ``inputs`` are folders or files. ``out`` gets the clean files under the names they have in the corpus,
    ``figures.jsonl`` and ``figures.parquet``: the table of ``surefoot batch``. ``group`` is the number of clips of one
    task. Settings are those of ``Clip.clean`` and the facts of ``load``. Returns the totals.
    """
    import ray

    corpus = _find([inputs] if isinstance(inputs, str) else list(inputs), out)
    if not corpus:
        endings = ", ".join(f".{ending}" for ending in _surefoot.motion_endings())
        raise ValueError(f"found no motion file, expected files that end in {endings}")
    rows_folder = _join(out, ".surefoot", f"ray-{_fingerprint(settings)}")
    finished = {name for name, row in _read_rows(rows_folder).items() if json.loads(row)["status"] == "cleaned"}
    left = [{"clip": name, "path": path} for name, path in corpus.items() if name not in finished]
    if left:
        groups = -(-len(left) // group)
        tasks = ray.data.from_items(left, override_num_blocks=groups).map_batches(
            _CleanGroup(out, rows_folder, settings), batch_size=None, num_cpus=1
        )
        for _ in tasks.iter_batches(batch_size=None):
            pass
    return {**_write_table(corpus, rows_folder, out), "resumed": len(finished & set(corpus))}


class _CleanGroup:
    """The task: cleans a group of clips."""

    def __init__(self, out: str, rows_folder: str, settings: dict[str, Any]) -> None:
        self.out, self.rows_folder, self.settings = out, rows_folder, settings

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        names = [str(name) for name in batch["clip"]]
        rows = [self._clean(name, str(path)) for name, path in zip(names, batch["path"])]
        # The name depends on the clips alone, so that a task that runs again replaces its rows.
        key = hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]
        _write(_join(self.rows_folder, f"{key}.jsonl"), "".join(row + "\n" for row in rows).encode())
        return {"clip": names}

    def _clean(self, name: str, path: str) -> str:
        """Cleans and writes one clip. Returns its row, also for a file that cannot be cleaned."""
        try:
            with fsspec.open(path, "rb") as file:
                data = file.read()
            local = path if _is_local(path) else None
            clean, row = _surefoot.clean_bytes(name, data, local, **self.settings)
        except FormatError as error:
            # The command's table has the message without the name, which is the clip's.
            return _surefoot.failed_row(name, _without_place(str(error), name), error.line)
        except (OSError, ValueError) as error:
            return _surefoot.failed_row(name, str(error), None)
        _write(_join(self.out, name), clean)
        return row


def _without_place(message: str, name: str) -> str:
    """``walk.bvh: line 3, column 1: what is wrong`` without the place, which has a column of its own."""
    message = message.removeprefix(f"{name}: ")
    return message.split(": ", 1)[1] if message.startswith("line ") and ": " in message else message


def _write(path: str, data: bytes) -> None:
    """Writes a file whole or not at all. Object stores do so by themselves."""
    files, target = fsspec.core.url_to_fs(path)
    if not _is_local(path):
        files.pipe_file(target, data)
        return
    files.makedirs(posixpath.dirname(target), exist_ok=True)
    # Two tasks may write the same clip, one of them on a node that was given up.
    part = f"{target}.{hashlib.sha256(data).hexdigest()[:8]}.part"
    files.pipe_file(part, data)
    os.replace(part, target)


def _is_local(path: str) -> bool:
    return urlsplit(path).scheme in ("", "file", "local")


def _join(folder: str, *names: str) -> str:
    return "/".join([folder.rstrip("/"), *names])


def _fingerprint(settings: dict[str, Any]) -> str:
    """Differs where clips would be cleaned differently: a run continues only with the same settings and version."""
    text = json.dumps([_surefoot.__version__, settings], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _find(inputs: Iterable[str], out: str) -> dict[str, str]:
    """The clips by name, which is their path below the folder that all inputs share; sorted."""
    starts, found = [], []
    for given in inputs:
        files, path = fsspec.core.url_to_fs(given)
        _, out_path = fsspec.core.url_to_fs(out)
        if files.isdir(path):
            starts.append(path)
            if path.rstrip("/") == out_path.rstrip("/"):
                raise ValueError(f"out: found {out!r}, the folder of the corpus, expected another folder")
            below = [name for name in files.find(path) if _is_motion(name[len(path) :])]
            found += [(files, name) for name in below if not name.startswith(out_path.rstrip("/") + "/")]
        elif files.exists(path):
            starts.append(posixpath.dirname(path))
            found.append((files, path))
        else:
            raise FileNotFoundError(f"{given}: No such file or folder")
    shared = posixpath.commonpath(starts) if starts else ""
    clips = {posixpath.relpath(name, shared): files.unstrip_protocol(name) for files, name in found}
    return {name: _plain(clips[name]) for name in sorted(clips)}


def _plain(path: str) -> str:
    """A local path without its scheme."""
    return path.removeprefix("file://").removeprefix("local://") if _is_local(path) else path


def _is_motion(name: str) -> bool:
    ending = name.rsplit(".", 1)[-1].lower()
    return ending in _surefoot.motion_endings() and not any(part.startswith(".") for part in name.split("/"))


def _read_rows(folder: str) -> dict[str, str]:
    """The rows that tasks have written, by clip, as lines of JSON."""
    files, path = fsspec.core.url_to_fs(folder)
    rows = {}
    for name in sorted(files.find(path)) if files.exists(path) else []:
        if name.endswith(".jsonl"):
            for line in files.cat_file(name).decode().splitlines():
                rows[json.loads(line)["clip"]] = line
    return rows


def _write_table(corpus: dict[str, str], rows_folder: str, out: str) -> dict[str, int]:
    """Writes both tables in the order of the clips, and returns the totals."""
    import pyarrow
    import pyarrow.parquet

    rows = _read_rows(rows_folder)
    missing = [name for name in corpus if name not in rows]
    if missing:
        raise RuntimeError(f"found no row of {missing[0]} and {len(missing) - 1} others, expected one for each clip")
    kinds = {"int64": pyarrow.int64(), "double": pyarrow.float64(), "string": pyarrow.string()}
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in _surefoot.table_schema()])
    lines, sink = [rows[name] for name in corpus], pyarrow.BufferOutputStream()
    totals = dict(clips=len(lines), cleaned=0, failed=0, with_events=0, frames=0)
    with pyarrow.parquet.ParquetWriter(sink, schema) as writer:
        for start in range(0, len(lines), _TABLE_ROWS):
            values = [json.loads(line) for line in lines[start : start + _TABLE_ROWS]]
            writer.write_table(pyarrow.Table.from_pylist(values, schema=schema))
            for value in values:
                totals[value["status"]] += 1
                totals["with_events"] += bool(value["events"])
                totals["frames"] += value["frames"] or 0
    _write(_join(out, "figures.jsonl"), "".join(line + "\n" for line in lines).encode())
    _write(_join(out, "figures.parquet"), sink.getvalue().to_pybytes())
    return totals


#: Rows that are converted at a time.
_TABLE_ROWS = 8192


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Returns the exit code: 0 done, 2 a file could not be cleaned."""
    import ray

    parser = argparse.ArgumentParser(prog="python -m surefoot.ray", description="Clean a corpus on a Ray cluster.")
    parser.add_argument("inputs", nargs="+", metavar="DIR", help="folders or files, local or anything fsspec opens")
    parser.add_argument("--out", required=True, help="the folder to write")
    parser.add_argument("--address", help="the address of the cluster [default: RAY_ADDRESS, or this machine]")
    parser.add_argument("--group", type=int, default=GROUP, help=f"clips of one task [default: {GROUP}]")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of Clip.clean, as stretch=0.03"
    )
    options = parser.parse_args(arguments)
    settings = {}
    for setting in options.set:
        name, equals, value = setting.partition("=")
        if not equals:
            parser.error(f"--set: found {setting!r}, expected NAME=VALUE")
        settings[name] = {"true": True, "false": False}.get(value, value)
    ray.init(address=options.address, ignore_reinit_error=True)
    totals = clean_dataset(options.inputs, options.out, group=options.group, **settings)
    print(json.dumps(totals))
    return 2 if totals["failed"] else 0


if __name__ == "__main__":
    # Tasks are pickled by the name of their module, which must not be `__main__`.
    from surefoot import ray as _module

    raise SystemExit(_module.main())
