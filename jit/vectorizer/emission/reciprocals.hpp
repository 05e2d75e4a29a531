// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace falx::jit::simd {

/// \file
/// Quotients of integers by one number, of which loops have the reciprocal in front of them. Before:
///   %row = udiv i32 %i, %width
/// after:
///   %above = (1.0 / %width) + one unit in the last place
///   %row = fptoui (fmul (uitofp %i), %above)
/// The exact quotient is as far from the next integer as one over the divisor. As the factor is not less than
/// the reciprocal, no product is less than a quotient that is an integer. It exceeds the reciprocal by less
/// than two units in the last place, the product the quotient by three: of dividends of two bits less than
/// the precision of the floating-point numbers, that is less than one over the divisor. Divisors that are
/// rounded as they are converted are larger than such dividends, whose quotient is 0 by the product, too.

/// Bits of dividends, without a sign, whose quotients are right.
constexpr unsigned BITS_OF_FLOATS = 22, BITS_OF_DOUBLES = 50;

/// Not less than one over \p divisor, which is not 0, by less than two units in the last place of \p exact, a
/// type of floating-point numbers.
llvm::Value* reciprocal_above(llvm::IRBuilder<>& builder, bool is_signed, llvm::Value* divisor,
                              llvm::Type* exact);

/// Of integers of 32 or 64 bits, the dividend's magnitude less than 2^50, the divisor not 0. Of other
/// dividends it is some number, if the divisor is greater than 1.
llvm::Value* quotient_by_reciprocal(llvm::IRBuilder<>& builder, bool is_signed, llvm::Value* dividend,
                                    llvm::Value* divisor);

} // namespace falx::jit::simd
