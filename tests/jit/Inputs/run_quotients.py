"""Runs what shared_divisors.cpp makes of quotients on the host, beside the host's own.

Usage: run_quotients.py DIRECTORY [STEP]

Transforms a kernel of four quotients of float, and one of double, by falx-opt, with estimates and rare quotients as
calls of run_quotients.cpp, which checks every STEPth fraction of a float as divisor (default 61); and kernels whose
divisor is a constant.
"""
import math
import random
import re
import struct
import sys

from shared_divisors_on_host import for_host, run, share_divisors

COUNT = 4


# By type: digits, and exponents from and to which divisors are of usual size.
FORMATS = {"float": (24, -62, 34), "double": (53, -500, 200)}


def kernel(name, type_name, divisor, parameter=""):
    text = f"define void @{name}(ptr noalias %in, {parameter}ptr noalias %out) {{\n"
    for i in range(COUNT):
        text += f"  %from{i} = getelementptr {type_name}, ptr %in, i64 {i}\n"
        text += f"  %x{i} = load {type_name}, ptr %from{i}\n"
        text += f"  %q{i} = fdiv {type_name} %x{i}, {divisor}\n"
    for i in range(COUNT):
        text += f"  %to{i} = getelementptr {type_name}, ptr %out, i64 {i}\n"
        text += f"  store {type_name} %q{i}, ptr %to{i}\n"
    return text + "  ret void\n}\n"


def constants(type_name):
    """Divisors of usual size: simple ones, those with the most and the fewest ones, at both ends, and any."""
    digits, least, largest = FORMATS[type_name]
    choose = random.Random(7)
    most = 2 - 2.0 ** (1 - digits)
    values = [3.0, -5.0, 7.0, 10.0, 1 / 3, 0.1, -0.7, most, -most, 1 + 2.0 ** (1 - digits), 1.5 * 2.0 ** least,
              most * 2.0 ** (largest - 1)]
    values += [math.ldexp(1 + choose.random(), choose.randrange(least, largest)) for _ in range(30)]
    if type_name == "float":
        values = [struct.unpack("f", struct.pack("f", value))[0] for value in values]
    return values


def bits(value):
    return f"0x{struct.unpack('Q', struct.pack('d', value))[0]:016X}"


def main():
    directory, step = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "61"
    texts, list_of_constants = {}, ""
    for type_name in ("float", "double"):
        text = share_divisors(kernel(f"divide_{type_name}", type_name, "%n", f"{type_name} %n, "))
        if text.count("fdiv") != COUNT or text.count("@llvm.nvvm.rcp.approx.ftz") != 2:
            sys.exit(f"no reciprocal is shared:\n{text}")
        text = re.sub(r"fdiv (\w+) (%\w+), (%\w+)", r"call \1 @rare_\1(\1 \2, \1 \3)", for_host(text))
        texts[type_name + ".ll"] = text + f"declare {type_name} @rare_{type_name}({type_name}, {type_name})\n"
        kernels = ""
        for number, value in enumerate(constants(type_name)):
            kernels += kernel(f"divide_{type_name}_{number}", type_name, bits(value))
            list_of_constants += f"CONSTANT({type_name}, {number}, {value.hex()})\n"
        text = share_divisors(kernels)
        if text.count("!prof") != number + 1:
            sys.exit(f"not all constants are divisors with a faster way:\n{text}")
        texts[type_name + "_constants.ll"] = for_host(text)
    texts["constants.inc"] = list_of_constants
    run(directory, "run_quotients.cpp", texts, step)


main()
