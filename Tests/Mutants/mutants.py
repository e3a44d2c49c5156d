#!/usr/bin/env -S python3 -B
"""Proves that every judge can turn red, and that it stays green on the clean client.

Each mutant of catalogue.json is a plausible bug of the client. For each one, seeds 1, 2, 3… are tried until the
expected invariant is violated. Then the command itself is run with that seed and must
  - exit with 3 and report that invariant as violated, with virtual time and (where one can be named) a reader,
  - print a command that shows the very same violation again,
  - have written a failure.json that `replay` turns red again.
Scratch clients trap, loop for ever or never answer: `simulate explore` has to report them as crash, hang and violation,
each with its seed and the command that shows it again.

The control: with no mutant active, many seeds of the same scenarios violate nothing, and exercise every invariant
that a mutant is expected to violate.

    mutants.py [--clean-seeds N] [--only NAME] [--check]

--check only sees that the catalogue fits the sources. MUTANT_CLEAN_SEEDS is the default of --clean-seeds.
Without --only, the table goes to Reports/mutants/table.md as well, if the control has its full 10,000 seeds.
"""

import argparse
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys

import catalogue
import table
import workshop

FULL_CONTROL = 10_000
MATRIX_SEEDS = 20


class Failed(Exception):
    """Something that a mutant or the control has to show did not show."""


def scenario_path(mutant):
    return f"Tests/Mutants/Scenarios/{mutant['scenario']}"


