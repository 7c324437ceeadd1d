"""The package over the program: names, quantities, results, errors."""

import contextlib
import doctest
import importlib
import io
import json
import operator
import os
import pkgutil
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import unittest
import warnings

from common import ROOT, InFolder, compiled, schema

import heddle as hd
from heddle import program, results
from heddle.quantities import BY_SUFFIX

RING = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank, size, token = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &token, 1, MPI_INT, (rank + size - 1) % size, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) printf("0 got %d of %s\\n", token, argc > 1 ? argv[1] : "nobody");
  MPI_Finalize();
  return 0;
}
"""

WAITS = """
#include <mpi.h>
int main(int argc, char** argv) {
  int token;
  MPI_Init(&argc, &argv);
  MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""

CRASHES = """
#include <heddle.h>
int main(void) {
  if (heddle_rank() == 1) *(volatile int*)0 = 1;
  return 0;
}
"""


def words_said(*words):
    """What the command line prints when it refuses these words, without "error: "."""
    done = subprocess.run([hd.find(), *words], capture_output=True, text=True)
    assert done.stderr.startswith("error: "), done.stderr
    return done.stderr[len("error: ") :].split("\nTry `")[0].rstrip("\n")


class Documentation(InFolder):
    def test_what_the_modules_show_is_so(self):
        for module in [hd, *(importlib.import_module(f"heddle.{m.name}") for m in pkgutil.iter_modules(hd.__path__))]:
            found = doctest.testmod(module)
            self.assertEqual(found.failed, 0, module)

    def test_what_the_page_shows_is_so(self):
        # Blocks of one page go on where the one before has ended.
        names, runner = {}, doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        text = (ROOT / "docs/python.md").read_text()
        for block in re.finditer(r"```python\n(.*?)```", text, re.DOTALL):
            line = text[: block.start()].count("\n") + 1
            test = doctest.DocTestParser().get_doctest(block.group(1), names, "python.md", "python.md", line)
            runner.run(test, clear_globs=False)
            names.update(test.globs)
        self.assertGreater(runner.tries, 10)
        self.assertEqual(runner.failures, 0)

    def test_types_are_right(self):
        if shutil.which("mypy") is None:
            self.skipTest("mypy is not installed")
        done = subprocess.run(
            ["mypy", "--strict", "--cache-dir=/dev/null", "heddle"], cwd=ROOT / "python", capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_old_pythons_can_read_it(self):
        import ast

        for path in (ROOT / "python").rglob("*.py"):
            ast.parse(path.read_text(), feature_version=(3, 9))


class Names(unittest.TestCase):
    def test_every_command_of_the_program_is_here(self):
        # A new command of the program has to be given a place: as a function of its name, or as what is named here.
        elsewhere = {
            "again": "Result.again", "goal": "schedule", "mpirun": "run", "topo": "Machine",
            # Any subcommand with its words, by `hd.command` or in a shell.
            "coll": "command", "trace": "command", "help": None, "serve": None, "setup": None,
        }  # fmt: skip
        for name in program.commands() - {"--help", "--version", "-h"}:
            place = elsewhere.get(name, name)
            if place is not None:
                self.assertTrue(callable(operator.attrgetter(place)(hd)), name)

    def test_members_of_results_are_those_of_the_schemas(self):
        # A quantity of the schema is two members, the exact one with its unit behind its name.
        for kind in results.BY_SCHEMA.values():
            name = next(key for key, value in results.BY_SCHEMA.items() if value is kind)
            expected = set()
            for member in schema(name[len("heddle.") : -len("/1")])["properties"]:
                for suffix in BY_SUFFIX:
                    member = member[: -len(suffix)] if member.endswith(suffix) else member
                expected.add(member)
            methods = {member for base in kind.__mro__ for member in vars(base)} | {"warnings"}
            missing = expected - set(kind.__annotations__) - methods - {"schema", "heddle"}
            self.assertEqual(missing, set(), f"{name}: not in {kind.__name__}")
            own = {member for member in kind.__annotations__ if member not in methods}
            self.assertEqual(own - expected, set(), f"{name}: only in {kind.__name__}")

    def test_every_kind_of_note_follows_its_schema(self):
        note = schema("note")
        self.assertEqual(set(note["properties"]["cause"]["enum"]), set(hd.errors._BY_CAUSE))
        for words in (["topo", "nowhere"], ["nonsense"], ["topo", "fat-tree-64", "--set", "nic.gap=1ns"]):
            path = f"/tmp/heddle-notes-{os.getpid()}"
            self.addCleanup(lambda p=path: os.path.exists(p) and os.remove(p))
            subprocess.run([hd.find(), *words], env={**os.environ, "HEDDLE_NOTES": path}, capture_output=True)
            with open(path, encoding="utf-8") as file:
                lines = [json.loads(line) for line in file]
            os.remove(path)
            self.assertTrue(lines, words)
            for line in lines:
                self.assertLessEqual(set(note["required"]), set(line))
                self.assertLessEqual(set(line), set(note["properties"]))
                self.assertIn(line["kind"], note["properties"]["kind"]["enum"])


class Quantities(unittest.TestCase):
    def test_they_print_as_the_program_does(self):
        # Every quantity of a document has the program's own words beside it.
        document = json.loads(hd.Machine("dragonfly-72").facts.json())
        route = dict(hd.Machine("torus-512").route(0, 511, size="3MiB"))
        traffic = hd.traffic("fat-tree-64", load=0.3, duration="3us")
        compared = 0
        stack = [document, route, json.loads(traffic.json())]
        while stack:
            item = stack.pop()
            if isinstance(item, list):
                stack += item
                continue
            if not isinstance(item, dict):
                continue
            stack += item.values()
            for name, value in item.items():
                for suffix, kind in BY_SUFFIX.items():
                    words = item.get(name[: -len(suffix)]) if name.endswith(suffix) else None
                    if isinstance(value, int) and isinstance(words, str):
                        self.assertEqual(str(kind(value)), words)
                        compared += 1
        self.assertGreater(compared, 50)

    def test_they_are_exact_or_refused(self):
        self.assertEqual(hd.Time("0.001ns").ps, 1)
        self.assertEqual(hd.Time("106min").ps, 106 * 60 * 10**12)
        for kind, text in ((hd.Time, "0.5ps"), (hd.Time, "1 fortnight"), (hd.Bytes, "1.5B"), (hd.Rate, "fast")):
            with self.assertRaises(ValueError):
                kind(text)
        with self.assertRaises(TypeError):
            hd.Time("1us") + hd.Bytes(1)
        self.assertEqual(type(hd.Time("1us") * 3), hd.Time)
        self.assertEqual(repr(1500 - hd.Time("1ns")), "Time('500 ps')")


class Errors(InFolder):
    def test_a_mistake_in_a_parameter_is_told_as_on_the_command_line(self):
        with self.assertRaises(hd.InputError) as caught:
            hd.traffic("fat-tree-64", settings={"link.latncy": "1ns"})
        said = words_said("traffic", "--platform=fat-tree-64", "--set=link.latncy=1ns")
        self.assertEqual(str(caught.exception), said)
        self.assertIn("did you mean 'link.latency'?", caught.exception.problem)
        self.assertEqual(caught.exception.file, "--set link.latncy=1ns")
        self.assertEqual(caught.exception.status, 2)
        self.assertIsInstance(caught.exception, ValueError)

    def test_a_mistake_in_a_file_has_its_place(self):
        (self.folder / "m.yaml").write_text("topology: {kind: torus, dims: 4x4}\nlink:\n  latency: soon\n")
        with self.assertRaises(hd.InputError) as caught:
            hd.Machine("m.yaml").nodes
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column), ("m.yaml", 3, 12))
        self.assertEqual(str(error), words_said("topo", "m.yaml"))
        self.assertEqual(str(error), f"m.yaml:3:12: {error.problem}")

    def test_an_option_that_there_is_not(self):
        with self.assertRaises(hd.InputError) as caught:
            hd.traffic(durtion="1us")
        self.assertIn("unknown option '--durtion", str(caught.exception))
        self.assertIn("did you mean '--duration'?", str(caught.exception))

    def test_a_command_that_the_program_lacks(self):
        with self.assertRaises(hd.Missing) as caught:
            hd.commands._plain("levitate", hd.Result)()
        self.assertIn("has no command `levitate`: a newer heddle is needed", str(caught.exception))
        with self.assertRaises(hd.Missing):
            hd.command("levitate")

    def test_without_a_program(self):
        before = os.environ["HEDDLE"]
        self.addCleanup(os.environ.__setitem__, "HEDDLE", before)
        os.environ["HEDDLE"] = "/nowhere/heddle"
        with self.assertRaisesRegex(hd.Missing, "HEDDLE=/nowhere/heddle: there is no such program"):
            hd.platforms()

    def test_warnings_are_warnings(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = hd.traffic("fat-tree-64", load=0.1, duration="1us", settings={"packet.flit": "32B"})
        self.assertEqual([str(item.message) for item in caught], result.warnings)
        self.assertTrue(any("packet.flit" in text for text in result.warnings), result.warnings)
        self.assertTrue(all(item.category is hd.HeddleWarning for item in caught))


class Programs(InFolder):
    def test_a_program_runs(self):
        compiled(RING, self.folder)
        run = hd.run(["program", "them"], ranks=8, machine="fat-tree-64")
        self.assertEqual(run.stdout, "0 got 7 of them\n")
        self.assertEqual((run.outcome, run.status, len(run.ranks)), ("ended", 0, 8))
        self.assertIsInstance(run.time, hd.Time)
        self.assertGreater(run.time.us, 0)
        self.assertIn("MPI_Sendrecv", run.calls.column("call"))
        self.assertEqual(run.rows[7]["rank"], 7)
        self.assertEqual(run.again().fingerprint, run.fingerprint)
        # Notes are for us: the program's environment is as it was.
        self.assertEqual(hd.run("program", ranks=2).stdout, "0 got 1 of nobody\n")

    def test_bad_ends_are_exceptions_with_what_was_up_to_there(self):
        waits = compiled(WAITS, self.folder, "waits")
        with self.assertRaises(hd.Deadlock) as caught:
            hd.run(waits, ranks=2)
        self.assertEqual(caught.exception.result.outcome, "deadlock")
        self.assertIn("MPI_Recv", str(caught.exception))
        crashes = compiled(CRASHES, self.folder, "crashes")
        with self.assertRaises(hd.Crash) as caught:
            hd.run(crashes, ranks=2)
        self.assertEqual(caught.exception.status, 128 + signal.SIGSEGV)
        self.assertIn("rank 1", str(caught.exception))

    def test_echo_prints_what_comes(self):
        program_path = compiled(RING, self.folder)
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            hd.run(program_path, ranks=2, echo=True)
        self.assertEqual(shown.getvalue(), "0 got 1 of nobody\n")

    def test_echo_waits_for_whole_characters(self):
        with program.Call([]) as call, contextlib.redirect_stdout(io.StringIO()) as shown:
            for piece in (b"caf\xc3", b"\xa9\n"):
                with open(call.path("stdout"), "wb") as file:
                    file.write(piece)
                call._echo(0)
        self.assertEqual(shown.getvalue(), "caf\u00e9\n")

    def test_a_program_that_is_killed_while_it_writes_is_an_error(self):
        with program.Call([]) as call:
            for name, text in (("stdout", ""), ("stderr", ""), ("result.json", '{"schema": "heddle')):
                with open(call.path(name), "w", encoding="utf-8") as file:
                    file.write(text)
            call._collect(-signal.SIGKILL)
            self.assertIsNone(call.document)
            self.assertEqual(str(call.problem()), "heddle ended with status 137")

    def test_results_have_pages_also_later(self):
        compiled(RING, self.folder)
        runs = [hd.run("program", ranks=ranks) for ranks in (2, 4)]
        self.assertIn("<html", hd.report(runs[0]).html)
        runs[0].save("two.json")
        self.assertIn("<html", hd.report("two.json", runs[1]).html)
        self.assertIn("two.json", hd.compare("two.json", runs[1], report=False))


class Results(InFolder):
    def test_traffic_is_rows_and_again(self):
        traffic = hd.traffic("fat-tree-64", pattern="tornado", load=[0.2, 0.9], duration="5us", seed=7)
        self.assertEqual(traffic.column("load"), [0.2, 0.9])
        self.assertIsInstance(traffic.rows[0]["latency.mean_ps"], int)
        mean = traffic.rows[0]["latency.mean_ps"]
        self.assertEqual(traffic.column("latency.mean_us")[0], mean / 10**6)
        self.assertEqual(traffic.runs[0].latency.mean, hd.Time(mean))
        self.assertEqual(traffic.again().fingerprint, traffic.fingerprint)
        self.assertNotIn("latency", traffic.table.columns)
        with self.assertRaisesRegex(KeyError, "no column 'latncy'"):
            traffic.column("latncy")

    def test_a_result_that_does_not_repeat_says_where(self):
        traffic = hd.traffic("fat-tree-64", load=0.2, duration="2us")
        traffic._members["nodes"] = 63
        with self.assertRaisesRegex(hd.HeddleError, "differs in nodes"):
            traffic.again()

    def test_frames_have_exact_integers(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = hd.traffic("fat-tree-64", load=[0.1, 0.9], duration="3us").df
        self.assertEqual(len(frame), 2)
        self.assertEqual(str(frame["measured_ps"].dtype), "int64")
        # A saturated load has no latency.
        self.assertTrue(pandas.isna(frame["latency.mean_ps"][1]))
        self.assertTrue(pandas.api.types.is_integer_dtype(frame["latency.mean_ps"]))
        self.assertIn("<svg", hd.plot(frame, x="load", y="accepted_fraction").svg)

    def test_schedules_are_made_and_replayed(self):
        schedule = hd.schedule("dissemination", ranks=8, size="1KiB")
        self.assertEqual(schedule.info.ranks, 8)
        replay = hd.replay(schedule, "fat-tree-64")
        self.assertEqual(replay.makespan, max(replay["finish_time_ps"]))
        self.assertEqual([row["rank"] for row in replay.rows], list(range(8)))
        (self.folder / "s.goal").write_text(schedule.text)
        self.assertEqual(hd.replay("s.goal", "fat-tree-64").makespan, replay.makespan)

    def test_measurements_become_a_machine(self):
        example = ROOT / "examples/calibrate"
        fit = hd.calibrate(example / "latency.txt", example / "bw.txt", nodes=16)
        self.assertEqual(fit.machine.nodes, 16)
        self.assertGreater(len(fit.rows), 20)
        measured = next(row for row in fit.rows if row["bytes"] == 1024)
        self.assertLess(abs(measured["simulated"] / measured["measured"] - 1), 0.05)
        # And over the topology of another.
        self.assertEqual(hd.calibrate(example / "latency.txt", base="fat-tree-64").machine.nodes, 64)

    def test_computation_is_calibrated(self):
        # A time of 1 s for what was counted: the rate is the count.
        source = "int main(int c, char** v) { volatile long sum = 0; for (int i = 0; i < 1000000; ++i) sum += i * c; return v == 0; }"
        compiled(source, self.folder, "counted", "--count")
        compiled(source, self.folder, "plain")
        found = hd.calibrate(compute="./counted", plain="./plain", native="1s", repeat=1, base="fat-tree-64")
        self.assertEqual(len(found.rows), 1)
        self.assertAlmostEqual(found.count_rate / found.rows[0]["counted"], 1, places=6)
        self.assertEqual(found.runs[0].native, hd.Time("1s"))
        self.assertIn(f"count_rate: {round(found.count_rate)}", found.machine.configuration)

    def test_designs_are_rows(self):
        designs = hd.design(nodes=16, radix=8)
        self.assertGreater(len(designs.rows), 2)
        self.assertTrue(all(row["nodes"] >= 16 and row["radix"] <= 8 for row in designs.rows))

    def test_tuning_keeps_its_rules(self):
        tuning = hd.tune("barrier", 4, "fat-tree-64")
        self.assertIn("# barrier on fat-tree-64", tuning.rules)
        best = min(row["time_ps"] for row in tuning.timed.rows if row["openmpi"] is not None)
        self.assertEqual(tuning.rows[0]["promised_ps"], best)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_things_show_themselves(self):
        machine = hd.Machine("fat-tree-64", {"link.latency": "30ns"})
        self.assertIn("<svg", machine._repr_html_())
        self.assertIn("n63", machine.route(0, 63)._repr_html_())
        self.assertIn("<table>", hd.traffic(machine, load=0.2, duration="2us")._repr_html_())
        self.assertIn("<svg", hd.traffic(machine, load=0.2, duration="2us", svg=True)._repr_html_())
        self.assertIn("srcdoc", hd.Page("<p>hello</p>")._repr_html_())
        self.assertIn("too large", hd.Page("x" * 3_000_000)._repr_html_())

    def test_machines_are_what_they_are_told(self):
        machine = hd.Machine("fat-tree-64", {"link.latency": hd.Time("30ns")})
        self.assertIn("latency: 30ns", machine.configuration)
        machine.save("mine.yaml")
        self.assertEqual(hd.Machine("mine.yaml").configuration, machine.configuration)
        # Files that a description names are looked for where Python works, wherever it is read.
        (self.folder / "three.edges").write_text("switch s\na s\nb s\nc s\n")
        star = hd.Machine({"topology": {"kind": "graph", "file": "three.edges"}})
        self.assertEqual(star.nodes, 3)
        self.assertEqual(hd.replay(hd.schedule("dissemination", ranks=3), star).ranks, 3)
        self.assertEqual(hd.traffic(star, load=0.1, duration="1us").again().nodes, 3)
        slow = machine.but({"link.bandwidth": hd.Rate("10Gbps")})
        self.assertGreater(slow.route(0, 63, size="1MiB").idle_time, machine.route(0, 63, size="1MiB").idle_time)


class Studies(InFolder):
    def test_a_sweep_is_computed_once(self):
        def swept():
            return hd.sweep(
                hd.traffic,
                machine=["fat-tree-64", hd.Machine("fat-tree-64", {"link.latency": "1us"})],
                load=hd.span(0.1, 0.3, 0.1),
                duration="2us",
                settings={"switch.latency": ["50ns", "150ns"]},
            )

        study = swept()
        self.assertEqual(len(study.rows), 2 * 3 * 2)
        self.assertEqual({row["status"] for row in study.rows}, {"done"})
        before = study.results.stat().st_mtime_ns, study.rows
        self.assertEqual(swept().rows, before[1])
        self.assertIn("<svg", study.plot("load", "latency.mean_us", by=["platform", "switch.latency"]).svg)
        self.assertIn("latency.mean_us", study.best("latency.mean_us"))
        # The shell sees the same study.
        shown = subprocess.run([hd.find(), "sweep", "show", "study.yaml"], capture_output=True, text=True)
        self.assertEqual(shown.returncode, 0, shown.stderr)

    def test_others_files_stay(self):
        (self.folder / "study.yaml").write_text("command: traffic\n")
        with self.assertRaisesRegex(hd.HeddleError, "give the study another name"):
            hd.sweep("traffic", load=[0.1])

    def test_interrupted_before_its_first_point_it_is_empty(self):
        def interrupts(_text, _done):
            raise KeyboardInterrupt

        with self.assertRaises(hd.Interrupted) as caught:
            # Its first word comes before or after its first point, and says how many there are.
            hd.sweep(hd.traffic, machine="torus-512", load=0.6, duration="60us", seed=range(1, 4000), progress=interrupts)
        self.assertLess(len(caught.exception.result.rows), 4000)
        nothing = caught.exception.result
        nothing.results = self.folder / "none.sqlite"
        self.assertEqual(nothing.rows, [])
        with self.assertRaisesRegex(hd.HeddleError, "no results of 'study'"):
            hd.Study("study.yaml", "none.sqlite").rows

    def test_interrupted_it_keeps_what_is_done(self):
        script = textwrap.dedent(
            """
            import heddle as hd, sys
            def progress(text, done):
                print(text, done, flush=True)
            try:
                hd.sweep(hd.traffic, machine="torus-512", load=0.6, duration="60us", seed=range(1, 4000),
                         jobs=2, progress=progress)
            except hd.Interrupted as interrupted:
                print("interrupted", len(interrupted.result.rows), flush=True)
            """
        )
        process = subprocess.Popen(
            [sys.executable, "-c", script],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
        )
        first = process.stdout.readline()
        self.assertRegex(first, r"^sweep \d+ of 3999 done.* [0-9.e-]+\n$")
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=60)[0]
        # Points say nothing of their own, however long they take.
        self.assertRegex(rest, r"^(sweep \d+ of 3999 done.*\n)*interrupted \d+\n$")
        # Of what is not known there are no rows.
        self.assertLess(int(rest.split()[-1]), 3999)
        # Nothing is left behind.
        left = subprocess.run(["pgrep", "-f", str(self.folder)], capture_output=True, text=True).stdout
        self.assertEqual(left, "")


class Overhead(unittest.TestCase):
    def test_a_call_costs_little_more_than_the_program(self):
        # In turns, the quickest of each, for people to read.
        bare, called = [], []
        for _ in range(20):
            for times, work in (
                (bare, lambda: subprocess.run([hd.find(), "params", "link.latency", "--json=-"], stdout=subprocess.DEVNULL)),
                (called, lambda: hd.command("params", "link.latency")),
            ):
                begin = time.perf_counter()
                work()
                times.append(time.perf_counter() - begin)
        extra = min(called) - min(bare)
        print(f"a call takes {1e3 * extra:.2f} ms more than the program's {1e3 * min(bare):.2f} ms")

    def test_nothing_waits_by_looking_now_and_then(self):
        def sleeps(_seconds):
            self.fail("it looks now and then")

        if not hasattr(os, "pidfd_open"):
            self.skipTest("this Python cannot wait for processes with a limit")
        looks = program._LOOKS_PER_SECOND
        self.addCleanup(setattr, program, "_LOOKS_PER_SECOND", looks)
        self.addCleanup(setattr, time, "sleep", time.sleep)
        # Once in a quarter of an hour: whoever waited for the next look would still be here.
        program._LOOKS_PER_SECOND, time.sleep = 1 / 900, sleeps
        self.assertEqual(hd.command("params", "link.latency", progress=lambda *_: None)["schema"], "heddle.params/1")
        self.assertEqual(hd.command("params", "link.latency", progress=False)["schema"], "heddle.params/1")


if __name__ == "__main__":
    unittest.main()
