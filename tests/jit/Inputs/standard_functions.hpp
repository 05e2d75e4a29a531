// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// All of <cmath> and <complex>, for float and double: FUNCTION(name, expression of the T x). What takes
/// complex numbers is given z and w, which are made of x; folded makes one number of a result.

struct library_call_arguments {
  const double* in;
  double* out;
};

#if __cplusplus >= 202002L
#define CPP20_FUNCTION(FUNCTION, name, expression) FUNCTION(name, expression)
#else
#define CPP20_FUNCTION(FUNCTION, name, expression)
#endif

// clang-format off
#define REAL_FUNCTIONS(FUNCTION)                                                                             \
  FUNCTION(abs, std::abs(x)) FUNCTION(fabs, std::fabs(-x)) FUNCTION(fmod, std::fmod(x, T(0.7)))              \
  FUNCTION(remainder, std::remainder(x, T(0.7))) FUNCTION(remquo, std::remquo(x, T(0.7), &number) + T(number & 7))\
  FUNCTION(fma, std::fma(x, T(3), T(1))) FUNCTION(fmax, std::fmax(x, T(2))) FUNCTION(fmin, std::fmin(x, T(2)))\
  FUNCTION(fdim, std::fdim(x, T(2))) FUNCTION(nan_, std::isnan(std::nan("1") * x)) FUNCTION(exp, std::exp(x))\
  FUNCTION(exp2, std::exp2(x)) FUNCTION(expm1, std::expm1(x)) FUNCTION(log, std::log(x))                     \
  FUNCTION(log10, std::log10(x)) FUNCTION(log2, std::log2(x)) FUNCTION(log1p, std::log1p(x))                 \
  FUNCTION(pow, std::pow(x, T(1.5))) FUNCTION(pow_int, std::pow(x, 3)) FUNCTION(sqrt, std::sqrt(x))          \
  FUNCTION(cbrt, std::cbrt(x)) FUNCTION(hypot, std::hypot(x, T(2))) FUNCTION(hypot3, std::hypot(x, T(2), T(3)))\
  FUNCTION(sin, std::sin(x)) FUNCTION(cos, std::cos(x)) FUNCTION(tan, std::tan(x / 8))                       \
  FUNCTION(asin, std::asin(x / 10)) FUNCTION(acos, std::acos(x / 10)) FUNCTION(atan, std::atan(x))           \
  FUNCTION(atan2, std::atan2(x, T(2))) FUNCTION(sinh, std::sinh(x)) FUNCTION(cosh, std::cosh(x))             \
  FUNCTION(tanh, std::tanh(x)) FUNCTION(asinh, std::asinh(x)) FUNCTION(acosh, std::acosh(x + 1))             \
  FUNCTION(atanh, std::atanh(x / 10)) FUNCTION(erf, std::erf(x)) FUNCTION(erfc, std::erfc(x))                \
  FUNCTION(tgamma, std::tgamma(x)) FUNCTION(lgamma, std::lgamma(x)) FUNCTION(ceil, std::ceil(x))             \
  FUNCTION(floor, std::floor(x)) FUNCTION(trunc, std::trunc(x)) FUNCTION(round, std::round(x))               \
  FUNCTION(lround, std::lround(x)) FUNCTION(llround, std::llround(x)) FUNCTION(nearbyint, std::nearbyint(x)) \
  FUNCTION(rint, std::rint(x)) FUNCTION(lrint, std::lrint(x)) FUNCTION(llrint, std::llrint(x))               \
  FUNCTION(frexp, std::frexp(x, &number) + T(number)) FUNCTION(ldexp, std::ldexp(x, -3))                     \
  FUNCTION(modf, std::modf(x, &part) + part) FUNCTION(scalbn, std::scalbn(x, 3))                             \
  FUNCTION(scalbln, std::scalbln(x, 3L)) FUNCTION(ilogb, std::ilogb(x)) FUNCTION(logb, std::logb(x))         \
  FUNCTION(nextafter, std::nextafter(x, T(2))) FUNCTION(copysign, std::copysign(x, T(-1)))                   \
  FUNCTION(fpclassify, std::fpclassify(x)) FUNCTION(isfinite, std::isfinite(x)) FUNCTION(isinf, std::isinf(x))\
  FUNCTION(isnan, std::isnan(x)) FUNCTION(isnormal, std::isnormal(x)) FUNCTION(signbit, std::signbit(x))     \
  FUNCTION(isgreater, std::isgreater(x, T(2))) FUNCTION(isgreaterequal, std::isgreaterequal(x, T(2)))        \
  FUNCTION(isless, std::isless(x, T(2))) FUNCTION(islessequal, std::islessequal(x, T(2)))                    \
  FUNCTION(islessgreater, std::islessgreater(x, T(2))) FUNCTION(isunordered, std::isunordered(x, T(2)))      \
  CPP20_FUNCTION(FUNCTION, lerp, std::lerp(x, T(2), T(0.3)))

