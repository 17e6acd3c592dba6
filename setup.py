"""Compiles the kernel with mypyc where that is possible; without a C compiler the same files run interpreted."""

import hashlib
import os
from pathlib import Path

from setuptools import Extension, setup

extensions: list[Extension] = []
sources = sorted(path.as_posix() for path in Path("ginrummy/kernel").glob("*.py") if path.name != "__init__.py")
if os.environ.get("GINRUMMY_BUILD") != "python":
    from mypyc.build import mypycify

    # The digest in the name of the compiled group lets the tests notice a kernel older than its sources.
    digest = hashlib.sha256(b"".join(Path(source).read_bytes() for source in sources)).hexdigest()[:16]
    extensions = mypycify(sources, opt_level="3", group_name=f"ginrummy_kernel_{digest}")
    for extension in extensions:
        extension.optional = True
setup(ext_modules=extensions)
