"""Compiles the map kernels when it can, and puts the browser client into a wheel; everything else about the
package stands in pyproject.toml.

The kernels are plain Python that Cython can translate. Without Cython or a C compiler, or with SANDTABLE_NO_COMPILE=1,
the installation goes on and the kernels run interpreted: same results, slower.
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

KERNELS = tuple(f"src/sandtable/geometry/{name}.py" for name in ("reach", "sight", "slope_sight", "point_sight"))
# Portable: no instruction set of the building machine, so a wheel runs everywhere.
OPTIMIZE = {"msvc": ["/O2"], "unix": ["-O3", "-g0"]}


class BuildKernels(build_ext):
    """Compiles each kernel with the optimization flag of the compiler at hand, or leaves it interpreted."""

    def finalize_options(self):
        super().finalize_options()
        self.force = True  # what was compiled from an older source must not be used again
        self.parallel = len(KERNELS)

    def run(self):
        self.compiled = []
        super().run()
        if self.inplace:
            # whoever would load what lies beside the source can tell by this whether it is the same source still
            sys.path.insert(0, str(Path(__file__).resolve().parent))
            from run import note_source

            for name in self.compiled:
                note_source(name)

    def build_extension(self, ext):
        try:
            super().build_extension(ext)
        except Exception as trouble:  # no compiler, no headers, a compiler that fails: each has its own exception
            self.warn(f"{ext.name} was not compiled and runs interpreted: {trouble}")
        else:
            self.compiled.append(ext.name.rpartition(".")[2])

    def build_extensions(self):
        flags = OPTIMIZE.get(self.compiler.compiler_type, OPTIMIZE["unix"])
        for extension in self.extensions:
            extension.extra_compile_args = flags
        super().build_extensions()


class BuildPackage(build_py):
    """Builds the browser client first when a wheel would go without one; a link to the checkout needs none."""

    def run(self):
        root = Path(__file__).resolve().parent
        has_client = (root / "src/sandtable/static/index.html").is_file()
        if not self.editable_mode and not has_client and (root / "web/package.json").is_file():
            self.build_client(root)
        super().run()

    def build_client(self, root):
        sys.path.insert(0, str(root))
        from tools import webbuild

        try:
            webbuild.build(root)
        except webbuild.Trouble as trouble:
            self.warn(f"the package goes without its browser client: {trouble}")


def kernel_extensions():
    """The kernels as C extensions, or none when they cannot or must not be compiled."""
    if os.environ.get("SANDTABLE_NO_COMPILE") == "1":
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    # Cython looks for the .pxd and the package's __init__.py beside the source; paths are relative to this file.
    present = [source for source in KERNELS if Path(source).is_file()]
    extensions = [Extension(source[len("src/") : -len(".py")].replace("/", "."), [source]) for source in present]
    kernels = cythonize(extensions, build_dir="build/cython", force=True, language_level=3, quiet=True)
    for kernel in kernels:
        kernel.optional = True  # cythonize forgets it
    return kernels


setup(ext_modules=kernel_extensions(), cmdclass={"build_ext": BuildKernels, "build_py": BuildPackage})
