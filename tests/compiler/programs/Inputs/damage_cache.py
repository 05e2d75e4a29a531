"""Damages every cache entry in many ways; the program must print 189 each time and leave the entry as it was.

Usage: damage_cache.py CACHE PROGRAM. Starts 16 processes on an empty cache as well.
"""
import os
import pathlib
import shutil
import subprocess
import sys

cache, program = pathlib.Path(sys.argv[1]), sys.argv[2]
environment = dict(os.environ, FALX_CACHE_DIR=str(cache))


def entries():
    return sorted(path for path in cache.rglob("*") if path.is_file())


def run():
    output = subprocess.run([program], env=environment, capture_output=True, text=True)
    assert output.returncode == 0 and output.stdout == "189\n", (output.returncode, output.stdout, output.stderr)


originals = {path: path.read_bytes() for path in entries()}
assert originals, "the first run left no cache entry"
for path, original in originals.items():
    size = len(original)
    damages = [original[:cut] for cut in (0, 1, 64, size // 2, size - 33, size - 1)]
    for at in (0, 5, 64, size // 3, size // 2, size - 20, size - 1):
        damages.append(original[:at] + bytes([original[at] ^ 0x5A]) + original[at + 1:])
    for damaged in damages:
        path.write_bytes(damaged)
        run()
        assert path.read_bytes() == original, f"{path} was not rebuilt"

shutil.rmtree(cache)
processes = [subprocess.Popen([program], env=environment, stdout=subprocess.PIPE, text=True) for _ in range(16)]
for process in processes:
    output, _ = process.communicate()
    assert process.returncode == 0 and output == "189\n", (process.returncode, output)
assert {path: path.read_bytes() for path in entries()} == originals, "16 processes made other entries than one"
print("all right")
