#!/usr/bin/env python3
"""Starts a program with the rights of its owner, root, as the user nobody, who would like to lead it astray by every
variable there is; and, to see that these variables do lead somewhere, as its owner."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

NOBODY = 65534

with tempfile.TemporaryDirectory(dir="/tmp") as name:
    place = pathlib.Path(name)
    place.chmod(0o755)
    program, intruder, home = place / "program", place / "intruder.so", place / "home"
    shutil.copy(sys.argv[1], program)
    shutil.copy(sys.argv[2], intruder)
    home.mkdir()
    environment = {
        "PATH": os.environ["PATH"],
        "FALX_CUDA_DRIVER": str(intruder),
        "FALX_LIBDEVICE": str(intruder),
        "FALX_CACHE_DIR": str(home / "cache"),
        "XDG_CACHE_HOME": str(home),
        "HOME": str(home),
        "TMPDIR": str(home),
        "LD_LIBRARY_PATH": str(home),
        "FALX_CACHEDIR": str(home),
        "LLD_REPRODUCE": str(home / "reproduce.tar"),
        "CUDA_HOME": str(home),
        "CUDA_PATH": str(home),
        "FALX_DEVICE_SELECTOR": "*",
    }

    def start(how, variables, **user):
        print(f"{how}:")
        done = subprocess.run([program], env=environment | variables, capture_output=True, text=True, timeout=60, **user)
        print(done.stdout, end="")
        return done.stderr

    start("by its owner", {})
    start("by its owner, with a wrong value", {"FALX_ADAPTIVITY": "9", "FALX_CUDA_DRIVER": "libcuda.so.1"})
    shutil.rmtree(home)
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    program.chmod(0o4755)
    for how, variables in ("by nobody", {}), ("by nobody, with a wrong value", {"FALX_ADAPTIVITY": "9"}):
        complaints = start(how, variables, user=NOBODY, group=NOBODY, extra_groups=[])
        print("files written:", [str(path) for path in home.rglob("*")], "complaints:", repr(complaints))
