// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "known_math.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>

using namespace llvm;

namespace falx::jit {

namespace {

enum class realisation { library, instruction };

constexpr math_function MATH_FUNCTIONS[] = {
#define FALX_MATH_FUNCTION(name, operands, accuracy, intrinsic, how)                                         \
  {#name, operands, accuracy, Intrinsic::intrinsic, realisation::how == realisation::instruction},
#include "falx/math_functions.def"
};

} // namespace

const math_function* find_math_function(StringRef name) {
  static const StringMap<const math_function*> by_name = [] {
    StringMap<const math_function*> result;
    for (const math_function& function : MATH_FUNCTIONS)
      result[function.name] = &function;
    return result;
  }();
  return by_name.lookup(name);
}

const math_function* find_typed_math_function(StringRef symbol) {
  if (symbol == "lgammaf_r" || symbol == "lgammal_r")
    return find_math_function("lgamma_r");
  if (const math_function* function = find_math_function(symbol))
    return function;
  return symbol.ends_with("f") || symbol.ends_with("l") ? find_math_function(symbol.drop_back()) : nullptr;
}

StringRef math_function_of(Intrinsic::ID intrinsic) {
  if (intrinsic == Intrinsic::powi) // which no function of C is
    return "powi";
  const auto* function = find_if(MATH_FUNCTIONS, [&](const math_function& each) {
    return each.intrinsic == intrinsic && !each.is_instruction;
  });
  return intrinsic == Intrinsic::not_intrinsic || function == std::end(MATH_FUNCTIONS) ? StringRef()
                                                                                       : function->name;
}

} // namespace falx::jit
