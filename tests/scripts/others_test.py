"""What scripts that run programs of others rely on."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
sys.dont_write_bytecode = True

import others  # noqa: E402  (found by the path above)


class Commands(unittest.TestCase):
    def test_both_streams_are_kept_apart_or_joined(self):
        command = ["sh", "-c", "cat; echo bad >&2; exit 3"]
        apart = others.execute(command, given="good\n")
        self.assertEqual((apart.status, apart.text, apart.error), (3, "good\n", "bad\n"))
        joined = others.execute(command, given="good\n", joined=True)
        self.assertEqual((joined.text, joined.error), ("good\nbad\n", ""))

    def test_variables_are_added_to_those_there_are(self):
        self.assertEqual(others.output_of(["sh", "-c", "echo $HOW ${PATH:+found}"], environment={"HOW": "so"}), "so found\n")

    def test_a_bad_end_says_who_and_what_he_wrote(self):
        with self.assertRaisesRegex(others.Failure, "sh ended with 7: why"):
            others.output_of(["sh", "-c", "echo why; exit 7"])
        self.assertEqual(others.output_of(["sh", "-c", "echo why; exit 7"], must_end_well=False), "why\n")

    def test_what_takes_too_long_is_a_failure(self):
        with self.assertRaisesRegex(others.Failure, "sleep: took more than 0.1 s"):
            others.execute(["sleep", "20"], timeout=0.1)

    def test_processor_time_is_limited(self):
        done = others.execute([*others.within_processor_time(1), "sh", "-c", "while :; do :; done"])
        self.assertEqual(done.status, -24)  # SIGXCPU

    def test_simulated_time_is_what_heddle_told(self):
        self.assertEqual(others.Outcome(0, "", "ranks  4\nsimulated time  2.5 us\n", 0).simulated(), "2.5 us")
        self.assertEqual(others.Outcome(0, "", "", 0).simulated(), "none")


class Rows(unittest.TestCase):
    def said(self, function, *arguments):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            function(*arguments)
        return text.getvalue()

    def test_a_row_has_six_cells_of_which_some_are_empty(self):
        self.assertEqual(self.said(others.row, "subject", "what", 3, "", "", "5 %"), "validation | subject | what | 3 | | | 5 % |\n")
        self.assertEqual(self.said(others.row_of_faults, "subject", "what", 2), "validation | subject | what | 2 | 0 | 2 | 0 |\n")

    def test_lines_differ_also_where_one_text_is_longer(self):
        self.assertEqual(others.different_lines(["a", "b"], ["a", "c", "d"]), 2)


class Folders(unittest.TestCase):
    def test_a_folder_is_emptied(self):
        with tempfile.TemporaryDirectory() as root:
            folder = pathlib.Path(root) / "inner" / "run"
            others.empty_folder(folder)
            (folder / "old").write_text("left over")
            self.assertEqual(list(others.empty_folder(folder).iterdir()), [])


class Attempts(unittest.TestCase):
    def test_what_cannot_be_judged_is_noted_and_left_out(self):
        def fail():
            raise others.Failure("not here")

        noted = io.StringIO()
        with contextlib.redirect_stderr(noted):
            self.assertIsNone(others.attempted("lua", fail))
        self.assertEqual(noted.getvalue(), "note: lua: not here\n")
        self.assertEqual(others.attempted("lua", lambda a: a + 1, 2), 3)


if __name__ == "__main__":
    unittest.main()
