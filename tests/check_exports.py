#!/usr/bin/env python3
# Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the symbols that libfalx.so exports with tests/exports.txt, the list of those of its interface version.

Usage: tests/check_exports.py [--write] [--library FILE] [--llvm DIRECTORY]

A program that was compiled with an interface version needs its symbols, so none may leave before the number rises; symbols that
come keep it, and go to the list. --write makes the list anew. It refuses to drop a symbol of the same version.

Of weak symbols only the templates of get_info count, which the library instantiates for programs: other weak ones are inline
functions, which each program brings along, and compilers emit as they like. Weak data (a vtable, type information) may not be
exported: libfalx.so would use that of a program's library, and dlclose could not unload it.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "tests/exports.txt"
COMMAND = "tests/check_exports.py --write"
SYMBOL = re.compile(r"^[0-9a-f]+ (\w) (\S+)@@FALX_(\d+)$", re.MULTILINE)
QUERY = re.compile(r"\bsycl::\w+::get_info<")


def exported(library, llvm):
    """The interface version, the names, and those of weak data."""
    def output_of(tool, *arguments, **options):
        return subprocess.run([llvm / tool, *arguments], stdout=subprocess.PIPE, text=True, check=True, **options).stdout

    symbols = SYMBOL.findall(output_of("llvm-nm", "--dynamic", "--defined-only", library))
    versions = {version for _, _, version in symbols}
    if len(versions) != 1:
        sys.exit(f"{library} has symbols of {len(versions)} interface versions (FALX_N), expected one")
    names = output_of("llvm-cxxfilt", input="\n".join(name for _, name, _ in symbols)).splitlines()
    return (int(versions.pop()),
            {name for (kind, _, _), name in zip(symbols, names) if kind not in "WV" or QUERY.search(name)},
            {name for (kind, _, _), name in zip(symbols, names) if kind == "V"})


def listed():
    heading, *names = LIST.read_text().splitlines() if LIST.exists() else ["interface 0"]
    return int(heading.removeprefix("interface ")), set(names)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="make the list anew")
    parser.add_argument("--library", type=pathlib.Path, default=ROOT / "build/lib/libfalx.so")
    parser.add_argument("--llvm", type=pathlib.Path, default=pathlib.Path("/usr/lib/llvm-22/bin"), help="where llvm-nm is")
    options = parser.parse_args()

    version, names, weak_data = exported(options.library, options.llvm)
    listed_version, listed_names = listed()
    errors = [f"{name} is weak data in libfalx.so.{version}, which a program's library may have as well and could then not be "
              "unloaded: define a virtual function of the class in runtime/api, or do without them" for name in sorted(weak_data)]
    if version == listed_version:
        errors += [f"{name} left libfalx.so.{version}, and programs that were compiled with it may need it: bring it back, or raise "
                   f"INTERFACE_VERSION in include/falx/interface_version.hpp and run {COMMAND}"
                   for name in sorted(listed_names - names)]
    if options.write and not errors:
        LIST.write_text("\n".join([f"interface {version}", *sorted(names)]) + "\n")
        return 0
    if version != listed_version:
        errors.append(f"libfalx.so is of interface {version}, and tests/exports.txt of {listed_version}: run {COMMAND}")
    else:
        errors += [f"{name} is new in libfalx.so.{version}, which keeps the interface version: run {COMMAND}, or, if programs do not "
                   "use it, hide it in runtime/exports.map.in" for name in sorted(names - listed_names)]
    print("\n".join(errors) or f"{len(names)} symbols of libfalx.so.{version}, as listed")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
