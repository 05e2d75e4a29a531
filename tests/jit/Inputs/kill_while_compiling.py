"""Kills a compilation at many moments; no file may be left in the places for temporary ones.

Usage: kill_while_compiling.py <command>...

Where it is allowed, the processes get a /dev/shm and a /tmp of their own, so that nobody else's files are there.
"""
import os
import signal
import subprocess
import sys
import tempfile
import time

PRIVATE = ["unshare", "--mount", "--map-root-user"]
SCRIPT = """mount -t tmpfs none /dev/shm && mount -t tmpfs none /tmp || exit 99
"$0" "$@" & child=$!
sleep $AFTER; kill -KILL $child; wait $child
ls -A /dev/shm /tmp | grep -v '^/.*:$' | grep . && exit 1
exit 0"""

with tempfile.TemporaryDirectory() as directory:
    environment = dict(os.environ, TMPDIR=directory)
    started = time.monotonic()
    subprocess.run(sys.argv[1:], env=environment, check=True, stderr=subprocess.DEVNULL)
    whole = time.monotonic() - started
    for step in range(1, 11):
        after = whole * step / 10
        process = subprocess.Popen(sys.argv[1:], env=environment, stderr=subprocess.DEVNULL)
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        assert not os.listdir(directory), os.listdir(directory)
    # The moments at which the linker writes are the last ones.
    if subprocess.run(PRIVATE + ["true"], stderr=subprocess.DEVNULL).returncode == 0:
        for step in range(5, 11):
            environment["AFTER"] = str(whole * step / 10)
            result = subprocess.run(PRIVATE + ["sh", "-c", SCRIPT] + sys.argv[1:], env=environment,
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            assert result.returncode in (0, 99), f"left behind: {result.stdout}"
