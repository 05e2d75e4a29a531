"""bench/twins with programs that are scripts and write what the library for CUPTI would: no GPU is needed.

Usage: check_twins.py
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile

TWINS = pathlib.Path(__file__).resolve().parent.parent / "bench" / "twins"

# launches, mean, least, registers, work-items, groups, bytes, name; what takes 7.0 takes 4.0 when it is measured again
SIDES = {
    "same-cuda": "10\t2.5\t2.0\t32\t256\t100\t0\tstep\n1\t2.0\t2.0\t16\t64\t1\t0\tend",
    "same-sycl": "20\t1.5\t1.0\t40\t256\t100\t0\tkernel step\n1\t2.0\t2.0\t16\t128\t1\t0\tend",
    "slow-cuda": "3\t8.0\t8.0\t30\t32\t7\t0\tmain",
    "slow-sycl": "3\t10.0\t10.0\t31\t64\t7\t0\tmain",
    "once-cuda": "1\t5.0\t5.0\t30\t32\t7\t0\tmain",
    "once-sycl": "1\t7.0\t7.0\t31\t32\t7\t0\tmain",
    "fails-cuda": "3\t8.0\t8.0\t30\t32\t7\t0\tmain",
    "fails-sycl": None,
}


def make_programs(directory):
    for name, kernels in SIDES.items():
        place = directory / name
        place.mkdir()
        program = place / (name.split("-")[1] + ".run")
        (place / "kernels").write_text(kernels or "")
        write = "cp kernels $KERNEL_TIMES; sed -i s/7[.]0/4.0/g kernels" if kernels else "exit 1"
        program.write_text(f"#!/bin/sh\ntest \"$1\" = \"two words\" || exit 2\ntest -z \"$KERNEL_TIMES\" && exit\n{write}\n")
        program.chmod(0o755)
    (directory / "arguments").write_text("".join(f"{name} 'two words' 3\n" for name in ("same", "slow", "once", "fails")))


def load_twins():
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("twins", str(TWINS))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("twins", loader))
    loader.exec_module(module)
    return module


def run(twins, *arguments):
    sys.argv = ["twins", *map(str, arguments)]
    with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()):
        twins.main()
    return output.getvalue()


def main():
    twins = load_twins()
    twins.build_library = lambda directory: directory / "none.so"
    with tempfile.TemporaryDirectory() as scratch:
        directory = pathlib.Path(scratch)
        make_programs(directory)
        file = directory / "twins.json"
        printed = run(twins, directory, "--json", file)
        again = run(twins, "--from", file)
        measured = json.loads(file.read_text())
    # Of the first one kernel each is the same, 2.0 and 1.0 us; of the second the only ones are, whatever their groups; the
    # third runs again until its kernel has been launched three times, and takes 4.0 us at the least, not 7.0.
    expected = """ 0.800  slow
               8.0 us   30 registers, Falx       10.0 us   31, 32 x 7: main
 1.250  once
 2.000  same
CUDA's time over Falx's: 1.260 on the geometric mean of 3 programs, 1 below 0.95
Not comparable: fails
"""
    assert printed == expected, printed
    assert again == expected, again
    assert measured["same"]["sycl"][0] == {"launches": 20, "mean": 1.5, "least": 1.0, "registers": 40, "items": 256,
                                           "groups": 100, "local_bytes": 0, "name": "kernel step"}, measured
    print("bench/twins pairs kernels and compares programs")


main()
