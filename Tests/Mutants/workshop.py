"""The copy of the package that carries all mutants, and its one build."""

import os
import pathlib
import shutil
import subprocess

import catalogue

ROOT = catalogue.HERE.parent.parent
FOLDER = ROOT / ".build" / "mutants"
COPY = FOLDER / "copy"
SCRATCH = FOLDER / "build"
BINARIES = SCRATCH / "release"

SELECTOR_FILE = "Sources/ClientCore/MutantSelector.swift"
SELECTOR = """\
import Foundation

/// Which mutant is active in this process: the number in STAMPEDE_MUTANT, read once; 0 for none.
public enum MutantSelector {
  /// The number.
  public static let active = Int(ProcessInfo.processInfo.environment["STAMPEDE_MUTANT"] ?? "") ?? 0
}
"""

# The copy needs neither the tests nor what they depend on, and one executable more.
MANIFEST_END = """
package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
package.targets.append(
  .executableTarget(
    name: "seed-sweep", dependencies: ["Invariants", "ScenarioFormat", "Scenarios"],
    path: "Tests/Mutants/SeedSweep", swiftSettings: shim))
"""


def prepare(mutants):
    """Brings the copy up to date. Files that are right already keep their time, so that builds stay short."""
    wanted = {"Package.swift": (ROOT / "Package.swift").read_text() + MANIFEST_END}
    for folder in ("Sources", "Tests/Mutants/SeedSweep"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file():
                wanted[str(path.relative_to(ROOT))] = path.read_text()
    wanted.update(catalogue.apply(mutants, lambda file: (ROOT / file).read_text()))
    wanted[SELECTOR_FILE] = SELECTOR
    for path in sorted(COPY.rglob("*"), reverse=True):
        if path.is_file() and str(path.relative_to(COPY)) not in wanted:
            path.unlink()
    for name, text in wanted.items():
        path = COPY / name
        if path.is_file() and path.read_text() == text:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def build():
    """Builds the copy once, for all mutants. What the compiler says is shown only if it fails."""
    swift = os.environ.get("SWIFT", "swift").split()
    for product in ("simulate", "seed-sweep"):
        command = swift + [
            "build", "-c", "release", "--package-path", str(COPY), "--scratch-path", str(SCRATCH),
            "--disable-default-traits", "--product", product,
        ]
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            raise SystemExit(f"{result.stdout}\nmutants: the mutated copy in {COPY} does not build")


def run(binary, arguments, mutant=0, seconds=600):
    """Runs a program of the copy from the repository's root with one mutant active."""
    environment = {**os.environ, "STAMPEDE_MUTANT": str(mutant), "NO_COLOR": "1"}
    return subprocess.run(
        [str(BINARIES / binary), *arguments], cwd=ROOT, env=environment, text=True, timeout=seconds,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def empty_folder(name):
    """Returns a new, empty folder for the reports of one mutant, relative to the root."""
    folder = FOLDER / "reports" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return pathlib.Path(os.path.relpath(folder, ROOT))
