# From a checkout or an unpacked release: `spack repo add packages/spack`, then `spack dev-build heddle@0.1.0`.
from spack.package import *


class Heddle(CMakePackage, PythonExtension):
    """Simulator of the fabrics of high-performance computers: MPI, OpenSHMEM and Portals 4 programs, traffic and
    schedules on machines that are described in a few lines."""

    license("Apache-2.0")

    version("0.1.0")

    variant("python", default=True, description="The Python package")
    variant("mpi", default=False, description="Replays that are shared by processes of mpirun")
    variant("lto", default=True, description="Optimise the program across its layers")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("fmt")
    depends_on("yaml-cpp")
    depends_on("nlohmann-json")
    depends_on("pugixml")
    depends_on("cli11")
    depends_on("zstd")
    depends_on("zlib-api")
    depends_on("sqlite@3:")
    depends_on("mpi", when="+mpi")
    extends("python@3.9:", when="+python", type=("build", "run"))

    conflicts("%gcc@:11", msg="C++20 is needed")
    generator("ninja")

    def cmake_args(self):
        return [
            self.define("BUILD_TESTING", False),
            self.define("HEDDLE_UNITY", True),
            self.define_from_variant("HEDDLE_LTO", "lto"),
            self.define_from_variant("HEDDLE_MPI", "mpi"),
        ] + ([self.define("HEDDLE_PYTHON_FOLDER", python_purelib)] if self.spec.satisfies("+python") else [])
