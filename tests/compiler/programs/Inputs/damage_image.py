"""Alters bytes of the device image inside a program: it must end with a sentence or be right, never crash.

Usage: damage_image.py PROGRAM
"""
import os
import pathlib
import stat
import subprocess
import sys

program = pathlib.Path(sys.argv[1])
original = program.read_bytes()
magic = bytes([0x10, 0xFF, 0x10, 0xAD])
begin = original.index(magic)
size = int.from_bytes(original[begin + 8:begin + 16], "little")
damaged_program = program.with_suffix(".damaged")
for offset in [4, 8, 9, 16, 24, 32, 40, 48, 56, 64, 72, 80, 100, size // 4, size // 2, size - 8]:
    damaged = bytearray(original)
    damaged[begin + offset] ^= 0xFF
    damaged_program.write_bytes(damaged)
    damaged_program.chmod(damaged_program.stat().st_mode | stat.S_IXUSR)
    output = subprocess.run([damaged_program], env=dict(os.environ, FALX_CACHE="off"), capture_output=True, text=True,
                            errors="replace")  # it may repeat altered bytes of a name
    is_right = output.returncode == 0 and output.stdout == "189\n"
    is_sentence = output.returncode == 2 and output.stdout.startswith("sycl::exception: ")
    assert is_right or is_sentence, (offset, output.returncode, output.stdout, output.stderr)
print("all right")
