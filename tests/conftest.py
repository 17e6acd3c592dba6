"""What several tests need."""

import atexit
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import ginrummy

# A test that starts `python -m ginrummy` means the very package the tests imported, which may be an installed one: not
# the sources in the current folder, which `-m` would put first.
os.environ["PYTHONSAFEPATH"] = "1"
os.environ["PYTHONPATH"] = str(Path(ginrummy.__file__).parents[1])

# Games that tests play are not among those of whoever runs them.
_games = TemporaryDirectory(prefix="ginrummy-games-")
atexit.register(_games.cleanup)
os.environ["GINRUMMY_DATA"] = _games.name
