"""A wheel with the program inside (heddle/prefix, which scripts/wheel puts there) is for one kind of processor, but for any
Python; with the module heddle._core as well, for the version of Python that this was built for."""

import pathlib

from setuptools import setup
from setuptools.dist import Distribution

PACKAGE = pathlib.Path(__file__).parent / "heddle"
HAS_PROGRAM = (PACKAGE / "prefix/bin/heddle").exists()
HAS_MODULE = any(PACKAGE.glob("_core*.so"))


class WithProgram(Distribution):
    def has_ext_modules(self):
        return HAS_PROGRAM


options = {}
if HAS_PROGRAM and not HAS_MODULE:
    from wheel.bdist_wheel import bdist_wheel

    class AnyPython(bdist_wheel):
        def get_tag(self):
            return ("py3", "none", super().get_tag()[2])

    options["cmdclass"] = {"bdist_wheel": AnyPython}

setup(distclass=WithProgram, **options)
