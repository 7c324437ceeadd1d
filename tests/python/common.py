"""What tests of the Python package share: the program under test is $HEDDLE."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "docs/schemas"
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "python"))


def schema(kind):
    return json.loads((SCHEMAS / f"heddle.{kind}-1.schema.json").read_text())


def compiled(source, folder, name="program", *options):
    """An MPI program for the simulator."""
    path = pathlib.Path(folder) / name
    path.with_suffix(".c").write_text(source)
    compiler = pathlib.Path(os.environ["HEDDLE"]).parent / "heddlecc"
    subprocess.run([compiler, "-O1", *options, path.with_suffix(".c"), "-o", path], check=True)
    return path


class InFolder(unittest.TestCase):
    """A test with a working folder of its own."""

    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stack.callback(os.chdir, os.getcwd())
        os.chdir(self.folder)
