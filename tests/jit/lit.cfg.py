import os
import sys
import shutil

import lit.formats

# Tools come from the build tree that the environment names and from LLVM 22.
build = os.environ.get("FALX_BUILD_DIR", os.path.join(os.path.dirname(__file__), "..", "..", "build"))
llvm = os.environ.get("FALX_LLVM_BIN", "/usr/lib/llvm-22/bin")
root = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))

config.name = "falx-jit"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(build, "tests", "lit-jit")

config.environment["PATH"] = os.pathsep.join([os.path.join(build, "bin"), llvm, config.environment.get("PATH", "")])
config.substitutions += [
    ("%clangxx", os.path.join(llvm, "clang++") + f" -std=c++20 -I{root}/include -I{root}/jit"),
    ("%bitcode", os.path.join(llvm, "clang++") + f" -std=c++20 -I{root}/include -emit-llvm -c"),
    ("%jit_library", os.path.join(build, "lib", "libfalx-jit.so")),
    ("%run", "falx-jit-run"),
    ("%python", sys.executable),
    ("%build", build),
    ("%root", root),
]

# PTX is assembled where a CUDA toolkit is found; elsewhere these tests are reported as unsupported.
ptxas = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
else:
    lit_config.note("no ptxas: PTX is not assembled")
