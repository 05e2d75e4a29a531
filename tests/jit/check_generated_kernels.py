#!/usr/bin/env python3
"""Random kernels as vectors against the same kernels run natively, bit for bit.

Usage: check_generated_kernels.py [--jobs N] [--first N] [--width W] <seed> <count>
       check_generated_kernels.py --minimise [--width W] --first <number> <seed> 1

The same seed makes the same kernels on every machine. --minimise leaves out what a failing kernel does not need to fail,
and prints what is left.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
INPUTS = HERE / "Inputs"
ROOT = HERE.parent.parent
sys.path.insert(0, str(INPUTS))
import generate_kernels

BATCH = 100
CLANG = pathlib.Path(os.environ.get("FALX_LLVM_BIN", "/usr/lib/llvm-22/bin")) / "clang++"
# Products and sums stay apart, and operations on halves are operations on halves.
KERNEL_OPTIONS = ["-std=c++20", f"-I{ROOT}/include", f"-I{INPUTS}", "-w", "-ffp-contract=off", "-Xclang",
                  "-ffloat16-excess-precision=none"]


def clang(*arguments):
    subprocess.run([CLANG, *map(str, arguments)], check=True, stderr=subprocess.PIPE)


class Checker:
    def __init__(self, directory, jit):
        self.directory, self.jit = pathlib.Path(directory), jit
        self.objects = []
        for name in ("native_groups", "run_generated_kernels"):
            self.objects.append(self.directory / f"{name}.o")
            clang("-std=c++20", "-O1", f"-I{ROOT}/include", f"-I{ROOT}/jit", "-c", INPUTS / f"{name}.cpp", "-o", self.objects[-1])

    def run(self, kernels, width):
        """What run_generated_kernels prints of kernels with consecutive numbers. After a crash it is run again for the
        kernels behind."""
        stem = self.directory / f"{kernels[0].number}"
        source, bitcode, native, program = (stem.with_suffix(suffix) for suffix in (".cpp", ".bc", ".o", ".run"))
        source.write_text(generate_kernels.source(kernels))
        clang(*KERNEL_OPTIONS, "-O1", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", source, "-o", bitcode)
        clang("-O0", "-w", "-c", bitcode, "-o", native)
        clang(native, *self.objects, "-o", program)
        output, first = "", kernels[0].number
        while first <= kernels[-1].number:
            command = [program, self.jit, bitcode, kernels[0].number, first] + ([width] if width else [])
            result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                    text=True)
            output += result.stdout
            crashed = re.search(r"FAILED kernel (\d+).*: (signal|does not end)", result.stdout)
            if not crashed and result.returncode not in (0, 1):
                output += f"FAILED kernels from {first}: ended with {result.returncode}\n"
            first = int(crashed[1]) + 1 if crashed else kernels[-1].number + 1
        for file in (source, bitcode, native, program):
            file.unlink()
        return output

    def fails(self, seed, number, removed, width):
        kernel = generate_kernels.Kernel(seed, number, removed)
        try:
            output = self.run([kernel], width)
        except subprocess.CalledProcessError:
            return False  # it needs what is left out
        return "FAILED" in output and "wait for each other" not in output


def minimise(checker, seed, number, width):
    removed = set()
    if not checker.fails(seed, number, removed, width):
        return sys.exit("it does not fail")
    progress = True
    while progress:
        progress = False
        whole = generate_kernels.Kernel(seed, number, removed)
        whole.generate()
        for statement in range(whole.statements):
            if statement not in removed and checker.fails(seed, number, removed | {statement}, width):
                removed.add(statement)
                progress = True
    print(generate_kernels.Kernel(seed, number, removed).generate())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0, help="number of the first kernel")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--width", type=int, help="instead of the kernel's own sub-group size")
    parser.add_argument("--minimise", action="store_true")
    parser.add_argument("--jit", default=ROOT / "build" / "lib" / "libfalx-jit.so", help="libfalx-jit.so")
    options = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as directory:
        checker = Checker(directory, options.jit)
        if options.minimise:
            return minimise(checker, options.seed, options.first, options.width)

        def check(first):
            end = min(first + BATCH, options.first + options.count)
            kernels = [generate_kernels.Kernel(options.seed, number) for number in range(first, end)]
            return checker.run(kernels, options.width), end - first

        batches = range(options.first, options.first + options.count, BATCH)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for output, size in pool.map(check, batches):
                for line in output.splitlines():
                    if line.startswith("FAILED"):
                        print(line, flush=True)
                wrong = output.count("FAILED")
                passed, failed = passed + size - wrong, failed + wrong
    print(f"seed {options.seed}: {passed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
