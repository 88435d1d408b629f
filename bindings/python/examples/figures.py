"""Prints the figures of the book's page on Python: overhead, import, and the peers on the same walk.

Run it with the captures: ``python bindings/python/examples/figures.py [02_01.bvh]``.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import surefoot

#: Published repairs of footskate on this walk with its root path × 1.10, each judged on one set of plants:
#: slide after in cm/s, largest drift after in cm, knee acceleration ÷ captured (99 % / largest), ms a frame.
PEERS = {
    "deep-motion-editing remove_fs (Python)": (4.1, 3.0, "1.06 / 1.04", 6.5),
    "GANimator fix_contact (Python)": (8.1, 4.3, "–", 474.0),
    "UnderPressure (Python)": (16.3, 4.5, "–", 256.0),
    "kimodo MotionCorrection (C++)": (9.8, 5.2, "knee up to 6.7°", 0.028),
    "orangeduck toe lock (C++)": (4.3, 1.6, "knee up to 24°", 0.00116),
}


def least(work, runs: int = 60) -> float:
    """The least time of a call, in seconds: other programs only add to it."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def first_frames(clip, frames: int):
    arrays = clip.rotations[:frames], clip.root[:frames], clip.offsets, clip.parents
    return arrays, dict(fps=clip.fps, names=clip.names, floor=0.0)


def overhead(path: Path) -> None:
    """What a call costs beyond the solver, measured by itself: a difference of two long times is mostly noise."""
    arrays, facts = first_frames(surefoot.load(path), 300)
    clip = surefoot.from_arrays(*arrays, **facts)
    clip.set_contacts(clip.detect())
    solver = least(lambda: clip.clean(stretch=0))
    cleaned = surefoot.clean_many([clip] * 60, stretch=0)

    def arrays_out():
        # As in a loop over a corpus, each result is freed before the next.
        result = cleaned.pop()
        return result.rotations, result.root, result.contacts

    out = least(arrays_out)
    one = surefoot.from_arrays(arrays[0][:1], arrays[1][:1], *arrays[2:], **facts)
    one.set_contacts(np.zeros((1, 4)))
    call = least(lambda: one.clean(stretch=0)) - least(lambda: surefoot._surefoot.clean_many([one], 1, stretch=0))
    infer = least(lambda: surefoot.from_arrays(*arrays, **facts))
    known = least(lambda: surefoot.from_arrays(*arrays, fps=facts["fps"], like=clip))
    print(f"300 frames: the solver takes {1e6 * solver:.0f} µs; beyond it, the call {1e6 * abs(call):.1f} µs and")
    print(f"  arrays out {1e6 * out:.0f} µs; arrays in {1e6 * known:.0f} µs, with legs and floor inferred {1e6 * infer:.0f} µs")


def import_time() -> None:
    code = "import time, numpy; start = time.perf_counter(); import surefoot; print(time.perf_counter() - start)"
    seconds = min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(5))
    print(f"import surefoot, beyond numpy: {1e3 * seconds:.1f} ms")


def peers(path: Path) -> None:
    captured = surefoot.load(path)
    root = captured.root.copy()
    root[:, [0, 2]] = root[0, [0, 2]] + 1.10 * (root[:, [0, 2]] - root[0, [0, 2]])
    facts = dict(fps=captured.fps, names=captured.names, skip_t_pose=True)
    walk = surefoot.from_arrays(captured.rotations, root, captured.offsets, captured.parents, **facts)
    walk.detect()
    print(f"\n{path.name}, root path × 1.10: slide after cm/s, drift after cm, knee acceleration, ms a frame")
    for name, (slide, drift, knee, cost) in PEERS.items():
        print(f"  {name:42} {slide:8.2f} {drift:8.2f}   {knee:18} {cost:10.5f}")
    for name, settings in {"surefoot (Python)": {}, "surefoot, live=True (Python)": {"live": True}}.items():
        cost = 1e3 * least(lambda: walk.clean(stretch=0, **settings), 20) / walk.frames
        figures = walk.clean(stretch=0, **settings).figures
        ratios = [figures[f"knee_acceleration_{part}_rad_per_s2"]["ratio"] for part in ("p99", "max")]
        slide, drift = 100 * figures["slide_mean_m_per_s"]["after"], 100 * figures["drift_max_m"]["after"]
        knee = " / ".join(f"{ratio:.2f}" for ratio in ratios)
        print(f"  {name:42} {slide:8.2f} {drift:8.2f}   {knee:18} {cost:10.5f}")


if __name__ == "__main__":
    data = Path(__file__).resolve().parents[3] / "../shared/data/bvh/cmu/02_01.bvh"
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else data
    np.seterr(all="raise")
    import_time()
    overhead(file)
    peers(file)
