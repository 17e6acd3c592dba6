"""What several tests need."""

import os
from pathlib import Path

import ginrummy

# A test that starts `python -m ginrummy` means the very package the tests imported, which may be an installed one: not
# the sources in the current folder, which `-m` would put first.
os.environ["PYTHONSAFEPATH"] = "1"
os.environ["PYTHONPATH"] = str(Path(ginrummy.__file__).parents[1])
