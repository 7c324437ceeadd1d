"""heddle._core: messages driven from Python. $HEDDLE_MODULE is the folder that it was built into."""

import gc
import os
import re
import subprocess
import sys
import time
import unittest
import weakref

from common import ROOT, InFolder

import heddle as hd

hd.__path__.append(os.environ["HEDDLE_MODULE"])


class Callbacks(InFolder):
    def test_a_message_takes_what_the_program_says(self):
        for model in ("queue", "fluid", "packet", "loggops"):
            machine = hd.Machine("fat-tree-64", {"link.latency": "30ns", "network.model": model})
            simulator, arrivals = hd.Simulator(machine), []
            simulator.send(0, 63, "1MiB", lambda: arrivals.append(simulator.now))
            self.assertEqual(simulator.run(), arrivals[0])
            self.assertEqual(arrivals, [machine.route(0, 63, size="1MiB", network=model).idle_time], model)

    def test_names_of_nodes_and_calls_at_times(self):
        simulator, seen = hd.Simulator("fat-tree-64"), []
        simulator.at("2us", lambda: seen.append("second"))
        simulator.at("1us", lambda: (seen.append("first"), simulator.send("n0", "n1", 8, lambda: seen.append("third"))))
        simulator.run()
        self.assertEqual(seen, ["first", "third", "second"])

    def test_up_to_a_time(self):
        simulator, seen = hd.Simulator("fat-tree-64"), []
        for microsecond in (1, 2, 3):
            simulator.at(f"{microsecond}us", lambda m=microsecond: seen.append(m))
        self.assertEqual(simulator.run(until="2.5us"), hd.Time("2.5us"))
        self.assertEqual(seen, [1, 2])
        self.assertEqual(simulator.run(), hd.Time("3us"))
        with self.assertRaisesRegex(hd.InputError, "is past: accepted is 3000000 ps or later"):
            simulator.at("1us", print)

    def test_what_a_callback_raises_stops_nothing_for_ever(self):
        simulator, seen = hd.Simulator("fat-tree-64"), []
        simulator.at("1us", lambda: 1 // 0)
        simulator.at("1us", lambda: seen.append(simulator.now))
        with self.assertRaises(ZeroDivisionError):
            simulator.run()
        self.assertEqual(simulator.run(), hd.Time("1us"))
        self.assertEqual(seen, [hd.Time("1us")])

    def test_every_machine_can_be_simulated_on(self):
        for machine in hd.platforms().column("name"):
            simulator = hd.Simulator(machine)
            simulator.send(0, simulator.nodes - 1, 8)
            self.assertGreater(simulator.run(), 0, machine)
        self.assertEqual(hd.Simulator({"topology": {"kind": "torus", "dims": "4x4"}}).nodes, 16)
        (self.folder / "three.edges").write_text("switch s\na s\nb s\nc s\n")
        self.assertEqual(hd.Simulator({"topology": {"kind": "graph", "file": "three.edges"}}).nodes, 3)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["three.edges"])

    def test_equal_simulations_are_equal(self):
        def fingerprint(seed):
            simulator = hd.Simulator(hd.Machine("dragonfly-72", {"topology.routing": "valiant"}), seed)
            for node in range(1, simulator.nodes):
                simulator.send(node, 0, 4096)
            simulator.run()
            return simulator.fingerprint

        self.assertEqual(fingerprint(1), fingerprint(1))
        self.assertNotEqual(fingerprint(1), fingerprint(2))

    def test_nothing_is_kept_for_ever(self):
        # Functions that wait know their simulator, which knows them.
        simulator = hd.Simulator("fat-tree-64")
        simulator.at("1us", lambda: simulator.now)
        gone = weakref.ref(simulator)
        del simulator
        gc.collect()
        self.assertIsNone(gone())

    def test_it_can_be_interrupted(self):
        # Also where no callback of Python's would notice.
        script = (
            "import heddle as hd, os, signal, sys, threading\n"
            f"hd.__path__.append({os.environ['HEDDLE_MODULE']!r})\n"
            "simulator = hd.Simulator(hd.Machine('fat-tree-64', {'network.model': 'packet'}))\n"
            "for node in range(1, 64):\n"
            "    simulator.send(node, 0, '1GiB')\n"
            "signal.setitimer(signal.ITIMER_REAL, 0.2)\n"
            "signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
            "try:\n"
            "    simulator.run()\n"
            "except KeyboardInterrupt:\n"
            "    print('interrupted', simulator.now > 0)\n"
        )
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, timeout=60)
        self.assertEqual(done.stdout, "interrupted True\n", done.stderr)


