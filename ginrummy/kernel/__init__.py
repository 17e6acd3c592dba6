"""The typed fast core: ints only, compiled by mypyc where that was possible, else the same files interpreted.

A card is 0-51 (suit * 13 + rank, suits S H D C), a set of cards a 52-bit mask. The environment variable
``GINRUMMY_KERNEL`` chooses: ``python`` runs the sources although a compiled kernel is installed, ``compiled``
refuses to start without one; unset, the compiled kernel is used where there is one.
"""

import os
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader


class KernelError(ImportError):
    """The kernel asked for by ``GINRUMMY_KERNEL`` is not to be had."""


_wanted = os.environ.get("GINRUMMY_KERNEL", "")
if _wanted not in ("", "python", "compiled"):
    raise KernelError(f"GINRUMMY_KERNEL is {_wanted!r}: write python or compiled, or leave it unset")
if _wanted == "python":
    # A finder that knows sources only, in the place where the import system looks for this folder's finder.
    for _folder in __path__:
        sys.path_importer_cache[_folder] = FileFinder(_folder, (SourceFileLoader, SOURCE_SUFFIXES))

from ginrummy.kernel import solver  # noqa: E402  (the choice above must come first)

compiled: bool = not str(solver.__file__).endswith(".py")
"""Whether the running kernel is machine code."""

if _wanted == "compiled" and not compiled:
    raise KernelError("GINRUMMY_KERNEL=compiled, but no compiled kernel is installed: install with a C compiler")
