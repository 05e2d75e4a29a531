// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The functions of <complex.h>, which std::complex calls, and products and quotients of complex numbers,
/// which compilers call: of float and double, with the special cases of Annex G of the C standard. They are
/// made of the functions of <math.h>, so they are what each target makes of these: code that runs on a GPU,
/// and on a CPU as vectors. Compiled to bitcode for the host when Falx is built, as device code is: complex
/// numbers are passed as the host's calling convention has it. The JIT links what a kernel needs.
///
/// Where float would lose digits or need cases of its own, and is seldom used, it is computed in double.

#include "complex_arithmetic.hpp"
#include "complex_inverses.hpp"

namespace {

number<float> from_c(float _Complex z) {
  return {__real__ z, __imag__ z};
}
number<double> from_c(double _Complex z) {
  return {__real__ z, __imag__ z};
}
float _Complex to_c(number<float> z) {
  float _Complex result;
  __real__ result = z.real;
  __imag__ result = z.imaginary;
  return result;
}
double _Complex to_c(number<double> z) {
  double _Complex result;
  __real__ result = z.real;
  __imag__ result = z.imaginary;
  return result;
}
number<double> widened(float _Complex z) {
  return {__real__ z, __imag__ z};
}
float _Complex narrowed(number<double> z) {
  return to_c(number<float>{static_cast<float>(z.real), static_cast<float>(z.imaginary)});
}

} // namespace

extern "C" {

#define COMPLEX_FUNCTION(name, function)                                                                     \
  float _Complex name##f(float _Complex z) {                                                                 \
    return to_c(function(from_c(z)));                                                                        \
  }                                                                                                          \
  double _Complex name(double _Complex z) {                                                                  \
    return to_c(function(from_c(z)));                                                                        \
  }
#define COMPLEX_FUNCTION_IN_DOUBLE(name, function)                                                           \
  float _Complex name##f(float _Complex z) {                                                                 \
    return narrowed(function(widened(z)));                                                                   \
  }                                                                                                          \
  double _Complex name(double _Complex z) {                                                                  \
    return to_c(function(from_c(z)));                                                                        \
  }
COMPLEX_FUNCTION(ccos, cosine)
COMPLEX_FUNCTION(ccosh, hyperbolic_cosine)
COMPLEX_FUNCTION(cexp, exponential)
COMPLEX_FUNCTION(clog, logarithm)
COMPLEX_FUNCTION(cproj, projection)
COMPLEX_FUNCTION(csin, sine)
COMPLEX_FUNCTION(csinh, hyperbolic_sine)
COMPLEX_FUNCTION(ctan, tangent)
COMPLEX_FUNCTION(ctanh, hyperbolic_tangent)
COMPLEX_FUNCTION_IN_DOUBLE(cacos, inverse_cosine)
COMPLEX_FUNCTION_IN_DOUBLE(cacosh, inverse_hyperbolic_cosine)
COMPLEX_FUNCTION_IN_DOUBLE(casin, inverse_sine)
COMPLEX_FUNCTION_IN_DOUBLE(casinh, inverse_hyperbolic_sine)
COMPLEX_FUNCTION_IN_DOUBLE(catan, inverse_tangent)
COMPLEX_FUNCTION_IN_DOUBLE(catanh, inverse_hyperbolic_tangent)
COMPLEX_FUNCTION_IN_DOUBLE(csqrt, square_root)

float cabsf(float _Complex z) {
  return hypot(__real__ z, __imag__ z);
}
double cabs(double _Complex z) {
  return hypot(__real__ z, __imag__ z);
}
float cargf(float _Complex z) {
  return atan2(__imag__ z, __real__ z);
}
double carg(double _Complex z) {
  return atan2(__imag__ z, __real__ z);
}
float _Complex cpowf(float _Complex base, float _Complex exponent) {
  return narrowed(power(widened(base), widened(exponent)));
}
double _Complex cpow(double _Complex base, double _Complex exponent) {
  return to_c(power(from_c(base), from_c(exponent)));
}

// Where both parts of the plain product are no numbers, which is seldom.
float _Complex __mulsc3(float a, float b, float c, float d) {
  return to_c(product(a, b, c, d));
}
double _Complex __muldc3(double a, double b, double c, double d) {
  return to_c(product(a, b, c, d));
}
float _Complex __divsc3(float a, float b, float c, float d) {
  return to_c(quotient(a, b, c, d));
}
double _Complex __divdc3(double a, double b, double c, double d) {
  return to_c(quotient(a, b, c, d));
}
}
