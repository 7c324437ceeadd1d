"""A wheel with the program inside (heddle/prefix, which scripts/wheel puts there) is for one kind of processor, but for any
Python."""

import pathlib

from setuptools import setup
from setuptools.dist import Distribution

HAS_PROGRAM = (pathlib.Path(__file__).parent / "heddle/prefix/bin/heddle").exists()


class WithProgram(Distribution):
    def has_ext_modules(self):
        return HAS_PROGRAM


options = {}
if HAS_PROGRAM:
    from wheel.bdist_wheel import bdist_wheel

    class AnyPython(bdist_wheel):
        def get_tag(self):
            return ("py3", "none", super().get_tag()[2])

    options["cmdclass"] = {"bdist_wheel": AnyPython}

setup(distclass=WithProgram, **options)