class Processes(InFolder):
    def test_coroutines_are_processes(self):
        # Two rounds of ping, pong and a pause: the pong of the last round comes after its pause or
        # before, whichever is longer.
        def played():
            simulator = hd.Simulator("fat-tree-64")
            mail = simulator.channel("mail")

            async def ping():
                for _ in range(2):
                    await simulator.message(0, 63, "4KiB")
                    mail.put(simulator.now)
                    await simulator.sleep("1us")

            async def pong():
                for _ in range(2):
                    self.assertEqual(await mail.get(), simulator.now)
                    await simulator.message(63, 0, "4KiB")

            simulator.spawn(ping())
            simulator.spawn(pong())
            return simulator.run(), simulator.fingerprint

        alone = hd.Machine("fat-tree-64").route(0, 63, size="4KiB").idle_time
        end, fingerprint = played()
        # pong is at the second message when ping and the first pong are through.
        second = max(2 * alone + hd.Time("1us"), 2 * alone)
        self.assertEqual(end, max(second + alone, second + hd.Time("1us")))
        self.assertEqual(played(), (end, fingerprint))

    def test_processes_are_awaited_and_answer(self):
        simulator = hd.Simulator("fat-tree-64")

        async def worker(node):
            await simulator.message(node, 0, "4KiB")
            return node

        async def all_of_them():
            workers = [simulator.spawn(worker(node), f"worker {node}") for node in range(1, 5)]
            return [await one for one in workers]

        process = simulator.spawn(all_of_them())
        self.assertRegex(repr(process), "waits for its start")
        simulator.run()
        self.assertEqual((process.ended, process.result), (True, [1, 2, 3, 4]))

    def test_values_go_to_who_waited_longest(self):
        simulator, seen = hd.Simulator("fat-tree-64"), []
        mail = simulator.channel()

        async def reader(name):
            seen.append((name, await mail.get()))

        async def writer():
            await simulator.sleep("1us")
            for value in range(3):
                mail.put(value)
            self.assertEqual(len(mail), 1)

        for name in "ab":
            simulator.spawn(reader(name))
        simulator.spawn(writer())
        simulator.run()
        self.assertEqual(seen, [("a", 0), ("b", 1)])
        simulator.spawn(reader("c"))
        simulator.run()
        self.assertEqual(seen[2], ("c", 2))

    def test_who_waits_for_ever_is_told(self):
        simulator = hd.Simulator("fat-tree-64")

        async def waits():
            await simulator.channel("the mailbox").get()

        for number in range(12):
            simulator.spawn(waits(), f"receiver {number}")
        with self.assertRaisesRegex(hd.Deadlock, "receiver 0 waits for a value from the mailbox; .* and 2 more wait"):
            simulator.run()

    def test_mistakes_of_a_process_are_raised_in_it(self):
        simulator, caught = hd.Simulator("fat-tree-64"), []

        async def careful():
            try:
                await simulator.message(0, 64, 8)
            except hd.InputError as error:
                caught.append(str(error))
            await simulator.sleep("1us")

        async def careless():
            import asyncio

            await asyncio.sleep(1)

        simulator.spawn(careful())
        self.assertEqual(simulator.run(), hd.Time("1us"))
        self.assertEqual(caught, ["there is no node 64: accepted is 0 to 63"])
        simulator.spawn(careless())
        with self.assertRaisesRegex((TypeError, RuntimeError), "accepted is what a Simulator gives|no running event loop"):
            simulator.run()
        simulator.run()


class Mistakes(InFolder):
    def test_they_are_told_as_on_the_command_line(self):
        for settings in ({"link.latncy": "1ns"}, {"link.latency": "soon"}):
            machine = hd.Machine("fat-tree-64", settings)
            with self.assertRaises(hd.InputError) as told:
                machine.nodes
            with self.assertRaises(hd.InputError) as raised:
                hd.Simulator(machine)
            for member in ("problem", "file", "line", "column", "status"):
                self.assertEqual(getattr(raised.exception, member), getattr(told.exception, member), member)
            self.assertEqual(str(raised.exception), str(told.exception))

    def test_a_mistake_in_a_file_has_its_place(self):
        (self.folder / "m.yaml").write_text("topology: {kind: torus, dims: 4x4}\nlink:\n  latency: soon\n")
        with self.assertRaises(hd.InputError) as caught:
            hd.Simulator("m.yaml")
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column), ("m.yaml", 3, 12))
        self.assertEqual(str(error), f"m.yaml:3:12: {error.problem}")

    def test_nodes_and_sizes(self):
        simulator = hd.Simulator("fat-tree-64")
        with self.assertRaisesRegex(hd.InputError, "there is no node 64: accepted is 0 to 63"):
            simulator.send(0, 64, 8)
        with self.assertRaisesRegex(hd.InputError, "'nobody' is not a node of fat-tree-64"):
            simulator.send("nobody", 0, 8)
        with self.assertRaises(hd.InputError):
            simulator.send(0, 1, -8)

    def test_without_the_module(self):
        script = "import heddle as hd\ntry:\n    hd.Simulator('quito')\nexcept hd.Missing as error:\n    print(error)\n"
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
        self.assertRegex(done.stdout, r"^heddle\._core, which simulators need, is not there")


class Documentation(InFolder):
    def test_what_the_page_shows_runs(self):
        text = (ROOT / "docs/python.md").read_text()
        shown = re.search(r"## Messages one by one\n(?:.*\n)*?\n((?:    .*\n|\n)+)", text).group(1)
        code = "\n".join(line[4:] for line in shown.splitlines())
        self.assertIn("sim.run()", code)
        exec(compile(code, "python.md", "exec"), {"hd": hd})


class Speed(unittest.TestCase):
    def test_many_messages(self):
        # How fast is printed, for people: each message calls back, or lets a process go on, and
        # sends the next.
        count = 20_000

        def by_callbacks(simulator):
            left = count

            def go_on():
                nonlocal left
                left -= 1
                if left > 0:
                    simulator.send(left % 64, (left + 17) % 64, 4096, go_on)

            simulator.send(0, 1, 4096, go_on)
            simulator.run()
            self.assertEqual(left, 0)

        def by_a_process(simulator):
            async def sender():
                for number in range(count):
                    await simulator.message(number % 64, (number + 17) % 64, 4096)

            simulator.spawn(sender())
            simulator.run()

        for way in (by_callbacks, by_a_process):
            simulator = hd.Simulator("fat-tree-64")
            begin = time.perf_counter()
            way(simulator)
            minute = count / (time.perf_counter() - begin) * 60 / 1e6
            print(f"{way.__name__}: {minute:.1f} million messages a minute")


if __name__ == "__main__":
    unittest.main()
