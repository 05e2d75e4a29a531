#!/usr/bin/env python3
# Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ends with an error for each pass of the JIT that jit/registry/passes.def does not name, and for each name there
that is not in order or not of falx.

Usage: tests/check_passes.py [--plugin libfalx-passes.so FILE]

With a plugin: runs every name alone in LLVM's opt on FILE, for x86-64, for no target and for NVPTX. Each has to
work, or to end with an error that is a sentence.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

JIT = pathlib.Path(__file__).resolve().parent.parent / "jit"
PASS = re.compile(r"\b(\w+)(?: final)? : (?:public )?(?:llvm::)?(?:PassInfoMixin|kernel_pass)<\s*\1\s*>")
ENTRY = re.compile(r'^(FALX_\w+)\("([^"]+)", (?:simd::)?(\w+)', re.MULTILINE)
TRIPLES = ("x86_64-unknown-linux-gnu", "", "nvptx64-nvidia-cuda")
# Their options, where a name alone will not do, and the pipelines that are not in passes.def.
OTHER_NAMES = ("falx-captured-constants<bytes=0:00>", "falx-cpu<lanes=8>", "falx-form-kernel<lanes=8>",
               "falx-ptx-optimization")
SENTENCE = re.compile(r"^error: .{20}|needs a target machine", re.MULTILINE)


def run_alone(plugin, name, triple, text):
    """What is wrong with it; None if nothing is."""
    module = f'target triple = "{triple}"\n{text}' if triple else text
    result = subprocess.run(["opt", f"-load-pass-plugin={plugin}", f"-passes={name}", "-disable-output"], input=module,
                            capture_output=True, text=True)
    if result.returncode == 0 or (result.returncode == 1 and SENTENCE.search(result.stderr)):
        return None
    return f"{name} for '{triple}' ends with {result.returncode}: {result.stderr[:400]}"


def run_each(plugin, names, text):
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as executor:
        runs = [executor.submit(run_alone, plugin, name, triple, text) for name in names for triple in TRIPLES]
        return [run.result() for run in runs if run.result() is not None]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", nargs=2, metavar=("PLUGIN", "FILE"))
    options = parser.parse_args()
    entries = ENTRY.findall((JIT / "registry/passes.def").read_text())
    registered = {made for _, _, made in entries}
    errors = [f"{path.relative_to(JIT.parent)}: pass {name} is not in jit/registry/passes.def"
              for path in sorted(JIT.rglob("*")) if path.suffix in (".hpp", ".cpp")
              for name in PASS.findall(path.read_text()) if name not in registered]
    for kind in {kind for kind, _, _ in entries}:
        names = [name for other, name, _ in entries if other == kind]
        errors += [f"passes.def: {name} does not begin with falx-" for name in names if not name.startswith("falx-")]
        errors += [f"passes.def: {kind}s are not in order at {name}"
                   for name, expected in zip(names, sorted(set(names))) if name != expected]
    if options.plugin:
        plugin, file = options.plugin
        names = [*(name for _, name, _ in entries), *OTHER_NAMES]
        errors += run_each(plugin, names, pathlib.Path(file).read_text())
    print(*errors, sep="\n")
    sys.exit(bool(errors))


main()
