#!/usr/bin/env -S python3 -B
"""Measures the engine against SimPy and the cost of an evaluation that the cache answers.

Both engines run the same sleeps, in a process of their own, turn about: a pair is one run of each, and the ratio of
events per second is taken within the pair, so that a machine that is slow for a while is slow for both. The median
of five pairs is gated, because ratios hold on a shared machine where times do not. SimPy comes from PyPI into a
virtual environment below .build.

Writes Reports/bench/engine.json and Reports/bench/bench.md; exits with 1 if a ratio is below its gate.
"""

import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRATCH = ROOT / ".build" / "bench"
VENV = ROOT / ".build" / "venv-bench"
SIMPY = "simpy==4.1.1"
PAIRS = 5
# Tasks, sleeps of each, and how many times SimPy's events per second the engine must reach.
SIZES = [(10_000, 20, 3.0), (100_000, 10, 2.0)]
EVALUATIONS = 1_000_000


def run(command, what):
    result = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{result.stdout}{result.stderr}\nbench: {what} failed")
    return result.stdout


def measure(command, what):
    return json.loads(run(command, what))


def prepare():
    """Builds the benchmarks and the virtual environment."""
    swift = os.environ.get("SWIFT", "swift").split()
    print("bench: building", file=sys.stderr)
    run([*swift, "build", "-c", "release", "--package-path", ROOT / "Benchmarks", "--scratch-path", SCRATCH], "the build")
    python = VENV / "bin" / "python"
    if not python.exists():
        run([sys.executable, "-m", "venv", VENV], "the virtual environment (is python3-venv installed?)")
    run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", SIMPY], f"installing {SIMPY}")
    return python


def compare(python, tasks, sleeps, gate):
    """Runs the interleaved pairs of one size."""
    print(f"bench: {tasks:,} tasks x {sleeps} sleeps, {PAIRS} pairs", file=sys.stderr)
    pairs, digests = [], set()
    for _ in range(PAIRS):
        ours = measure([SCRATCH / "release" / "engine", tasks, sleeps], "the engine")
        theirs = measure([python, ROOT / "Benchmarks" / "simpy_engine.py", tasks, sleeps], "SimPy")
        if ours["events"] != tasks * sleeps or ours["end_ns"] != theirs["end_ns"]:
            raise SystemExit(f"bench: the two engines did different work: {ours} and {theirs}")
        digests.add(ours["digest"])
        rates = [round(side["events"] / side["seconds"]) for side in (ours, theirs)]
        pairs.append({"stampede": rates[0], "simpy": rates[1], "ratio": round(rates[0] / rates[1], 2)})
    if len(digests) != 1:
        raise SystemExit(f"bench: runs of one seed have different digests: {sorted(digests)}")
    median = {side: statistics.median(pair[side] for pair in pairs) for side in ("stampede", "simpy", "ratio")}
    return {
        "tasks": tasks, "sleeps": sleeps, "gate": gate, "passed": median["ratio"] >= gate, "digest": digests.pop(),
        "median": median, "pairs": pairs,
    }


def machine():
    cpu = platform.processor()
    info = pathlib.Path("/proc/cpuinfo")
    if info.exists():
        cpu = next((line.split(":", 1)[1].strip() for line in info.open() if line.startswith("model name")), cpu)
    swift = run([*os.environ.get("SWIFT", "swift").split(), "--version"], "swift --version").splitlines()[0]
    return {
        "cpu": cpu or "unknown", "cores": os.cpu_count(), "os": f"{platform.system()} {platform.machine()}",
        "swift": swift, "python": platform.python_version(), "date": datetime.date.today().isoformat(),
    }


def markdown(result):
    """The page that is kept in the repository, and printed."""
    where, evaluate = result["machine"], result["evaluate"]
    lines = [
        "# Benchmarks", "",
        f"Measured by `make bench` on {where['date']}: {where['cpu']}, {where['cores']} cores, {where['os']}, "
        f"{where['swift']}, Python {where['python']}.", "",
        "## Engine", "",
        f"Tasks that only sleep, through `Simulator` (digest on) and through {SIMPY.replace('==', ' ')}; one event is",
        f"one sleep. Medians of {PAIRS} interleaved pairs; the ratio is taken within each pair. Compare ratios: the",
        "times are those of a shared machine.", "",
        "| tasks × sleeps | Stampede, events/s | SimPy, events/s | ratio | lowest … highest | gate |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for size in result["engine"]:
        median, ratios = size["median"], sorted(pair["ratio"] for pair in size["pairs"])
        lines.append(
            f"| {size['tasks']:,} × {size['sleeps']} | {median['stampede']:,.0f} | {median['simpy']:,.0f} "
            f"| {median['ratio']:.2f} | {ratios[0]:.2f} … {ratios[-1]:.2f} | ≥ {size['gate']:.1f} |")
    count = evaluate["allocations_per_call"]
    allocations = "not counted on this platform" if count is None else f"{count:.2f} allocations"
    lines += [
        "", "## Evaluation", "",
        f"A fresh hit of `FeatureControlManager.evaluate` with one key, {evaluate['calls']:,} calls in a row from one "
        "task,", f"on the live clock: {evaluate['ns_per_call']:,.0f} ns and {allocations} a call.",
    ]
    return "\n".join(lines) + "\n"


def main():
    python = prepare()
    result = {
        "machine": machine(),
        "engine": [compare(python, *size) for size in SIZES],
        "evaluate": measure([SCRATCH / "release" / "evaluate", EVALUATIONS], "evaluate"),
    }
    folder = ROOT / "Reports" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "engine.json").write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    page = markdown(result)
    (folder / "bench.md").write_text(page)
    print(page)
    below = [size for size in result["engine"] if not size["passed"]]
    for size in below:
        print(
            f"FAILED {size['tasks']:,} x {size['sleeps']}: {size['median']['ratio']:.2f} times SimPy, "
            f"at least {size['gate']:.1f} is wanted")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
