"""Which sources scripts/lint joins, and which it takes for headers."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
PATH = str(pathlib.Path(__file__).resolve().parents[2] / "scripts/lint")
LOADER = importlib.machinery.SourceFileLoader("lint", PATH)
lint = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint", LOADER))
LOADER.exec_module(lint)


class Lint(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)

    def file(self, name, text=""):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def test_options_are_those_of_the_build_without_its_files(self):
        self.assertEqual(lint.options_of("/usr/bin/c++ -DA='x y' -Isrc -Winvalid-pch -include p.hxx -std=c++20 -o a.o -c a.cpp"),
                         ["-DA=x y", "-Isrc", "-std=c++20"])

    def test_a_piece_is_what_a_build_joins_tests_left_out(self):
        a, b = self.file("src/core/a.cpp"), self.file("src/core/b.cpp")
        both = self.file("build/core.dir/Unity/unity_0_cxx.cxx", f'#include "{a}"\n\n#include "{b}"\n')
        alone, test = self.file("src/core/c.cpp"), self.file("tests/core/a_test.cpp")
        commands = [{"file": str(path), "command": f"c++ -O2 -c {path}"} for path in (both, alone, test)]
        pieces = list(lint.pieces_of(commands, self.root))
        self.assertEqual([piece.sources for piece in pieces], [[a, b], [alone]])
        self.assertEqual([piece.name for piece in pieces], ["core-Unity-unity_0_cxx", "src-core-c"])

    def test_small_pieces_of_different_layers_are_one(self):
        def piece(layer, sources):
            return lint.Piece(layer, ["-O2", f"-D{layer}"], [f"{layer}{i}" for i in range(sources)], {layer})

        groups = lint.together([piece("nic", 3), piece("core", 5), piece("nic", 2), piece("mpi", lint.MOST_JOINED)])
        self.assertEqual([[len(one.sources) for one in group] for group in groups], [[lint.MOST_JOINED] * 2, [8, 5, 3], [2, 2]])
        self.assertEqual(groups[1][0].options, ["-O2", "-Dcore", "-Dnic"])

    def test_a_header_is_looked_at_by_its_source_or_by_one_that_includes_it_near_by(self):
        own, source = self.file("src/core/a.hpp"), self.file("src/core/a.cpp", '#include "core/a.hpp"\n')
        free = self.file("src/nic/b.hpp")
        self.file("src/host/x.cpp", '#include "nic/b.hpp"\n')
        near = self.file("src/nic/y.cpp", '#include "nic/b.hpp"\n')
        unused = self.file("src/nic/c.hpp")
        self.assertEqual(lint.with_sources_for_headers([own, source, free, unused], self.root), [source, near])


if __name__ == "__main__":
    unittest.main()
