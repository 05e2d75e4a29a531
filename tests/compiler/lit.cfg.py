import os
import sys
import shutil

import lit.formats
import lit.llvm

# Tools come from the build tree that the environment names and from LLVM 22.
build = os.environ.get("FALX_BUILD_DIR", os.path.join(os.path.dirname(__file__), "..", "..", "build"))
llvm = os.environ.get("FALX_LLVM_BIN", "/usr/lib/llvm-22/bin")

config.name = "falx-compiler"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cpp", ".test", ".ll"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(build, "tests", "lit-compiler")

config.environment["PATH"] = os.pathsep.join([os.path.join(build, "bin"), llvm, config.environment.get("PATH", "")])
config.environment["FALX_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")
config.substitutions += [
    ("%python", sys.executable),
    ("%clang", os.path.join(llvm, "clang++")),
    ("%falxpp", os.path.join(build, "bin", "falx++")),
    ("%plugin", os.path.join(build, "lib", "falx", "falx-clang-plugin.so")),
    ("%root", os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))),
    ("%build", os.path.abspath(build)),
]

if shutil.which("ccache"):
    config.available_features.add("ccache")
# Not whether Falx has a runtime for it, which must be so then.
if os.path.exists(os.path.join(llvm, "..", "include", "c++", "v1", "vector")):
    config.available_features.add("libcxx")
if shutil.which("prlimit"):
    config.available_features.add("prlimit")

# Where a program can be made to run with its owner's rights: by root, in a place that allows it.
gains_rights = "NoNewPrivs:\t0" in open("/proc/self/status").read()
if os.geteuid() == 0 and gains_rights and not os.statvfs("/tmp").f_flag & os.ST_NOSUID:
    config.available_features.add("set-user-id")
