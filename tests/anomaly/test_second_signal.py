"""Who presses Ctrl-C twice is let go at once, whatever threads are doing in native code."""

from __future__ import annotations

import subprocess
import sys

BUSY = """
from threading import Thread
import numpy as np
import exactile
from exactile.backends.ways import Ways
from exactile.cli.signals import leave

ways = Ways(exactile.lower(exactile.load("pentacubes-compound-cross-2")), None)
order = ways.items(np.random.default_rng(0))
search = ways.ground.restart
Thread(target=search, args=(order, 1, 0, 10**12, 0), daemon=True).start()
leave(130)
"""


def test_a_thread_in_native_code_does_not_keep_us_and_is_no_crash() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BUSY], capture_output=True, text=True, check=False, timeout=100
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
