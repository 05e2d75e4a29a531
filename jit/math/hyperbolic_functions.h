// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Functions made of e^x - 1 and log(1 + x), once for each type: float_functions.h and double_functions.h
/// include this with REAL, the type; NAME(name), that with the type's suffix; OF_COMPILER(name), the
/// compiler's function; LEAST_POWER, from where down e^x - 1 is -1; LARGEST_POWER, where e^x / 2 is infinite;
/// IS_LARGE, from where on squares are lost beside logarithms, and below which they are numbers. They define
/// limited, power_parts (e^x = 2^shift * scale * (1 + rest)) and log1p.

/// The result, but x where it is so small that parts of what was computed may be denormal.
INLINE REAL NAME(unless_tiny)(REAL x, REAL result) {
  return OF_COMPILER(fabs)(x) < (REAL)0x1p-60 ? x : result;
}

/// With a quarter of e^x: the whole is no number where half of it is.
INLINE REAL NAME(expm1)(REAL x) {
  const NAME(power) power = NAME(power_parts)(NAME(limited)(x, LEAST_POWER, LARGEST_POWER), 2);
  return NAME(unless_tiny)(x, 4 * NAME(fma)(power.scale, power.rest, power.scale - (REAL)0.25));
}
INLINE REAL NAME(sinh)(REAL x) {
  const NAME(power) power = NAME(power_parts)(NAME(limited)(OF_COMPILER(fabs)(x), 0, LARGEST_POWER), 2);
  const REAL quarter = NAME(fma)(power.scale, power.rest, power.scale - (REAL)0.25); // (e^|x| - 1) / 4
  const REAL result = 2 * (quarter + quarter / NAME(fma)(4, quarter, 1));
  return NAME(unless_tiny)(x, OF_COMPILER(copysign)(result, x));
}
INLINE REAL NAME(cosh)(REAL x) {
  const NAME(power) power = NAME(power_parts)(NAME(limited)(OF_COMPILER(fabs)(x), 0, LARGEST_POWER), 2);
  const REAL quarter = (power.rest + 1) * power.scale;
  return 2 * (quarter + (REAL)0.0625 / quarter);
}
INLINE REAL NAME(tanh)(REAL x) {
  const NAME(power) power = NAME(power_parts)(NAME(limited)(2 * OF_COMPILER(fabs)(x), 0, -LEAST_POWER), 0);
  const REAL t = NAME(fma)(power.scale, power.rest, power.scale - 1);
  return OF_COMPILER(copysign)(t / (t + 2), x);
}

INLINE REAL NAME(asinh)(REAL x) {
  const REAL size = OF_COMPILER(fabs)(x), limited = NAME(limited)(size, 0, IS_LARGE);
  const REAL square = limited * limited, more = size + square / (1 + OF_COMPILER(sqrt)(square + 1));
  const REAL result = NAME(log1p)(size > IS_LARGE ? size - 1 : more);
  return OF_COMPILER(copysign)(size > IS_LARGE ? result + (REAL)0x1.62e42fefa39efp-1 : result, x);
}
INLINE REAL NAME(acosh)(REAL x) {
  const REAL more = x - 1, limited = NAME(limited)(more, 0, IS_LARGE);
  const REAL root = more + OF_COMPILER(sqrt)(limited * (limited + 2));
  const REAL result = NAME(log1p)(x > IS_LARGE ? more : root);
  return x < 1 ? (REAL)__builtin_nan("") : x > IS_LARGE ? result + (REAL)0x1.62e42fefa39efp-1 : result;
}
INLINE REAL NAME(atanh)(REAL x) {
  const REAL size = OF_COMPILER(fabs)(x);
  const REAL result = (REAL)0.5 * NAME(log1p)(2 * size / (1 - size));
  return NAME(unless_tiny)(x, OF_COMPILER(copysign)(result, x));
}

#undef REAL
#undef NAME
#undef OF_COMPILER
#undef LEAST_POWER
#undef LARGEST_POWER
#undef IS_LARGE
