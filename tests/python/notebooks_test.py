"""The notebooks of examples/ run as a reader would run them: each in a folder of its own."""

import json
import os
import sys
import unittest

from common import ROOT, InFolder

try:
    import nbclient
    import nbformat
    import pandas  # noqa: F401
except ImportError as error:
    print(f"left out: {error}")
    sys.exit(77)

EXAMPLES = ROOT / "examples"


class Notebooks(InFolder):
    def executed(self, name):
        notebook = nbformat.read(EXAMPLES / "notebooks" / f"{name}.ipynb", as_version=4)
        program = os.path.dirname(os.environ["HEDDLE"])
        environment = {
            "PATH": f"{program}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "python"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HEDDLE_EXAMPLES": str(EXAMPLES),
            "IPYTHONDIR": str(self.folder / ".ipython"),
        }
        before = dict(os.environ)
        self.addCleanup(os.environ.update, before)
        os.environ.update(environment)
        client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": "."}})
        return client.execute()

    def outputs(self, notebook, kind):
        """What cells show, of a kind such as text/html."""
        shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
        return [output.data[kind] for output in shown if "data" in output and kind in output.data]

    def printed(self, notebook):
        shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
        return "".join(output.text for output in shown if output.output_type == "stream" and output.name == "stdout")

    def test_first_steps(self):
        done = self.executed("first-steps")
        self.assertTrue(any("<svg" in text for text in self.outputs(done, "text/html")))
        self.assertIn("did you mean 'link.latency'?", self.printed(done))

    def test_a_load_curve_of_five_fabrics(self):
        done = self.executed("load-curve")
        self.assertEqual(len(self.outputs(done, "image/svg+xml")), 1)

    def test_an_mpi_program_and_its_page(self):
        done = self.executed("mpi-program")
        self.assertTrue(any("<iframe" in text for text in self.outputs(done, "text/html")))
        self.assertIn("MPI_Recv", self.printed(done))

    def test_from_osu_files_to_a_prediction(self):
        done = self.executed("calibration")
        self.assertGreaterEqual(len(self.outputs(done, "image/svg+xml")), 2)

    def test_none_is_kept_with_its_results(self):
        for path in (EXAMPLES / "notebooks").glob("*.ipynb"):
            cells = json.loads(path.read_text())["cells"]
            self.assertFalse(any(cell.get("outputs") for cell in cells), path)


if __name__ == "__main__":
    unittest.main()
