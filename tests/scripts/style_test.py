"""What scripts/check-style finds and mends."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
PATH = str(pathlib.Path(__file__).resolve().parents[2] / "scripts/check-style")
LOADER = importlib.machinery.SourceFileLoader("style", PATH)
style = importlib.util.module_from_spec(importlib.util.spec_from_loader("style", LOADER))
LOADER.exec_module(style)


def loose(text):
    code = style.blanked(text)
    return [style.line_of(code, end) for end, _ in style.loose_bodies(code)]


class Braces(unittest.TestCase):
    def test_a_body_on_a_line_of_its_own_wants_them(self):
        self.assertEqual(loose("if (a)\n  b();\nelse\n  c();\n"), [1, 3])
        self.assertEqual(loose("for (int i = 0; i < f(2);\n     ++i)\n  b();\n"), [2])
        self.assertEqual(loose("if constexpr (a)\n  b();\n"), [1])

    def test_what_is_on_one_line_or_has_them_is_left(self):
        self.assertEqual(loose("if (a) b();\nwhile (c(d)) {\n  e();\n}\nif (x) {\n} else if (y) {\n} else {\n}\ndo {\n} while (z);\n"), [])

    def test_words_in_texts_and_comments_are_not_meant(self):
        self.assertEqual(loose('// if (a)\nf("for (b)\\n"\n  "c");\nR"(while (d)\n  e)";\n'), [])

    def test_they_are_added_around_the_whole_statement(self):
        self.assertEqual(style.with_braces("if (a)\n  f([&] { b(); }, 1);\nc();\n"), "if (a) {\n  f([&] { b(); }, 1);\n}\nc();\n")

    def test_nested_statements_get_one_pair_each(self):
        self.assertEqual(style.with_braces("for (;;)\n  if (a)\n    b();\n"), "for (;;) {\n  if (a) {\n    b();\n}\n}\n")

    def test_an_else_belongs_to_the_statement(self):
        self.assertEqual(style.with_braces("while (x)\n  if (a) {\n  } else {\n  }\ny();\n"),
                         "while (x) {\n  if (a) {\n  } else {\n  }\n}\ny();\n")


class Conditionals(unittest.TestCase):
    def found(self, text):
        return len(list(style.idle_conditionals(style.blanked(text))))

    def test_whose_value_nobody_takes_are_found(self):
        self.assertEqual(self.found("{\n  a ? b() : c();\n}\n"), 1)
        self.assertEqual(self.found("f();\nobject.is(x) && y ? g(1) : h(2);\n"), 1)

    def test_values_are_taken_by_assignments_arguments_lists_and_returns(self):
        for text in ("{ x = a ? b : c; }", "{ f(a ? b : c); }", "{ return a ? b : c; }", "T t{a, b ? c : d};", "{ const T t = a ? T{} : b ? c : d; }",
                     "for (; up ? r < n : r > n; ++r) {\n}"):
            self.assertEqual(self.found(text), 0, text)

    def test_become_if(self):
        self.assertEqual(style.with_conditions("{\n  a && f(b::c) ? g(1) : h(2, x ? 1 : 2);\n}\n"),
                         "{\n  if (a && f(b::c)) {\ng(1);\n} else {\nh(2, x ? 1 : 2);\n}\n}\n")


class Methods(unittest.TestCase):
    def test_are_neither_constructors_nor_operators_nor_what_is_the_compilers(self):
        body = ("A();\nexplicit A(int b) : b_(b) {}\n~A();\nA(const A&) = delete;\nA& operator=(const A&) = default;\nbool operator==(int) const;\n"
                "int f() const { return g(1); }\n template <typename T>\nvoid g(T b = {});\nint b_ = 0;\n")
        self.assertEqual(list(style.methods("A", body)), ["f", "g"])


if __name__ == "__main__":
    unittest.main()
