#!/usr/bin/env python3
# Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ends with an error for each #include against the arrows of docs/architecture.md."""

import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ("include", "image", "device_code", "compiler", "jit", "runtime", "tools")
SEARCH_PATH = ("include", "", "runtime", "jit", "compiler", "image")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
TEXT = re.compile(r'"[^"\n]*"')

# What files of a directory may include of ours: directories, or files. A directory may include itself.
# The longest name that a file's path begins with counts.
MAY_INCLUDE = {
    "image": ("include/falx",),
    "include/falx": ("include/sycl/aspect.hpp",),  # whose numbers its table of names has
    "include/sycl": ("include",),
    "device_code": (),
    "compiler": ("device_code", "image", "include"),
    "jit": ("device_code", "image", "include/falx"),
    "jit/request": ("include/falx",),
    "runtime": ("include", "image", "jit/jit.hpp", "jit/request"),
    # Which gives the entry of PTX another name.
    "runtime/kernels/code_by_content.cpp": ("runtime", "jit/jit.hpp", "jit/targets/ptx/ptx_abi.hpp"),
    # Backends know commands and queues by the views that backends/ has of them.
    "runtime/backends": ("include", "jit/request", "runtime/process", "runtime/diagnostics"),
    "runtime/backends/cpu": ("include", "jit/request", "jit/targets/cpu/cpu_abi.hpp", "runtime/process",
                             "runtime/diagnostics", "runtime/backends/"),
    "runtime/backends/cuda": ("include", "jit/request", "jit/targets/ptx/derived_arguments_abi.hpp",
                              "jit/targets/ptx/ptx_abi.hpp", "runtime/process",
                              "runtime/diagnostics", "runtime/backends/", "runtime/kernels/checksum.hpp"),
    "runtime/backends/backends.cpp": ("include", "runtime/backends"),
    # Which backend knows a target by its name.
    "runtime/backends/compiled_target.cpp": ("include", "jit/request", "runtime/diagnostics", "runtime/backends"),
}

# Who else may include what a directory holds.
KNOWN_TO = {
    # The environment reads FALX_CPU.
    "runtime/backends/cpu": ("runtime/backends", "runtime/diagnostics/environment.hpp"),
    "runtime/backends/cuda": ("runtime/backends",),
}

# What a backend does not know.
SCHEDULER = ("runtime/api", "runtime/scheduler", "runtime/memory", "runtime/devices/device_state.hpp",
             "runtime/devices/context_state.hpp", "runtime/devices/platform_state.hpp")

# What no file of a directory may reach, through others either.
MUST_NOT_REACH = {
    "runtime/backends": SCHEDULER,
    "tests/runtime/fake_device.hpp": SCHEDULER,
    # The files of the CPU device, from the device down to its jobs: each knows those below it alone.
    "runtime/backends/cpu/cpu_strand": ("runtime/backends/cpu/cpu_device.hpp",),
    "runtime/backends/cpu/cpu_work": ("runtime/backends/cpu/cpu_device.hpp",
                                      "runtime/backends/cpu/cpu_strand.hpp"),
    "runtime/backends/cpu/cpu_chunks": ("runtime/backends/cpu/cpu_device.hpp",
                                        "runtime/backends/cpu/cpu_strand.hpp",
                                        "runtime/backends/cpu/cpu_work.hpp"),
    "runtime/backends/cpu/cpu_executor": ("runtime/backends/cpu/cpu_device.hpp",
                                          "runtime/backends/cpu/cpu_strand.hpp",
                                          "runtime/backends/cpu/cpu_work.hpp",
                                          "runtime/backends/cpu/cpu_chunks.hpp"),
}

# Directories of jit/ whose rooms inside count as one.
ONE_ROOM = ("jit/vectorizer",)
# Headers of jit/ that the runtime includes, too: each is a room of its own.
JIT_INTERFACES = ("jit/jit.hpp", "jit/targets/cpu/cpu_abi.hpp", "jit/targets/ptx/derived_arguments_abi.hpp",
                  "jit/targets/ptx/ptx_abi.hpp")

# Headers of others, and names, that only some directories may have.
ONLY_IN = (
    (re.compile(r'#\s*include\s*[<"](llvm|llvm-c|clang|lld)/'), "includes LLVM",
     ("device_code", "compiler", "jit")),
    (re.compile(r'#\s*include\s*[<"](oneapi/)?tbb/'), "includes oneTBB", ("runtime/backends/cpu",)),
    (re.compile(r'#\s*include\s*[<"](cuda|cuda_runtime|nvml)(_api)?\.h'), "includes CUDA", ()),
    (re.compile(r"\bcu(Launch|Stream|Event|Mem|Module|Ctx|Device|Func|Link|Get|Driver|Pointer)[A-Z]"),
     "names CUDA's driver", ("runtime/backends/cuda",)),
)

