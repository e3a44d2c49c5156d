#!/usr/bin/env -S python3 -B
"""Measures the engine against SimPy, the cost of an evaluation, and what holding flags costs.

Both engines run the same sleeps, in a process of their own, turn about: a pair is one run of each, and the ratio of
events per second is taken within the pair, so that a machine that is slow for a while is slow for both. The median
of five pairs is gated, because ratios hold on a shared machine where times do not. SimPy comes from PyPI into a
virtual environment below .build.

Of `pb.flags`: a cached read against a plain dictionary with one thread and with two, reads of two threads while 300
refreshes apply, the memory of an idle device, and a process that writes its record until it is killed, 1,000 times.

Writes Reports/bench/engine.json and Reports/bench/bench.md; exits with 1 if a figure is beyond its gate.
"""

import datetime
import json
import os
import pathlib
import platform
import random
import shutil
import signal
import statistics
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRATCH = ROOT / ".build" / "bench"
VENV = ROOT / ".build" / "venv-bench"
SIMPY = "simpy==4.1.1"
PAIRS = 5
# Tasks, sleeps of each, and how many times SimPy's events per second the engine must reach.
SIZES = [(10_000, 20, 3.0), (100_000, 10, 2.0)]
EVALUATIONS = 1_000_000
# Flags, reads and rounds of the reading benchmark. A read costs at most so many times a plain dictionary's; with two
# threads the wall time of a read is at most so many times that with one.
READS = (100, 4_000_000, 5)
READ_GATE, THREADS_GATE = 1.5, 0.6
# If the plain dictionary's own readers need more than this with two threads, the scaling is told but not judged.
BUSY = 0.55
# Refreshes, and reads of both threads meanwhile.
THREADS = (300, 10_000_000)
# Devices, flags of each, and how much memory an idle one may take.
FLEET = (1_000, 20)
DEVICE_GATE = 16 * 1024
# Flags, length of each text in bytes, and how often the writing process is killed.
RECORD = (40, 200)
KILLS = 1_000


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


def reads():
    """Reads of a held flag; ratios are taken within each round, and their medians are gated."""
    print(f"bench: reads, {READS[2]} rounds", file=sys.stderr)
    result = measure([SCRATCH / "release" / "reads", *READS], "reads")
    rounds = result["rounds"]
    ratio = statistics.median(round["app_1"] / round["plain_1"] for round in rounds)
    scaling = statistics.median(round["app_2"] / round["app_1"] for round in rounds)
    result["median"] = {name: statistics.median(round[name] for round in rounds) for name in rounds[0]}
    plain_scaling = statistics.median(round["plain_2"] / round["plain_1"] for round in rounds)
    result["ratio"], result["scaling"] = round(ratio, 2), round(scaling, 2)
    result["plain_scaling"] = round(plain_scaling, 2)
    failures = []
    if ratio > READ_GATE:
        failures.append(f"a read costs {ratio:.2f} times a plain dictionary's; {READ_GATE} is the most")
    # Two threads that share nothing need half the time on two idle cores; where they don't, the machine has other work.
    result["scaling_is_judged"] = plain_scaling <= BUSY
    if scaling > THREADS_GATE and result["scaling_is_judged"]:
        failures.append(f"with two threads a read takes {scaling:.2f} times as long as with one; {THREADS_GATE} is the most")
    if result["allocations"]:
        failures.append(f"{result['allocations']} allocations in {2 * result['reads']} reads")
    return result, failures


def threads():
    print("bench: reads among refreshes", file=sys.stderr)
    result = measure([SCRATCH / "release" / "threads", *THREADS], "threads")
    right = result["wrong"] == 0 and result["refreshes"] == THREADS[0] and result["reads"] >= THREADS[1]
    return result, [] if right else [f"reads among refreshes: {result}"]


def fleet():
    print("bench: an idle fleet", file=sys.stderr)
    result = measure([SCRATCH / "release" / "fleet", *FLEET], "fleet")
    size = result["bytes_per_device"]
    return result, [f"an idle device takes {size} bytes; {DEVICE_GATE} is the most"] if size and size > DEVICE_GATE else []


