#!/usr/bin/env python3
# Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ends with an error for each pass of the JIT that jit/pipeline/passes.def does not name, and for each name there that is not in
order or not of falx."""

import pathlib
import re
import sys

JIT = pathlib.Path(__file__).resolve().parent.parent / "jit"
PASS = re.compile(r"\b(\w+)(?: final)? : (?:public )?(?:llvm::)?(?:PassInfoMixin|kernel_pass)<\s*\1\s*>")
ENTRY = re.compile(r'^(FALX_\w+)\("([^"]+)", (?:simd::)?(\w+)', re.MULTILINE)


def main():
    entries = ENTRY.findall((JIT / "pipeline/passes.def").read_text())
    registered = {made for _, _, made in entries}
    errors = [f"{path.relative_to(JIT.parent)}: pass {name} is not in jit/pipeline/passes.def"
              for path in sorted(JIT.rglob("*")) if path.suffix in (".hpp", ".cpp")
              for name in PASS.findall(path.read_text()) if name not in registered]
    for kind in {kind for kind, _, _ in entries}:
        names = [name for other, name, _ in entries if other == kind]
        errors += [f"passes.def: {name} does not begin with falx-" for name in names if not name.startswith("falx-")]
        errors += [f"passes.def: {kind}s are not in order at {name}"
                   for name, expected in zip(names, sorted(set(names))) if name != expected]
    print(*errors, sep="\n")
    sys.exit(bool(errors))


main()
