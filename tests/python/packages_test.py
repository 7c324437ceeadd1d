"""What is made for others: releases, the site, the recipes of packages."""

import ast
import filecmp
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import unittest
import zipfile

from common import ROOT, InFolder


def version():
    return re.search(r"^project\(heddle VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)


class Versions(unittest.TestCase):
    def test_they_are_the_same_everywhere(self):
        said = subprocess.run([os.environ["HEDDLE"], "--version"], capture_output=True, text=True).stdout
        self.assertTrue(said.startswith(f"heddle {version()} (commit "), said)
        for path, line in (
            ("python/pyproject.toml", f'version = "{version()}"'),
            ("CHANGELOG.md", f"## {version()}"),
            ("packages/spack/packages/heddle/package.py", f'version("{version()}")'),
        ):
            self.assertIn(line, (ROOT / path).read_text(), path)

    def test_the_spack_recipe_asks_for_what_cmake_looks_for(self):
        recipe = (ROOT / "packages/spack/packages/heddle/package.py").read_text()
        ast.parse(recipe)
        wanted = re.findall(r"^(?:find_package|pkg_check_modules)\((\w[\w-]*)(?: REQUIRED)", (ROOT / "CMakeLists.txt").read_text(), re.M)
        names = {"Threads": None, "PkgConfig": "pkgconfig", "nlohmann_json": "nlohmann-json", "ZLIB": "zlib-api", "SQLite3": "sqlite"}
        self.assertGreater(len(wanted), 8)
        for name in wanted:
            package = names.get(name, name.lower())
            if package is not None:
                self.assertIn(f'depends_on("{package}', recipe)


class Releases(InFolder):
    def test_a_tarball_has_all_that_it_takes_to_build_without_git_and_npm(self):
        if not (ROOT / ".git").exists():
            self.skipTest("this is a release")
        (self.folder / "page.html").write_text("<!doctype html><title>page</title>")
        for number in range(2):  # The same commit gives the same bytes.
            subprocess.run([ROOT / "scripts/dist", "page.html", "out"], check=True, capture_output=True)
            os.rename(f"out/heddle-{version()}.tar.gz", f"out/{number}.tar.gz")
        self.assertTrue(filecmp.cmp("out/0.tar.gz", "out/1.tar.gz", shallow=False))
        with tarfile.open("out/0.tar.gz") as archive:
            archive.extractall(".")
        unpacked = self.folder / f"heddle-{version()}"
        commit = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
        self.assertEqual((unpacked / ".commit").read_text().strip(), commit)
        # Its commit is told also inside somebody else's repository.
        subprocess.run(["git", "init", "-q", "."], check=True)
        header = self.folder / "commit.hpp"
        script = unpacked / "cmake/commit.cmake"
        subprocess.run(["cmake", f"-DOUTPUT={header}", f"-DSOURCE={unpacked}", "-P", script], check=True)
        self.assertIn(f'"{commit}"', header.read_text())
        # And it is set up without looking for npm: the page is there.
        done = subprocess.run(
            ["cmake", "-S", unpacked, "-B", "build", "-G", "Ninja", "-DNPM=NPM-NOTFOUND", "-DBUILD_TESTING=OFF"],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("without the page", done.stderr)
        self.assertIn(f"{unpacked}/report-page/page.html", (self.folder / "build/build.ninja").read_text())


class Wheel(InFolder):
    def test_it_is_all_that_a_python_needs(self):
        build = pathlib.Path(os.environ["HEDDLE"]).parent
        if not (build / "manual/heddle.1").exists():
            self.skipTest("not everything is built")
        try:
            import setuptools  # noqa: F401
            import wheel  # noqa: F401
        except ImportError as error:
            self.skipTest(str(error))
        done = subprocess.run([ROOT / "scripts/wheel", build, "out"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        (made,) = pathlib.Path("out").glob("*.whl")
        # The module is for one version of Python; the program alone would do with any.
        has_module = any((build / "python").glob("_core*.so"))
        this = f"cp{sys.version_info[0]}{sys.version_info[1]}"
        self.assertRegex(made.name, rf"^heddle-{version()}-{f'{this}-{this}' if has_module else 'py3-none'}-linux_\w+\.whl$")
        # Unpacked as installers do, in a folder of its own: neither $HEDDLE nor PATH lead to another heddle.
        with zipfile.ZipFile(made) as archive:
            for member in archive.infolist():
                path = archive.extract(member, "site")
                os.chmod(path, os.stat(path).st_mode | member.external_attr >> 16)
        uses = "import heddle as hd; print(hd.find()); print(hd.Machine('fat-tree-64').nodes)"
        if has_module:
            uses += "; s = hd.Simulator('fat-tree-64'); s.send(0, 63, '1MiB'); print(s.run())"
        environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": "site"}
        done = subprocess.run([sys.executable, "-c", uses], capture_output=True, text=True, env=environment)
        expected = [str(self.folder / "site/heddle/prefix/bin/heddle"), "64"] + (["84.99 us"] if has_module else [])
        self.assertEqual(done.stdout.split("\n")[:-1], expected, done.stderr)


class Site(InFolder):
    def test_every_page_is_on_it_and_no_link_leads_nowhere(self):
        if shutil.which("mkdocs") is None:
            self.skipTest("mkdocs is not installed")
        done = subprocess.run([ROOT / "scripts/site", os.environ["HEDDLE"], "site"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        pages = {path.name: path.read_text() for path in (self.folder / "site").glob("*.html")}
        for path in (ROOT / "docs").glob("*.md"):
            self.assertIn(f"{path.stem}.html", pages)
        for name, text in pages.items():
            # Nothing is loaded from elsewhere.
            self.assertEqual(re.findall(r'<(?:script|img|link)[^>]* (?:src|href)="https?:[^"]*"', text), [], name)
            for target, anchor in re.findall(r'href="([^"#:]*)#([^"]+)"', text):
                page = pages.get(target or name, "")
                self.assertIn(f'id="{anchor}"', page, f"{name}: {target}#{anchor}") if page else None
        self.assertIn('id="heddle-goal-gen"', pages["manual.html"])
        self.assertIn("heddle.run-1.schema.json", pages["schemas.html"])


if __name__ == "__main__":
    unittest.main()
