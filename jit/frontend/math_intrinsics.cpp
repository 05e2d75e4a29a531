// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math_intrinsics.hpp"

using namespace llvm;

namespace falx::jit {

StringRef math_function_of(Intrinsic::ID intrinsic) {
  switch (intrinsic) {
  case Intrinsic::acos:
    return "acos";
  case Intrinsic::asin:
    return "asin";
  case Intrinsic::atan:
    return "atan";
  case Intrinsic::atan2:
    return "atan2";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::cosh:
    return "cosh";
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp10:
    return "exp10";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::frexp:
    return "frexp";
  case Intrinsic::ldexp:
    return "ldexp";
  case Intrinsic::llrint:
    return "llrint";
  case Intrinsic::llround:
    return "llround";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log10:
    return "log10";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::lrint:
    return "lrint";
  case Intrinsic::lround:
    return "lround";
  case Intrinsic::modf:
    return "modf";
  case Intrinsic::pow:
    return "pow";
  case Intrinsic::powi:
    return "powi";
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::sincos:
    return "sincos";
  case Intrinsic::sinh:
    return "sinh";
  case Intrinsic::tan:
    return "tan";
  case Intrinsic::tanh:
    return "tanh";
  default:
    return {};
  }
}

} // namespace falx::jit