# What a directory may not name. include/falx is the ABI between programs and libfalx.so: what the standard
# library or a compiler lays out as it likes does not cross it.
NEVER_IN = (
    (re.compile(r"\bstd::(vector|(basic_)?string|unique_ptr|shared_ptr|weak_ptr|function|(unordered_)?(map|set)|"
                r"deque|list|optional|variant|any|tuple|pair|exception_ptr|thread|mutex|atomic)\b"),
     "names a class of the standard library with a layout of its own", ("include/falx",)),
    (re.compile(r"\bvirtual\b"), "has virtual functions", ("include/falx",)),
)


def is_in(path, place):
    return path == place or path.startswith(place if place.endswith(("/", "_")) else place + "/")


@functools.cache
def text_of(path):
    return (ROOT / path).read_text()


@functools.cache
def included(path):
    """Our files that the file includes."""
    own = pathlib.PurePosixPath(path).parent.as_posix()
    found = []
    for _, name in INCLUDE.findall(text_of(path)):
        for directory in (own, *SEARCH_PATH):
            candidate = pathlib.PurePosixPath(directory, name).as_posix()
            if (ROOT / candidate).is_file():
                found.append(candidate)
                break
    return found


def reached(path):
    """{file: the one that includes it} of all that the file includes, through others as well."""
    found, left = {}, [path]
    while left:
        current = left.pop()
        for other in included(current):
            if other not in found:
                found[other] = current
                left.append(other)
    return found


def check_includes(path):
    places = [place for place in MAY_INCLUDE if is_in(path, place)]
    if not places:
        return
    place = max(places, key=len)
    for other in included(path):
        # "runtime/backends/" with a slash is the files of that directory, not those of its directories.
        allowed = any(pathlib.PurePosixPath(other).parent.as_posix() + "/" == each if each.endswith("/")
                      else is_in(other, each) for each in (place, *MAY_INCLUDE[place]))
        if not allowed:
            yield f"{path} includes {other}"
        for owner, friends in KNOWN_TO.items():
            if is_in(other, owner) and not any(is_in(path, each) for each in friends):
                yield f"{path} includes {other}, which only {' and '.join(friends)} may know"


def check_reach(path):
    for place, forbidden in MUST_NOT_REACH.items():
        if not (is_in(path, place) or path.startswith(place + ".")):
            continue
        for other, through in reached(path).items():
            if any(is_in(other, each) for each in forbidden):
                yield f"{path} reaches {other} through {through}"


def check_names(path):
    includes = "\n".join(f"#include <{name}>" for _, name in INCLUDE.findall(text_of(path)))
    code = includes + TEXT.sub("", COMMENT.sub("", text_of(path)))
    for pattern, what, places in ONLY_IN:
        if pattern.search(code) and not any(is_in(path, place) for place in places):
            yield f"{path} {what}, as only {' and '.join(places) or 'nothing'} may"
    for pattern, what, places in NEVER_IN:
        if pattern.search(code) and any(is_in(path, place) for place in places):
            yield f"{path} {what}, as nothing in {' and '.join(places)} may"


def room_of(path):
    if path in JIT_INTERFACES:
        return path
    directory = pathlib.PurePosixPath(path).parent.as_posix()
    return next((room for room in ONE_ROOM if is_in(directory, room)), directory)


def check_circles(files):
    """An error for each room of jit/ that includes a file of a room that, through others too, includes it."""
    edges = {}
    for path in files:
        for other in included(path):
            if is_in(other, "jit") and room_of(other) != room_of(path):
                edges.setdefault(room_of(path), {}).setdefault(room_of(other), f"{path} includes {other}")

    def below(room):
        found, left = set(), [room]
        while left:
            new = set(edges.get(left.pop(), ())) - found
            found |= new
            left += new
        return found

    for room in sorted(edges):
        for other, include in sorted(edges[room].items()):
            if room in below(other):
                yield f"{room} and {other} are in a circle of rooms: {include}"


def main():
    files = [path.relative_to(ROOT).as_posix() for room in ROOMS
             for path in sorted((ROOT / room).rglob("*")) if path.suffix in (".hpp", ".cpp", ".def")]
    files.append("tests/runtime/fake_device.hpp")
    checks = (check_includes, check_reach, check_names)
    errors = [error for path in files for check in checks for error in check(path)]
    errors += check_circles([path for path in files if is_in(path, "jit")])
    print(*errors, sep="\n")
    sys.exit(bool(errors))


main()
