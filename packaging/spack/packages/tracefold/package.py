"""tracefold in Spack, built from a clone of its sources:

    spack repo add packaging/spack
    spack dev-build tracefold@0.1.0
"""

from spack.package import *


class Tracefold(CMakePackage):
    """Makes large OTF2 traces small: finds processes that do the same work, keeps one of each, and
    writes a valid OTF2 trace that says what was folded."""

    homepage = "https://example.org/tracefold"
    manual_download = True

    license("BSD-3-Clause")

    version("0.1.0")

    variant("graphviz", default=True, description="Draw lattices as SVG")

    variant("mpi", default=True, description="tracefold-mpi, for traces that take many nodes")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("gzip", type="build")

    depends_on("otf2@3:")
    depends_on("tbb")
    depends_on("boost@1.74:")
    depends_on("cli11@2.1:")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.11:")
    depends_on("nettle@3.8:")
    depends_on("libarchive")
    depends_on("libpng@1.6:")
    depends_on("protozero")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("mpi", when="+mpi")
    depends_on("graphviz", type="run", when="+graphviz")

    conflicts("%gcc@:11", msg="tracefold is written in C++20, and tested with gcc 12")

    def cmake_args(self):
        return [
            self.define("TRACEFOLD_TESTS", False),
            self.define_from_variant("TRACEFOLD_MPI", "mpi"),
        ]
