"""The table of mutants: which invariant each one violates, and how many seeds that takes."""


def _columns(caught, clean):
    ids = {run["mutant"]["expects"] for run in caught}
    for run in caught:
        ids |= run["first_seeds"].keys()
    for run in clean:
        ids |= {invariant for invariant, checks in run["checks"].items() if checks}
    return sorted(ids)


def _moment(nanoseconds):
    return f"{nanoseconds / 1e9:.9f}".rstrip("0").rstrip(".") + " s"


def _reader(violation):
    return "–" if violation["reader"] is None else str(violation["reader"])


def _report(finding):
    return finding["invariant"] or finding["kind"]


def terminal(caught, clean, found):
    """Returns the table for a terminal: one line for each mutant, one for each clean scenario."""
    lines = [f"{'mutant':<37} {'invariant':<22} {'seeds':>5} {'at':>16} {'reader':>6}"]
    for run in caught:
        mutant, violation = run["mutant"], run["violation"]
        lines.append(
            f"{mutant['name']:<37} {mutant['expects']:<22} {run['seed']:>5} "
            f"{_moment(violation['time_ns']):>16} {_reader(violation):>6}")
    if found:
        lines += ["", f"{'scratch client':<37} {'explore reports':<24} {'seed':>5}"]
    for row in found:
        lines.append(f"{row['client']['name']:<37} {_report(row['finding']):<24} {row['finding']['seed']:>5}")
    lines += ["", f"{'clean client':<37} {'seeds':>8} {'checks':>12} {'violations':>10}"]
    for run in clean:
        lines.append(f"{run['scenario']:<37} {run['seeds']:>8} {sum(run['checks'].values()):>12} {0:>10}")
    return "\n".join(lines)


def markdown(caught, clean, found):
    """Returns the page that is kept in the repository."""
    ids = _columns(caught, clean)
    lines = [
        "# Mutants", "",
        "Each row is a plausible bug of the client, each column an invariant. A number is the first seed, counted",
        "from 1, whose run violates the invariant; **bold** where the mutant was made for it. Made by `make mutants`.",
        "", _row(["mutant", "what is wrong", *(f"`{name}`" for name in ids)]), _row(["---"] * (len(ids) + 2)),
    ]
    for run in caught:
        mutant = run["mutant"]
        cells = []
        for name in ids:
            seed = run["first_seeds"].get(name)
            cells.append("" if seed is None else f"**{seed}**" if name == mutant["expects"] else str(seed))
        lines.append(_row([f"`{mutant['name']}`", mutant["description"], *cells]))
    lines += ["", "## The first violation of each", ""]
    for run in caught:
        violation = run["violation"]
        lines.append(f"- `{run['mutant']['name']}`, at {_moment(violation['time_ns'])}: {violation['message']}")
    lines += [
        "", "## Scratch clients", "",
        "They trap, loop for ever or never answer; `simulate explore` reports them, each with its seed.", "",
        _row(["client", "what is wrong", "reported as", "seed"]), _row(["---"] * 4),
    ]
    for row in found:
        client, finding = row["client"], row["finding"]
        lines.append(_row([f"`{client['name']}`", client["description"], _report(finding), str(finding["seed"])]))
    lines += [
        "", "## The clean client", "",
        "No seed of these runs violates anything. The numbers are the checks that each invariant made.", "",
        _row(["scenario", "seeds", *(f"`{name}`" for name in ids)]), _row(["---"] + ["---:"] * (len(ids) + 1)),
    ]
    for run in clean:
        checks = [f"{run['checks'].get(name, 0):,}" for name in ids]
        lines.append(_row([f"`{run['scenario']}`", f"{run['seeds']:,}", *checks]))
    return "\n".join(lines) + "\n"


def _row(cells):
    return "| " + " | ".join(cells) + " |"
