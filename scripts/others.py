"""What the scripts that build and run programs of others have in common: commands with a limit of time, sources of the
distribution, folders to run in, and rows of the page of validation."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARIES = ROOT / "build/release"
HEDDLE = pathlib.Path(os.environ.get("HEDDLE", BINARIES / "heddle")).resolve()


class Failure(Exception):
    """Why something could not be judged."""


class Outcome:
    """What a command wrote and what it took. Where both streams are one, `error` is empty."""

    def __init__(self, status, text, error, seconds):
        self.status, self.text, self.error, self.seconds = status, text, error, seconds

    def simulated(self):
        """The simulated time that `heddle` told."""
        found = re.search(r"(?m)^simulated time +(.*)$", self.error)
        return found.group(1) if found else "none"


def execute(command, folder=None, timeout=None, environment=None, given="", joined=False):
    """Runs a command to its end; a Failure if that takes longer than `timeout` seconds."""
    words = [str(word) for word in command]
    start = time.monotonic()
    try:
        done = subprocess.run(words, cwd=folder, timeout=timeout, input=given.encode(), env={**os.environ, **(environment or {})},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT if joined else subprocess.PIPE)
    except subprocess.TimeoutExpired:
        raise Failure(f"{pathlib.Path(words[0]).name}: took more than {timeout} s") from None
    return Outcome(done.returncode, done.stdout.decode(errors="replace"), (done.stderr or b"").decode(errors="replace"),
                   time.monotonic() - start)


def output_of(command, must_end_well=True, **options):
    """Both streams of a command as one text; a Failure if it ends badly."""
    done = execute(command, joined=True, **options)
    if must_end_well and done.status != 0:
        raise Failure(f"{pathlib.Path(command[0]).name} ended with {done.status}: {done.text[-600:]}")
    return done.text


def within_processor_time(seconds):
    """What is put before a command that may use so much of a processor: it ends by SIGXCPU beyond that."""
    return ["prlimit", f"--cpu={seconds}:{seconds + 5}", "--"]


def fetch(package, work, later=None):
    """The folder with a package's source, from the system's release or, where that lacks it, from a later one."""
    work.mkdir(parents=True, exist_ok=True)
    problem = None
    for release in [[]] + ([[later]] if later else []):
        try:
            output_of([ROOT / "scripts/fetch-source", package, work, *release])
            return work / package
        except Failure as failure:
            problem = failure
    raise Failure(f"the source of {package} could not be fetched") from problem


def unpack(packages, root):
    """A folder with what binary packages of the distribution hold, without a change to the system."""
    if not root.exists():
        partial = root.with_name(root.name + ".part")
        partial.mkdir(parents=True, exist_ok=True)
        output_of(["apt-get", "download", *packages], folder=partial)
        for package in partial.glob("*.deb"):
            output_of(["dpkg", "-x", package, partial])
        partial.rename(root)
    return root


def empty_folder(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def different_lines(one, other):
    """How many lines of two lists differ."""
    return abs(len(one) - len(other)) + sum(a != b for a, b in zip(one, other))


def row(subject, what, found, expected, error, limit):
    """A row of docs/validation.md, as scripts/validate collects them."""
    cells = [f" {cell} |" if cell != "" else " |" for cell in (subject, what, found, expected, error, limit)]
    print("validation |" + "".join(cells), flush=True)


def row_of_faults(subject, what, faults):
    """A row of something that should not occur."""
    row(subject, what, faults, 0, faults, 0)


def note(text):
    print(f"note: {text}", file=sys.stderr)


def attempted(name, function, *arguments):
    """What a function returns, or nothing and a note if it could not be judged."""
    try:
        return function(*arguments)
    except Failure as failure:
        note(f"{name}: {failure}")
        return None
