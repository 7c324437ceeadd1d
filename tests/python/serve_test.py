"""`heddle serve`: what it does for its page, and what it refuses everybody else."""

import http.client
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time
import unittest

from common import InFolder, compiled

HEDDLE = os.environ["HEDDLE"]
if not (pathlib.Path(HEDDLE).parent / "heddle-serve").exists():
    print("left out: heddle was built without its server")
    sys.exit(77)

ENDLESS = """
#include <heddle.h>
int main(void) {
  for (;;) heddle_compute(1e-6);
}
"""


class Serve(InFolder):
    def setUp(self):
        super().setUp()
        self.process = subprocess.Popen([HEDDLE, "serve", "."], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.stop)
        self.address = self.process.stdout.readline().strip()
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", self.address)
        self.assertTrue(match, self.address)
        self.port, self.token = int(match.group(1)), match.group(2)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
        self.process.stdout.close()

    def ask(self, method, path, body=None, headers=None, token=True):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            sent = dict({"X-Heddle-Token": self.token} if token else {}, **(headers or {}))
            text = body if isinstance(body, (str, bytes, type(None))) else json.dumps(body)
            connection.request(method, path, text, sent)
            answer = connection.getresponse()
            return answer.status, answer.read(), dict(answer.getheaders())
        finally:
            connection.close()

    def order(self, **order):
        status, text, _ = self.ask("POST", "/api/runs", order)
        return status, json.loads(text)

    def finished(self, **order):
        status, answer = self.order(**order)
        self.assertEqual(status, 200, answer)
        for _ in range(1200):
            run = json.loads(self.ask("GET", f"/api/runs/{answer['run']}")[1])
            if run["state"] != "running":
                return run
            time.sleep(0.05)
        self.fail("it does not end")

    def left(self):
        """Processes of ours that still run, and files that are still there."""
        found = subprocess.run(["pgrep", "-f", str(self.folder)], capture_output=True, text=True).stdout
        return found.split(), [path.name for path in self.folder.iterdir() if path.name.startswith(".heddle")]

    def test_it_does_what_the_page_asks_for(self):
        status, page, headers = self.ask("GET", f"/?token={self.token}", token=False)
        self.assertEqual(status, 200)
        self.assertIn(b"<title>Heddle</title>", page)
        self.assertNotIn(b"NONCE", page)
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        topo = self.finished(command="topo", platform="fat-tree-64", options={"route": ["0", "63"], "size": "1MiB"})
        self.assertEqual(topo["result"]["route"]["idle_time"], "84.99 us")
        self.assertIn(b"<svg", self.ask("GET", f"/runs/{topo['run']}/drawing.svg?token={self.token}", token=False)[1])
        traffic = self.finished(command="traffic", platform="fat-tree-64", options={"load": "0.2", "duration": "2us"})
        self.assertEqual(len(traffic["result"]["runs"]), 1)
        self.assertEqual(traffic["words"], ["traffic", "--platform=fat-tree-64", "--duration=2us", "--load=0.2"])
        edited = self.finished(command="topo", machine="topology: {kind: torus, dims: 4x4}\n")
        self.assertEqual(edited["result"]["nodes"], 16)
        # Files that it names are those of the folder.
        (self.folder / "three.edges").write_text("switch s\na s\nb s\nc s\n")
        edited = self.finished(command="topo", machine="topology: {kind: graph, file: three.edges}\n")
        self.assertEqual(edited["result"]["nodes"], 3)
        # What "Edit" puts there names them by their whole path.
        (self.folder / "mine.yaml").write_text("topology: {kind: graph, file: three.edges}\n")
        text = self.finished(command="topo", platform="./mine.yaml", options={"print-config": "yes"})["stdout"]
        self.assertIn(f"file: {self.folder.resolve()}/three.edges", text)
        self.assertEqual(self.finished(command="topo", machine=text)["result"]["nodes"], 3)
        wrong = self.finished(command="topo", machine="topology: {kind: torus, dims: 4x4}\nlink: {latency: soon}\n")
        self.assertEqual((wrong["state"], wrong["error"]["line"]), ("failed", 2))
        self.stop()
        self.assertEqual(self.left(), ([], []))

    def test_programs_run_are_compared_and_stopped(self):
        compiled(ENDLESS, self.folder, "endless")
        compiled("int main(void) { return 0; }", self.folder, "short")
        files = json.loads(self.ask("GET", "/api/files")[1])
        self.assertEqual(files["programs"], ["endless", "short"])
        runs = [self.finished(command="run", program=["short"], options={"ranks": str(n)}) for n in (2, 4)]
        self.assertEqual([run["result"]["outcome"] for run in runs], ["ended", "ended"])
        status, endless = self.order(command="run", program=["endless"], options={"ranks": "2"})
        self.assertEqual(status, 200)
        self.assertEqual(json.loads(self.ask("GET", f"/api/runs/{endless['run']}")[1])["state"], "running")
        self.assertNotEqual(self.left()[0], [])
        self.assertEqual(self.ask("DELETE", f"/api/runs/{endless['run']}")[0], 200)
        self.assertEqual(self.ask("GET", f"/api/runs/{endless['run']}")[0], 400)
        for _ in range(4):
            self.order(command="run", program=["endless"], options={"ranks": "2"})
        status, refused = self.order(command="topo", platform="fat-tree-64")
        self.assertEqual((status, refused["problem"]), (400, "enough is running already: wait for it, or stop something"))
        # The server's end is theirs.
        self.stop()
        self.assertEqual(self.left(), ([], []))

    def test_strangers_are_refused(self):
        for path in ("/", "/api/files", "/api/runs/1", "/runs/1/page.html"):
            self.assertEqual(self.ask("GET", path, token=False)[0], 403)
            self.assertEqual(self.ask("GET", path + "?token=" + "0" * 32, token=False)[0], 403)
        self.assertEqual(self.ask("POST", f"/api/runs?token={self.token}", {}, token=False)[0], 403)
        for headers in ({"Origin": "http://example.org"}, {"Origin": "null"}, {"Host": f"example.org:{self.port}"}):
            self.assertEqual(self.ask("GET", "/api/files", headers=headers)[0], 403, headers)
        own = f"http://127.0.0.1:{self.port}"
        self.assertEqual(self.ask("GET", "/api/files", headers={"Origin": own})[0], 200)
        # It listens on this computer alone.
        listening = pathlib.Path("/proc/net/tcp").read_text() + pathlib.Path("/proc/net/tcp6").read_text()
        mine = [line.split()[1] for line in listening.splitlines() if line.split()[1].endswith(f":{self.port:04X}")]
        self.assertTrue(all(place.startswith("0100007F:") for place in mine if place), mine)

    def test_nothing_outside_the_folder_is_touched(self):
        os.symlink("/etc/hostname", "link.yaml")
        os.symlink("/etc", "link")
        for order in (
            {"command": "topo", "platform": "/etc/passwd"},
            {"command": "topo", "platform": "../x.yaml"},
            {"command": "topo", "platform": "./link.yaml"},
            {"command": "topo", "machine": "topology: {kind: graph, file: /etc/passwd}"},
            {"command": "topo", "machine": 'topology: {kind: graph, file: "a/../../x"}'},
            # What YAML makes of these is ../x and /etc/passwd.
            {"command": "topo", "machine": 'topology: {kind: graph, file: "\\x2e\\x2e/x"}'},
            {"command": "topo", "machine": 'topology: {kind: graph, file: "\\u002fetc/passwd"}'},
            {"command": "topo", "machine": 'topology: {kind: graph, file: ".\\\n./x"}'},
            {"command": "topo", "machine": "topology: {kind: graph, file: link.yaml}"},
            {"command": "topo", "machine": "topology: {kind: graph, file: link/passwd}"},
            {"command": "run", "settings": {"mpi.rules": "link.yaml"}},
            {"command": "replay", "schedule": "../../etc/passwd"},
            {"command": "run", "program": ["/bin/ls"]},
            {"command": "run", "program": []},
            {"command": "run", "program": ["../x"]},
            {"command": "traffic", "options": {"json": "x.json"}},
            {"command": "traffic", "options": {"load": "0.1", "svg": "x.svg"}},
            {"command": "replay", "options": {"map": "file:/etc/passwd"}},
            {"command": "run", "settings": {"mpi.rules": "/etc/passwd"}},
            {"command": "topo", "settings": {"a=b --svg": "x"}},
            {"command": "topo", "options": {"route": ["--svg=x.svg", "0"]}},
            {"command": "sweep"},
            {"command": "again"},
            {"command": 7},
            ["topo"],
        ):
            status, text, _ = self.ask("POST", "/api/runs", order)
            self.assertEqual(status, 400, (order, text))
            self.assertIn("problem", json.loads(text))
        self.assertEqual({path.name for path in self.folder.iterdir() if path.name[0] != "."}, {"link", "link.yaml"})

    def test_it_survives_a_thousand_random_orders(self):
        # What a page could ask for, with anything in place of anything: it is refused, or run and forgotten.
        dice = random.Random(11)
        values = ["fat-tree-64", "topology: {kind: torus, dims: 2x2}", "", "-", "0", "..", "\0", "\ud800", "x" * 5000, 7, -1, 1.5, None, True, [], {}]
        values += [["0", "1"], {"link.latency": "1ns"}, {"load": "0.1", "duration": "100ns"}, {"route": ["0", 1]}, ["1", "2"]]
        names = ["command", "platform", "machine", "options", "settings", "program", "schedule", "runs", "other"]
        commands = ["topo", "traffic", "replay", "run", "report", "platforms", "sweep", "", 0]
        done = 0
        for _ in range(1000):
            order = {name: dice.choice(values) for name in dice.sample(names, dice.randrange(len(names)))}
            if dice.random() < 0.9:
                order["command"] = dice.choice(commands)
            status, text, _ = self.ask("POST", "/api/runs", order)
            self.assertIn(status, (200, 400), (order, text))
            answer = json.loads(text)
            if status == 200:
                done += 1
                self.assertEqual(self.ask("DELETE", f"/api/runs/{answer['run']}")[0], 200)
            else:
                self.assertIsInstance(answer["problem"], str)
        self.assertGreater(done, 10)
        self.assertIsNone(self.process.poll())
        (own,) = [path for path in self.folder.iterdir() if path.name.startswith(".heddle")]
        self.assertEqual(list(own.iterdir()), [])
        self.stop()
        self.assertEqual(self.left(), ([], []))

    def test_it_survives_a_thousand_random_requests(self):
        dice = random.Random(7)
        pieces = ["/", "api", "runs", "1", "..", "%2e%2e", "page.html", "?token=", "&", "\\", "%00", "~", "a" * 300, "{}", "999999999"]
        for number in range(1000):
            path = "/" + "".join(dice.choice(pieces) for _ in range(dice.randrange(6)))
            body = bytes(dice.randrange(256) for _ in range(dice.randrange(60))) if number % 3 else b'{"command":"topo","options":[]}'
            try:
                status = self.ask(dice.choice(["GET", "POST", "DELETE", "PUT"]), path, body, token=number % 2 == 0)[0]
                self.assertIn(status, (200, 400, 403, 404, 413, 414), path)
            except http.client.HTTPException:
                pass  # It may hang up on what is no HTTP.
        self.assertEqual(self.ask("GET", "/api/files")[0], 200)
        self.assertIsNone(self.process.poll())
        self.stop()
        self.assertEqual(self.left(), ([], []))


if __name__ == "__main__":
    unittest.main()
