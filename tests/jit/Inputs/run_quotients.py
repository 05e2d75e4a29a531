"""Runs what shared_divisors.cpp makes of quotients on the host, beside the host's own.

Usage: run_quotients.py DIRECTORY [STEP]

Transforms a kernel of four quotients of float, and one of double, by falx-opt, with estimates and rare quotients as
calls of run_quotients.cpp, which checks every STEPth fraction of a float as divisor (default 61).
"""
import re
import sys

from shared_divisors_on_host import for_host, run, share_divisors

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
    texts = {}
    for type_name in ("float", "double"):
        text = share_divisors(kernel(type_name))
        if text.count("fdiv") != COUNT or text.count("@llvm.nvvm.rcp.approx.ftz") != 2:
            sys.exit(f"no reciprocal is shared:\n{text}")
        text = re.sub(r"fdiv (\w+) (%\w+), (%\w+)", r"call \1 @rare_\1(\1 \2, \1 \3)", for_host(text))
        texts[type_name + ".ll"] = text + f"declare {type_name} @rare_{type_name}({type_name}, {type_name})\n"
    run(directory, "run_quotients.cpp", texts, step)


main()
