"""Compiles the kernel with mypyc where that is possible; elsewhere the same files run interpreted."""

import hashlib
import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

sources = sorted(path.as_posix() for path in Path("ginrummy/kernel").glob("*.py") if path.name != "__init__.py")
# The digest in the name of the compiled group lets the tests notice a kernel older than its sources, and in the name
# of the build folder keeps what an earlier build left there out of the wheel.
digest = hashlib.sha256(b"".join(Path(source).read_bytes() for source in sources)).hexdigest()[:16]
extensions: list[Extension] = []
try:
    # Neither metadata nor a source distribution needs the C files.
    if not {"sdist", "egg_info", "dist_info"} & set(sys.argv) and os.environ.get("GINRUMMY_BUILD") != "python":
        from mypyc.build import mypycify

        extensions = mypycify(
            ["--follow-imports=silent", *sources], opt_level="3", group_name=f"ginrummy_kernel_{digest}"
        )
except ImportError:
    print("mypyc cannot be imported: the kernel will run interpreted")


class BuildWhatCompiles(build_ext):
    """An extension that does not compile is no error; but none is any use after the first, the group itself."""

    failed = False

    def build_extension(self, ext: Extension) -> None:
        if self.failed:
            raise CompileError("nothing to do without the group")
        self.failed = True
        super().build_extension(ext)
        self.failed = False


for extension in extensions:
    extension.optional = True
setup(
    ext_modules=extensions,
    cmdclass={"build_ext": BuildWhatCompiles},
    options={"build": {"build_base": f"build/{digest}"}},
)
