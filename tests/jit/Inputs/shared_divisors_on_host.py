"""Code of shared_divisors.cpp on the host, for run_quotients.py and run_shared_divisors.py."""
import os
import re
import subprocess
import sys


def share_divisors(text):
    """IR of GPUs as the pass makes it."""
    return subprocess.run(["falx-opt", "--passes=falx-ptx-shared-divisors,verify"], input=text, check=True,
                          capture_output=True, text=True).stdout


def for_host(text):
    """The same with what only GPUs have as the host has it: estimates are functions of reciprocal_estimates.hpp."""
    text = re.sub(r'call (\w+) asm "", "=[fd],0"\(\w+ (%\w+)\)( #\d+)?', r"bitcast \1 \2 to \1", text)
    text = text.replace("@llvm.nvvm.rcp.approx.ftz.f(", "@estimate_float(")
    text = text.replace("@llvm.nvvm.rcp.approx.ftz.d(", "@estimate_double(")
    return text.replace("@llvm.nvvm.fabs.f32", "@llvm.fabs.f32")


def run(directory, source, texts, *arguments):
    """Writes files of texts by their names, links LLVM's with source, runs that, and exits as it does."""
    os.makedirs(directory, exist_ok=True)
    for name, text in texts.items():
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text)
    program = os.path.join(directory, "run")
    subprocess.run(["clang++", "-std=c++20", "-O2", "-w", "-ffp-contract=off", f"-I{directory}",
                    os.path.join(os.path.dirname(__file__), source),
                    *[os.path.join(directory, name) for name in texts if name.endswith(".ll")], "-o", program], check=True)
    sys.exit(subprocess.run([program, *arguments], check=False).returncode)
