"""The catalogue of mutants: reading it, and working its edits into source text.

An edit names a file, an anchor (whole lines or a part of one, which must occur there exactly once) and the text that
takes the anchor's place. In that text the word MUTANT stands for "this mutant is the active one", so that the
original behaviour stays beside the mutated one and a single build serves every mutant:

    now < end      becomes      MUTANT ? now <= end : now < end

Mutants are numbered from 1 in the order of the catalogue, and after them the scratch clients: those that a run cannot
even judge, because they trap, loop for ever or never answer, and that `simulate explore` has to report.
"""

import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent


class CatalogueError(Exception):
    """The catalogue does not fit the sources, or contradicts itself."""


def load():
    """Returns the mutants and the scratch clients in order, each with its number."""
    catalogue = json.loads((HERE / "catalogue.json").read_text())
    for number, mutant in enumerate(catalogue["mutants"] + catalogue["scratchClients"], start=1):
        mutant["number"] = number
    return catalogue["mutants"], catalogue["scratchClients"]


def apply(mutants, read):
    """Returns the mutated text of every file that an edit names.

    `read` gives the original text of a file. All edits of a file are placed in its original text, so the order of the
    mutants cannot matter, and no two edits may overlap. Every misfit is reported, not only the first.
    """
    by_file, problems = {}, []
    for mutant in mutants:
        for edit in mutant["edits"]:
            by_file.setdefault(edit["file"], []).append((mutant, edit))
    mutated = {}
    for file, edits in by_file.items():
        original, placed = read(file), []
        for mutant, edit in edits:
            anchor = "\n".join(edit["anchor"])
            count = original.count(anchor)
            if count != 1:
                problems.append(f"{mutant['name']}: {count} places in {file} match the anchor {anchor.strip()!r}")
                continue
            active = f"(MutantSelector.active == {mutant['number']})"
            replacement = re.sub(r"\bMUTANT\b", active, "\n".join(edit["replacement"]))
            start = original.index(anchor)
            placed.append((start, start + len(anchor), replacement, mutant["name"]))
        text = _replace(original, sorted(placed), file, problems)
        # The selector lives in ClientCore, which not every file of the clients imports.
        needs_import = "import ClientCore\n" not in text and not file.startswith("Sources/ClientCore/")
        mutated[file] = "import ClientCore\n" + text if needs_import else text
    if problems:
        raise CatalogueError("\n".join(problems))
    return mutated


def _replace(original, placed, file, problems):
    text, position, before = "", 0, None
    for start, end, replacement, name in placed:
        if start < position:
            problems.append(f"{name} and {before} edit the same place in {file}")
            continue
        text += original[position:start] + replacement
        position, before = end, name
    return text + original[position:]
