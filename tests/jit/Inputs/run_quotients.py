"""Runs what shared_divisors.cpp makes of quotients on the host, beside the host's own.

Usage: run_quotients.py DIRECTORY [STEP]

Transforms a kernel of four quotients of float, and one of double, by falx-opt, with estimates and rare quotients as
calls of run_quotients.cpp, which checks every STEPth fraction of a float as divisor (default 61).
"""
import os
import re
import subprocess
import sys

COUNT = 4


def kernel(type_name):
    text = f"define void @divide_{type_name}(ptr noalias %in, {type_name} %n, ptr noalias %out) {{\n"
    for i in range(COUNT):
        text += f"  %from{i} = getelementptr {type_name}, ptr %in, i64 {i}\n"
        text += f"  %x{i} = load {type_name}, ptr %from{i}\n"
        text += f"  %q{i} = fdiv {type_name} %x{i}, %n\n"
    for i in range(COUNT):
        text += f"  %to{i} = getelementptr {type_name}, ptr %out, i64 {i}\n"
        text += f"  store {type_name} %q{i}, ptr %to{i}\n"
    return text + "  ret void\n}\n"


def main():
    directory, step = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "61"
    os.makedirs(directory, exist_ok=True)
    files = []
    for type_name in ("float", "double"):
        text = subprocess.run(["falx-opt", "--passes=falx-ptx-shared-divisors,verify"], input=kernel(type_name), check=True,
                              capture_output=True, text=True).stdout
        if text.count("fdiv") != COUNT or text.count("@llvm.nvvm.rcp.approx.ftz") != 2:
            sys.exit(f"no reciprocal is shared:\n{text}")
        text = re.sub(r"fdiv (\w+) (%\w+), (%\w+)", r"call \1 @rare_\1(\1 \2, \1 \3)", text)
        text = re.sub(r"@llvm\.nvvm\.rcp\.approx\.ftz\.[fd]", f"@estimate_{type_name}", text)
        text = re.sub(r'call (\w+) asm "", "=[fd],0"\(\w+ (%\w+)\)( #\d+)?', r"bitcast \1 \2 to \1", text)
        text = text.replace("@llvm.nvvm.fabs.f32", "@llvm.fabs.f32")
        text += f"declare {type_name} @rare_{type_name}({type_name}, {type_name})\n"
        files.append(os.path.join(directory, type_name + ".ll"))
        with open(files[-1], "w", encoding="utf-8") as file:
            file.write(text)
    program = os.path.join(directory, "run")
    source = os.path.join(os.path.dirname(__file__), "run_quotients.cpp")
    subprocess.run(["clang++", "-std=c++20", "-O2", "-w", "-ffp-contract=off", source, *files, "-o", program], check=True)
    sys.exit(subprocess.run([program, step], check=False).returncode)


main()