// The special functions of C++17, which the library makes of the others. All but expint and
// riemann_zeta: they call themselves, which the compiler tells whoever uses them in a kernel.
#define SPECIAL_FUNCTIONS(FUNCTION)                                                                          \
  FUNCTION(assoc_laguerre, std::assoc_laguerre(2, 1, x)) FUNCTION(assoc_legendre, std::assoc_legendre(2, 1, x / 10))\
  FUNCTION(beta, std::beta(x, T(2))) FUNCTION(comp_ellint_1, std::comp_ellint_1(x / 10))                     \
  FUNCTION(comp_ellint_2, std::comp_ellint_2(x / 10)) FUNCTION(comp_ellint_3, std::comp_ellint_3(x / 10, T(0.5)))\
  FUNCTION(cyl_bessel_i, std::cyl_bessel_i(T(1), x)) FUNCTION(cyl_bessel_j, std::cyl_bessel_j(T(1), x))      \
  FUNCTION(cyl_bessel_k, std::cyl_bessel_k(T(1), x)) FUNCTION(cyl_neumann, std::cyl_neumann(T(1), x))        \
  FUNCTION(ellint_1, std::ellint_1(x / 10, T(1))) FUNCTION(ellint_2, std::ellint_2(x / 10, T(1)))            \
  FUNCTION(ellint_3, std::ellint_3(x / 10, T(0.5), T(1)))                                                       \
  FUNCTION(hermite, std::hermite(3, x)) FUNCTION(laguerre, std::laguerre(3, x))                              \
  FUNCTION(legendre, std::legendre(3, x / 10))              \
  FUNCTION(sph_bessel, std::sph_bessel(1, x)) FUNCTION(sph_legendre, std::sph_legendre(2, 1, x))             \
  FUNCTION(sph_neumann, std::sph_neumann(1, x))

#define COMPLEX_FUNCTIONS(FUNCTION)                                                                          \
  FUNCTION(complex_abs, std::abs(z)) FUNCTION(complex_arg, std::arg(z)) FUNCTION(complex_norm, std::norm(z)) \
  FUNCTION(complex_conj, folded(std::conj(z))) FUNCTION(complex_proj, folded(std::proj(z)))                  \
  FUNCTION(complex_polar, folded(std::polar(x, T(1)))) FUNCTION(complex_exp, folded(std::exp(z)))            \
  FUNCTION(complex_log, folded(std::log(z))) FUNCTION(complex_log10, folded(std::log10(z)))                  \
  FUNCTION(complex_sqrt, folded(std::sqrt(z))) FUNCTION(complex_pow, folded(std::pow(z, w)))                 \
  FUNCTION(complex_pow_int, folded(std::pow(z, 3))) FUNCTION(complex_pow_real, folded(std::pow(z, x)))       \
  FUNCTION(real_pow_complex, folded(std::pow(x, w))) FUNCTION(complex_sin, folded(std::sin(z)))              \
  FUNCTION(complex_cos, folded(std::cos(z))) FUNCTION(complex_tan, folded(std::tan(z)))                      \
  FUNCTION(complex_asin, folded(std::asin(z))) FUNCTION(complex_acos, folded(std::acos(z)))                  \
  FUNCTION(complex_atan, folded(std::atan(z))) FUNCTION(complex_sinh, folded(std::sinh(z)))                  \
  FUNCTION(complex_cosh, folded(std::cosh(z))) FUNCTION(complex_tanh, folded(std::tanh(z)))                  \
  FUNCTION(complex_asinh, folded(std::asinh(z))) FUNCTION(complex_acosh, folded(std::acosh(z)))              \
  FUNCTION(complex_atanh, folded(std::atanh(z))) FUNCTION(complex_sum, folded(z + w - x))                    \
  FUNCTION(complex_product, folded(z * w)) FUNCTION(complex_quotient, folded(z / w))                         \
  FUNCTION(complex_real_quotient, folded(z / x)) FUNCTION(real_complex_quotient, folded(x / z))              \
  FUNCTION(complex_infinite_product, folded(std::complex<T>(x / T(0), x) * std::complex<T>(T(0), x)))        \
  FUNCTION(complex_equal, z == w) FUNCTION(complex_real, std::real(z) + std::imag(w))
// clang-format on

#define STANDARD_FUNCTIONS(FUNCTION)                                                                         \
  REAL_FUNCTIONS(FUNCTION) SPECIAL_FUNCTIONS(FUNCTION) COMPLEX_FUNCTIONS(FUNCTION)

/// As run_library_calls wants them.
#define TWO_CALLS(name, expression)                                                                          \
  CALL(name##_float, 2e-5, name##_of<float>(float(x)))                                                       \
  CALL(name##_double, 2e-13, name##_of<double>(x))
#define LIBRARY_CALLS(CALL) STANDARD_FUNCTIONS(TWO_CALLS)
