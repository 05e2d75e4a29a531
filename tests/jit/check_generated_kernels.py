#!/usr/bin/env python3
"""Random kernels as vectors against the same kernels run natively, bit for bit.

Usage: check_generated_kernels.py [options] <seed> <count>
       check_generated_kernels.py --results <folder> [options] <seed> <count>
       check_generated_kernels.py --minimise [options] --first <number> <seed> 1

The same seed makes the same kernels on every machine. --native-passes checks transforms of other targets: the native
kernels go through them. --minimise leaves out what a failing kernel does not need to fail,
and prints what is left. --results is for long runs: the folder gets a file for each failure, with the kernel made
smaller, and a list of what has been checked, which is left out when the same command is run again.
"""
import argparse
import concurrent.futures
import os
import pathlib
import platform
import re
import signal
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
KERNEL_OPTIONS = ["-std=c++20", f"-I{ROOT}/include", f"-I{INPUTS}", "-w", "-ffp-contract=off", "-fno-math-errno", "-Xclang",
                  "-ffloat16-excess-precision=none"]


def clang(*arguments):
    subprocess.run([CLANG, *map(str, arguments)], check=True, stderr=subprocess.PIPE)


class Checker:
    def __init__(self, directory, jit, native_passes=None):
        self.directory, self.jit, self.native_passes = pathlib.Path(directory), jit, native_passes
        self.objects = []
        sources = [INPUTS / "native_groups.cpp", INPUTS / "run_generated_kernels.cpp", ROOT / "jit/request/shared_libraries.cpp"]
        for source in sources:
            self.objects.append(self.directory / f"{source.stem}.o")
            clang("-std=c++20", "-O1", f"-I{ROOT}/include", f"-I{ROOT}/jit", "-c", source, "-o", self.objects[-1])
        self.objects.append(self.directory / "native_math.o")
        fma = ["-mfma"] if platform.machine() == "x86_64" else []
        subprocess.run([CLANG.parent / "clang", "-O2", *fma, "-ffp-contract=off", "-fno-builtin", "-fvisibility=hidden", "-c",
                        INPUTS / "native_math.c", "-o", self.objects[-1]], check=True)

    def run(self, kernels, width, processor):
        """What run_generated_kernels prints of kernels with consecutive numbers. After a crash it is run again for the
        kernels behind."""
        stem = self.directory / f"{kernels[0].number}"
        source, bitcode, native, program = (stem.with_suffix(suffix) for suffix in (".cpp", ".bc", ".o", ".run"))
        source.write_text(generate_kernels.source(kernels))
        clang(*KERNEL_OPTIONS, "-O1", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", source, "-o", bitcode)
        self.compile_natively(bitcode, native)
        clang(native, *self.objects, "-o", program)
        output, first = "", kernels[0].number
        while first <= kernels[-1].number:
            command = [program, self.jit, bitcode, kernels[0].number, first, width or 0] + ([processor] if processor else [])
            result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                    text=True, errors="replace")
            if result.returncode == -signal.SIGINT:
                raise KeyboardInterrupt  # not a failure of the kernel
            output += result.stdout
            crashed = re.search(r"FAILED kernel (\d+).*: (signal|does not end)", result.stdout)
            if not crashed and result.returncode not in (0, 1):
                output += f"FAILED kernels from {first}: ended with {result.returncode}\n"
            first = int(crashed[1]) + 1 if crashed else kernels[-1].number + 1
        for file in (source, bitcode, native, program):
            file.unlink()
        return output

    def compile_natively(self, bitcode, native):
        if self.native_passes is None:
            return clang("-O0", "-w", "-c", bitcode, "-o", native)
        passed = bitcode.with_suffix(".ll")
        falx_opt = pathlib.Path(self.jit).parent.parent / "bin" / "falx-opt"
        with passed.open("w") as file:
            subprocess.run([falx_opt, f"--passes={self.native_passes}", bitcode], check=True, stdout=file)
        clang("-O0", "-w", "-c", passed, "-o", native)
        passed.unlink()

    def failure(self, options, number, removed=()):
        """How the kernel fails, without numbers, which change when it gets smaller; empty if it does not."""
        kernel = generate_kernels.Kernel(options.seed, number, removed)
        try:
            output = self.run([kernel], options.width, options.cpu)
        except subprocess.CalledProcessError:
            return ""  # it needs what is left out
        found = re.search(r"FAILED[^:]*: (.*)", output)
        return re.sub(r"( at)? \d\w*", "", found[1]) if found and "wait for each other" not in found[1] else ""

    def minimised(self, options, number):
        """The kernel without the statements that it does not need to fail as it does; None if it does not fail."""
        removed = set()
        failure = self.failure(options, number)
        if not failure:
            return None
        size, progress = 8, True
        while progress or size > 1:
            size, progress = (size if progress else size // 2), False
            whole = generate_kernels.Kernel(options.seed, number, removed)
            whole.generate()
            left = [statement for statement in range(whole.statements) if statement not in removed]
            for start in range(0, len(left), size):
                without = removed | set(left[start:start + size])
                if self.failure(options, number, without) == failure:
                    removed, progress = without, True
        return generate_kernels.Kernel(options.seed, number, removed).generate()


class Results:
    """The folder of a long run."""
    MOST = 30  # failures that are made smaller: behind many there is one reason

    def __init__(self, folder, options):
        self.folder, self.options = pathlib.Path(folder), options
        self.folder.mkdir(parents=True, exist_ok=True)
        self.list = self.folder / "checked"
        self.checked = set(self.list.read_text().splitlines()) if self.list.exists() else set()
        self.minimised = 0

    def line(self, first, end):
        how = "".join(f", {name} {value}" for name, value in (("width", self.options.width), ("cpu", self.options.cpu)) if value)
        return f"seed {self.options.seed}{how}: {first} to {end - 1}"

    def add_failure(self, checker, line):
        number = int(re.search(r"\d+", line)[0])
        options = f"{'--width ' + str(self.options.width) + ' ' if self.options.width else ''}" \
                  f"{'--cpu ' + self.options.cpu + ' ' if self.options.cpu else ''}"
        text = f"{line}\ntests/jit/check_generated_kernels.py {options}--first {number} {self.options.seed} 1\n\n"
        if self.minimised < self.MOST:
            self.minimised += 1
            text += checker.minimised(self.options, number) or "It does not fail alone.\n"
        (self.folder / f"seed-{self.options.seed}-kernel-{number}.txt").write_text(text)

    def add(self, checker, first, end, output):
        for line in output.splitlines():
            if line.startswith("FAILED"):
                self.add_failure(checker, line)
        with self.list.open("a") as file:
            file.write(self.line(first, end) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0, help="number of the first kernel")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--width", type=int, help="instead of the kernel's own sub-group size")
    parser.add_argument("--cpu", help="instead of the kernel's own processor, in LLVM's spelling: haswell")
    parser.add_argument("--native-passes", metavar="PASSES", help="passes of falx-opt for the native side")
    parser.add_argument("--minimise", action="store_true")
    parser.add_argument("--results", metavar="FOLDER", help="where failures go, and what has been checked")
    parser.add_argument("--jit", default=ROOT / "build" / "lib" / "libfalx-jit.so", help="libfalx-jit.so")
    options = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as directory:
        checker = Checker(directory, options.jit, options.native_passes)
        if options.minimise:
            kernel = checker.minimised(options, options.first)
            print(kernel or "it does not fail")
            return 1 if kernel is None else 0
        results = Results(options.results, options) if options.results else None

        def check(first):
            end = min(first + BATCH, options.first + options.count)
            if results and results.line(first, end) in results.checked:
                return "", 0
            kernels = [generate_kernels.Kernel(options.seed, number) for number in range(first, end)]
            output = checker.run(kernels, options.width, options.cpu)
            if results:
                results.add(checker, first, end, output)
            return output, end - first

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
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted; with --results the same command goes on where it was")