def record():
    """Kills the process that writes its record, at a random moment; the next launch must find a whole record.

    Killed before its first write, it has nothing to find. Between a write's beginning and its end both the old and the
    new record are right; after that only the new one.
    """
    print(f"bench: a record under {KILLS:,} kills", file=sys.stderr)
    folder = ROOT / ".build" / "bench-record"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    dice, failures = random.Random(1), []
    result = {"kills": KILLS, "writes": 0, "in_a_write": 0, "old": 0, "new": 0, "garbage": 0}
    allowed = {0}
    for number in range(KILLS + 1):
        process = subprocess.Popen(
            [str(SCRATCH / "release" / "record"), str(folder), *map(str, RECORD)], stdout=subprocess.PIPE, text=True)
        if number == KILLS:
            # The last launch only looks.
            killer = threading.Timer(0, lambda: None)
            words = process.stdout.readline().split()
            process.send_signal(signal.SIGKILL)
            process.wait()
        else:
            killer = threading.Timer(dice.uniform(0.005, 0.06), process.send_signal, [signal.SIGKILL])
            killer.start()
            words = process.stdout.readline().split()
        found = None
        if words and words[0] == "read":
            found = 0 if words[1] == "nothing" else int(words[1])
            if found not in allowed:
                failures.append(f"launch {number} found version {found}; right were {sorted(allowed)}")
            if len(allowed) > 1:
                result["old" if found == min(allowed) else "new"] += 1
            allowed = {found}
        elif words:
            result["garbage"] += 1
            failures.append(f"launch {number}: {' '.join(words)}")
        writing = None
        for line in process.stdout if number < KILLS else ():
            verb, _, version = line.strip().partition(" ")
            if not version.isdigit() or not line.endswith("\n"):
                continue
            if verb == "writing":
                writing = int(version)
                allowed = allowed | {writing}
            elif verb == "wrote":
                result["writes"] += 1
                allowed, writing = {int(version)}, None
        if writing is not None:
            result["in_a_write"] += 1
        killer.cancel()
        process.wait()
    shutil.rmtree(folder, ignore_errors=True)
    return result, failures


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
    lines += flags_lines(result["flags"])
    return "\n".join(lines) + "\n"


def flags_lines(flags):
    reads, threads, fleet, record = flags["reads"], flags["threads"], flags["fleet"], flags["record"]
    median = reads["median"]
    lines = [
        "", "## Flags", "",
        f"One truth value of {reads['flags']} flags, read by its key; medians of {len(reads['rounds'])} rounds of "
        f"{reads['reads']:,} reads a thread, ns for", "one read of all threads' together:", "",
        "| | one thread | two threads |", "| --- | ---: | ---: |",
    ]
    names = {"plain": "plain immutable dictionary", "app": "`pb.flags.bool(…)`", "held": "the same with `pb.flags` kept"}
    lines += [f"| {text} | {median[name + '_1']:.1f} | {median[name + '_2']:.1f} |" for name, text in names.items()]
    size = fleet["bytes_per_device"]
    lines += [
        "",
        f"A read as apps write it costs {reads['ratio']:.2f} times the dictionary's (gate ≤ {READ_GATE}); two threads need "
        f"{reads['scaling']:.2f} of the wall time", f"of one (gate ≤ {THREADS_GATE}"
        + ("" if reads["scaling_is_judged"] else ", not judged: the machine was busy")
        + f"), and {reads['plain_scaling']:.2f} with the plain dictionary; "
        + ("allocations were not counted." if reads["allocations"] is None else f"{reads['allocations']} allocations (gate 0)."),
        "",
        f"Two threads made {threads['reads']:,} reads while {threads['refreshes']} refreshes applied: {threads['wrong']} wrong.",
        "",
        f"An idle device among {fleet['devices']:,} with {fleet['flags']} flags each takes "
        + ("memory that was not counted" if size is None else f"{size:,} bytes") + f" (gate ≤ {DEVICE_GATE:,}).", "",
        f"A process that writes its record was killed with SIGKILL {record['kills']:,} times, {record['in_a_write']} of them "
        f"during one of its {record['writes'] + record['in_a_write']:,}", f"writes: the next launch found the old record "
        f"{record['old']} times, the new one {record['new']} times, and garbage {record['garbage']} times.",
    ]
    return lines


def main():
    python = prepare()
    flags, failures = {}, []
    for benchmark in (reads, threads, fleet, record):
        flags[benchmark.__name__], found = benchmark()
        failures += found
    result = {
        "machine": machine(),
        "engine": [compare(python, *size) for size in SIZES],
        "evaluate": measure([SCRATCH / "release" / "evaluate", EVALUATIONS], "evaluate"),
        "flags": flags,
    }
    folder = ROOT / "Reports" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "engine.json").write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    page = markdown(result)
    (folder / "bench.md").write_text(page)
    print(page)
    failures += [
        f"{size['tasks']:,} x {size['sleeps']}: {size['median']['ratio']:.2f} times SimPy, at least {size['gate']:.1f} is wanted"
        for size in result["engine"] if not size["passed"]
    ]
    for failure in failures:
        print(f"FAILED {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
