"""What scripts/check-alone finds without a compiler."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
PATH = str(pathlib.Path(__file__).resolve().parents[2] / "scripts/check-alone")
LOADER = importlib.machinery.SourceFileLoader("alone", PATH)
alone = importlib.util.module_from_spec(importlib.util.spec_from_loader("alone", LOADER))
LOADER.exec_module(alone)

ENGINE = "#pragma once\nnamespace a {\n/// Runs.\nclass Engine final : public Part {\n  int turns_per_second() const;\n};\n}\n"
UNITS = "#pragma once\nnamespace a {\nconstexpr int kTurns = 3;\nusing Ratio = double;\nint turns_of(const Engine& engine);\n}\n"


class Names(unittest.TestCase):
    def missing(self, **files):
        with tempfile.TemporaryDirectory() as folder:
            alone.ROOT = pathlib.Path(folder)
            for name, text in files.items():
                stem, _, suffix = name.rpartition("_")
                path = alone.ROOT / "src" / f"{stem}.{suffix}"
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
            every = sorted((alone.ROOT / "src").rglob("*.?pp"))
            names = alone.OwnNames(every, alone.Includes())
            return [problem for p in every for problem in names.missing(p)]

    def test_a_type_wants_a_header_that_declares_it(self):
        self.assertEqual(self.missing(engine_hpp=ENGINE, user_cpp="void f(a::Engine& e);\n"),
                         ['src/user.cpp says Engine and nothing it includes declares it, as "engine.hpp" does'])

    def test_a_header_may_come_by_another(self):
        self.assertEqual(self.missing(engine_hpp=ENGINE, all_hpp='#include "engine.hpp"\n', user_cpp='#include "all.hpp"\nEngine e;\n'), [])

    def test_a_declaration_without_a_definition_suffices(self):
        self.assertEqual(self.missing(engine_hpp=ENGINE, user_cpp="class Engine;\nvoid f(Engine& e);\n"), [])

    def test_constants_and_functions_are_meant_too(self):
        said = self.missing(engine_hpp=ENGINE, units_hpp='#include "engine.hpp"\n' + UNITS, user_cpp="int n = turns_of(x) * kTurns;\nRatio r;\n")
        self.assertEqual([problem.split()[2] for problem in said], ["Ratio", "kTurns", "turns_of"])

    def test_members_texts_and_comments_are_not(self):
        self.assertEqual(self.missing(engine_hpp=ENGINE, units_hpp='#include "engine.hpp"\n' + UNITS,
                                      user_cpp='// Engine\nconst char* s = "Ratio";\nint a = x.turns_of(1) + y->turns_of(2);\n'), [])

    def test_names_of_ones_own_are_not(self):
        self.assertEqual(self.missing(engine_hpp=ENGINE, user_cpp="struct Other::Engine {\n};\nEngine e;\n"), [])
        self.assertEqual(self.missing(engine_hpp=ENGINE, user_cpp="template <auto Engine>\nint f() { return Engine(); }\n"), [])


if __name__ == "__main__":
    unittest.main()
