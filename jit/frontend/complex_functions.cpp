// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                                 After:
//   %r = call <2 x float> @csqrtf(<2 x float> %z)           the same
//   declare <2 x float> @csqrtf(<2 x float>)                define internal <2 x float> @csqrtf(<2 x float>
//   %z) {
//                                                             ...
//                                                             %m = call double @hypot(double %x, double %y)
//
// So complex numbers are made of what every target has, and are computed as vectors where real ones are.
// Those of long double stay what they are: calls of the C library's on CPUs, and an error elsewhere.

#include "complex_functions.hpp"
#include "library_linking.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>

using namespace llvm;

namespace falx::jit {

static bool is_complex_function(StringRef name) {
  static const StringSet<> NAMES = {"cabs",  "cacos",    "cacosh",   "carg",     "casin",   "casinh",
                                    "catan", "catanh",   "ccos",     "ccosh",    "cexp",    "clog",
                                    "cpow",  "cproj",    "csin",     "csinh",    "csqrt",   "ctan",
                                    "ctanh", "__mulsc3", "__muldc3", "__divsc3", "__divdc3"};
  return NAMES.contains(name) || (name.ends_with("f") && NAMES.contains(name.drop_back()));
}

Error define_complex_functions(Module& module, StringRef library) {
  if (none_of(module, [](const Function& function) {
        return function.isDeclaration() && is_complex_function(function.getName());
      }))
    return Error::success();
  Expected<std::unique_ptr<Module>> functions = open_library(library, module.getContext());
  if (!functions)
    return functions.takeError();
  return link_library(module, std::move(*functions));
}

} // namespace falx::jit
