"""Removes the compiled kernels of a cache directory, or damages what launches have taught (the files that are no ELF)."""

import pathlib
import sys

directory, what = sys.argv[1:]
found = 0
for file in pathlib.Path(directory).rglob("*.kernel"):
    contents = bytearray(file.read_bytes())
    if contents.startswith(b"\x7fELF"):
        if what == "kernels":
            file.unlink()
            found += 1
    elif what == "memory":
        contents[len(contents) // 2] ^= 1
        file.write_bytes(contents)
        found += 1
sys.exit(0 if found else f"there is nothing of '{what}' in {directory}")