def sweep(arguments, mutant=0, seconds=3600):
    result = workshop.run("seed-sweep", arguments, mutant, seconds)
    try:
        findings = json.loads(result.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        raise Failed(f"seed-sweep {shlex.join(arguments)} exited with {result.returncode}: {result.stderr[-2000:]}")
    if findings["problems"]:
        raise Failed(f"{arguments[0]}: {findings['problems'][0]}")
    return findings


def hunt(mutant):
    """Finds the seed that shows the mutant and checks everything that the run with it has to give."""
    expected, path = mutant["expects"], scenario_path(mutant)
    findings = sweep([path, "1", str(mutant["maxSeeds"]), expected, str(MATRIX_SEEDS)], mutant["number"], 600)
    seed = findings.get("decisiveSeed")
    if seed is None:
        also = ", ".join(findings["firstSeeds"]) or "nothing"
        raise Failed(f"{expected} was not violated first in {findings['seeds']} seeds of {path} (violated: {also})")
    folder = workshop.empty_folder(mutant["name"])
    command = ["run", path, "--seed", str(seed)]
    first = violation(mutant, command, folder / "first")
    if not isinstance(first["time_ns"], int) or not first["message"]:
        raise Failed(f"the first violation has no virtual time or message: {first}")
    if mutant.get("namesReader", True) and first["reader"] is None:
        raise Failed(f"the first violation names no reader: {first['message']}")
    check_printed_command(mutant, first, folder)
    check_replay(mutant, first, folder)
    return {"mutant": mutant, "seed": seed, "first_seeds": findings["firstSeeds"], "violation": first}


def violation(mutant, arguments, folder):
    """Runs `simulate`, which must exit with 3, and returns the first violation of the expected invariant."""
    arguments = [*arguments, "--quiet", "--no-progress", "--reports", str(folder)]
    result = workshop.run("simulate", arguments, mutant["number"])
    if result.returncode != 3:
        raise Failed(f"simulate {shlex.join(arguments)} exited with {result.returncode}, not 3: {result.stderr[-2000:]}")
    report = workshop.ROOT / folder / scenario_name(mutant) / "result.json"
    verdicts = {verdict["id"]: verdict for verdict in json.loads(report.read_text())["invariants"]}
    verdict = verdicts[mutant["expects"]]
    if verdict["status"] != "violated":
        raise Failed(f"{mutant['expects']} is {verdict['status']} in {report}")
    return verdict["firstViolation"]


def scenario_name(mutant):
    return json.loads((workshop.ROOT / scenario_path(mutant)).read_text())["name"]


def check_printed_command(mutant, first, folder):
    """The command that the report prints, typed as it stands, must show the same violation."""
    printed = shlex.split(first["replay"] or "")
    if not printed or not printed[0].endswith("simulate"):
        raise Failed(f"the violation carries no command: {first['replay']!r}")
    again = violation(mutant, without_reports(printed[1:]), folder / "again")
    same = ("time_ns", "step", "reader", "instance", "message")
    if [again[key] for key in same] != [first[key] for key in same]:
        raise Failed(f"{first['replay']} shows another violation: {again['message']}, not {first['message']}")


def without_reports(arguments):
    """The printed command may name the reports folder and be quiet already; both are said once."""
    kept = [argument for argument in arguments if argument not in ("--quiet", "--no-progress")]
    if "--reports" in kept:
        place = kept.index("--reports")
        del kept[place:place + 2]
    return kept


def check_replay(mutant, first, folder):
    """`simulate replay failure.json` must turn red as well."""
    failure = folder / "first" / scenario_name(mutant) / "failure.json"
    result = workshop.run("simulate", ["replay", str(failure), "--quiet", "--no-progress"], mutant["number"])
    if result.returncode != 3:
        raise Failed(f"simulate replay {failure} exited with {result.returncode}, not 3: {result.stderr[-2000:]}")


def explore(client):
    """Has `simulate explore` find a scratch client, and sees that the command it prints shows the same again."""
    folder = workshop.empty_folder(client["name"])
    command = ["explore", scenario_path(client), "--first-seed", "1", "--seeds", str(client["seeds"]), "--jobs", "1"]
    command += ["--timeout", "3s", "--quiet", "--no-progress", "--reports", str(folder)]
    result = workshop.run("simulate", command, client["number"])
    report = json.loads((workshop.ROOT / folder / scenario_name(client) / "explore.json").read_text())
    if not report["findings"]:
        raise Failed(f"simulate {shlex.join(command)} found nothing in {report['seedsRun']} seeds")
    finding = report["findings"][0]
    if finding["kind"] != client["finding"]:
        raise Failed(f"reported as {finding['kind']}, not {client['finding']}: {finding['message']}")
    if "invariants" in client and finding["invariant"] not in client["invariants"]:
        raise Failed(f"reported as {finding['invariant']}, not {' or '.join(client['invariants'])}")
    if result.returncode != (3 if finding["kind"] == "violation" else 1):
        raise Failed(f"simulate {shlex.join(command)} exited with {result.returncode}: {result.stderr[-2000:]}")
    check_shown_again(client, finding, folder)
    return {"client": client, "finding": finding}


def check_shown_again(client, finding, folder):
    """The command of a finding, typed as it stands, must trap, hang or turn red by itself."""
    arguments = [*shlex.split(finding["command"])[1:], "--quiet", "--reports", str(folder / "again")]
    try:
        code = workshop.run("simulate", arguments, client["number"], 10).returncode
    except subprocess.TimeoutExpired:
        code = "hang"
    expected = {"crash": code not in (0, 1, 2, 3, "hang"), "hang": code == "hang", "violation": code == 3}
    if not expected[finding["kind"]]:
        raise Failed(f"{finding['command']} gave {code}, which is no {finding['kind']}")


def control(scenario, seeds):
    """Runs a scenario without a mutant; nothing may be violated."""
    findings = sweep([f"Tests/Mutants/Scenarios/{scenario}", "1", str(seeds)])
    for invariant, seed in findings["firstSeeds"].items():
        raise Failed(f"clean client, {scenario}, seed {seed}: {invariant}: {findings['messages'].get(invariant)}")
    return {"scenario": scenario, "seeds": findings["seeds"], "checks": findings["checks"]}


def gather(work):
    """Runs named pieces of work, as many at a time as there are cores; returns results and failures in order."""
    results, failures = [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for name, future in [(name, pool.submit(*piece)) for name, piece in work]:
            try:
                results.append(future.result())
            except (Failed, subprocess.TimeoutExpired) as failure:
                failures.append(f"{name}: {failure}")
    return results, failures


def options():
    parser = argparse.ArgumentParser(description="Runs the client's mutants and the clean control.")
    default = int(os.environ.get("MUTANT_CLEAN_SEEDS", FULL_CONTROL))
    parser.add_argument("--clean-seeds", type=int, default=default, metavar="N")
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--check", action="store_true")
    return parser.parse_args()


def main():
    chosen = options()
    mutants, scratch_clients = catalogue.load()
    everything = mutants + scratch_clients
    if chosen.check:
        catalogue.apply(everything, lambda file: (workshop.ROOT / file).read_text())
        print(f"{len(everything)} mutants fit the sources")
        return 0
    unknown = set(chosen.only or []) - {mutant["name"] for mutant in everything}
    if unknown:
        raise SystemExit(f"mutants: not in the catalogue: {', '.join(sorted(unknown))}")
    print(f"mutants: building a copy with {len(everything)} mutants", file=sys.stderr)
    workshop.prepare(everything)
    workshop.build()
    hunted = [mutant for mutant in mutants if not chosen.only or mutant["name"] in chosen.only]
    scenarios = sorted({mutant["scenario"] for mutant in hunted})
    caught, failures = gather([(mutant["name"], (hunt, mutant)) for mutant in hunted])
    explored = [client for client in scratch_clients if not chosen.only or client["name"] in chosen.only]
    found, unfound = gather([(client["name"], (explore, client)) for client in explored])
    failures += unfound
    print(f"mutants: the clean client with {chosen.clean_seeds} seeds of each scenario", file=sys.stderr)
    clean, unclean = gather([(scenario, (control, scenario, chosen.clean_seeds)) for scenario in scenarios])
    failures += unclean
    if not unclean:
        for expected in sorted({mutant["expects"] for mutant in hunted}):
            if sum(run["checks"].get(expected, 0) for run in clean) == 0:
                failures.append(f"clean client: {expected} was never exercised, so its silence proves nothing")
    print(table.terminal(caught, clean, found))
    if failures:
        print("\n" + "\n".join(f"FAILED {failure}" for failure in failures))
        return 1
    if not chosen.only and chosen.clean_seeds >= FULL_CONTROL:
        target = workshop.ROOT / "Reports" / "mutants" / "table.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(table.markdown(caught, clean, found))
        print(f"\nwritten to {target.relative_to(workshop.ROOT)}")
    print(f"\n{len(caught)} mutants caught, {sum(run['seeds'] for run in clean)} clean runs without a violation")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except catalogue.CatalogueError as error:
        sys.exit(f"the catalogue of mutants does not fit the sources:\n{error}")
