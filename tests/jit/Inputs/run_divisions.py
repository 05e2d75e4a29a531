"""Runs what derived_arguments.cpp makes of divisions on the host, beside the divisions.

Usage: run_divisions.py SOURCE_ROOT DIRECTORY

Writes a kernel for each way that a dividend and a divisor are known, transforms it by falx-opt, compiles both forms
for the host, and links them with what computes the third parameter (runtime/backends/cuda) and run_divisions.cpp.
"""
import os
import re
import subprocess
import sys

# Bits, dividend and divisor: of loaded numbers x and captured numbers n all bits, halves that are not negative (p),
# and 32 bits extended with sign (s) or without (z).
WAYS = [(32, "x32", "n32"), (32, "p32", "n32"), (32, "x32", "np32"), (64, "x64", "n64"), (64, "p64", "n64"),
        (64, "z", "n64"), (64, "s", "n64"), (64, "zp", "n64"), (64, "s", "ns"), (64, "zp", "ns"), (64, "zp", "nz"),
        (64, "s", "nz"), (64, "p64", "nz")]
OPERATIONS = ("udiv", "urem", "sdiv", "srem")
BEGIN = """define ptx_kernel void @kernel(ptr byval([32 x i8]) align 8 %function, ptr byval([48 x i8]) align 8 %launch)
    "falx-kind"="2" "falx-ptx"="83" {
  %in = load ptr, ptr %function
  %out.at = getelementptr i8, ptr %function, i64 8
  %out = load ptr, ptr %out.at
  %n.at = getelementptr i8, ptr %function, i64 16
  %n64 = load i64, ptr %n.at
  %n32 = load i32, ptr %n.at
  %np32 = lshr i32 %n32, 1
  %ns = sext i32 %n32 to i64
  %nz = zext i32 %n32 to i64
  %x64 = load i64, ptr %in
  %x32 = load i32, ptr %in
  %p64 = lshr i64 %x64, 1
  %p32 = lshr i32 %x32, 1
  %z = zext i32 %x32 to i64
  %s = sext i32 %x32 to i64
  %zp = zext i32 %p32 to i64
"""


def kernel(bits, dividend, divisor):
    text = BEGIN
    for place, operation in enumerate(OPERATIONS):
        text += f"  %r{place} = {operation} i{bits} %{dividend}, %{divisor}\n"
        text += f"  %at{place} = getelementptr i64, ptr %out, i64 {place}\n"
        text += f"  store i{bits} %r{place}, ptr %at{place}\n"
    return text + "  ret void\n}\n"


def for_host(text, name):
    """The kernel as a function of the host's, whose third parameter has its largest size."""
    text = re.sub(r"target (triple|datalayout) = .*\n", "", text)
    text = re.sub(r'"nvvm\.[^"]*"', "", text).replace("ptx_kernel ", "").replace("@kernel(", f"@{name}(")
    return re.sub(r"\d+( x i8\]\) align 8 +%derived)", r"256\1", text)


def main():
    root, directory = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    files, declarations = [], ""
    for number, way in enumerate(WAYS):
        plain = kernel(*way)
        transformed = subprocess.run(
            ["falx-opt", "-mtriple=nvptx64-nvidia-cuda", "--passes=falx-ptx-derived-arguments,verify"], input=plain,
            check=True, capture_output=True, text=True).stdout
        words = re.search(r'^!\d+ = !\{!"( .*)"\}$', transformed, re.MULTILINE)
        if words is None or re.search(r" [us](div|rem) ", transformed):
            sys.exit(f"{way} is not left to the host:\n{transformed}")
        for name, text in ((f"plain_{number}", plain), (f"transformed_{number}", transformed)):
            files.append(os.path.join(directory, name + ".ll"))
            with open(files[-1], "w", encoding="utf-8") as file:
                file.write(for_host(text, name))
        declarations += f'DIVISIONS({number}, "{way[1]} and {way[2]}", "{words[1]}")\n'
    with open(os.path.join(directory, "divisions.inc"), "w", encoding="utf-8") as file:
        file.write(declarations)
    program = os.path.join(directory, "run")
    subprocess.run(["clang++", "-std=c++20", "-O1", "-w", "-DFMT_HEADER_ONLY=1", f"-I{directory}", f"-I{root}",
                    f"-I{root}/runtime", f"-I{root}/include", f"{root}/tests/jit/Inputs/run_divisions.cpp",
                    f"{root}/runtime/backends/cuda/cuda_derived_arguments.cpp", *files, "-o", program], check=True)
    sys.exit(subprocess.run([program], check=False).returncode)


main()
