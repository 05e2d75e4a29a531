// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/elementwise.hpp"
#include "sycl/functional.hpp"
#include "sycl/stream.hpp"

#include <complex>
#include <istream>
#include <ostream>
#include <type_traits>

// Not predefined: programs written for DPC++ define it for sycl.hpp to include this.
#ifndef SYCL_EXT_ONEAPI_COMPLEX
#define SYCL_EXT_ONEAPI_COMPLEX 1
#endif

/// \file
/// The class of sycl_ext_oneapi_complex. Its functions are in complex_math.hpp.

namespace sycl {
namespace ext::oneapi::experimental {

/// A complex number with parts of type half, float or double. Products and quotients have infinities and NaNs
/// as std::complex has them; those of half go through float.
template <class T>
class complex {
  static_assert(std::is_same_v<T, half> || std::is_same_v<T, float> || std::is_same_v<T, double>,
                "the parts of a complex number are of type sycl::half, float or double");
  using wide = std::conditional_t<std::is_same_v<T, half>, float, T>;
  using wide_complex = std::complex<wide>;

public:
  using value_type = T;

  constexpr complex(value_type re = value_type(), value_type im = value_type()) : real_(re), imag_(im) {}
  template <class X, std::enable_if_t<!std::is_same_v<X, T>, int> = 0>
  constexpr complex(const complex<X>& other)
      : real_(static_cast<T>(other.real())), imag_(static_cast<T>(other.imag())) {}
  template <class X>
  constexpr complex(const std::complex<X>& other)
      : real_(static_cast<T>(other.real())), imag_(static_cast<T>(other.imag())) {}

  template <class X>
  constexpr operator std::complex<X>() const {
    return {static_cast<X>(real_), static_cast<X>(imag_)};
  }

  constexpr value_type real() const { return real_; }
  constexpr value_type imag() const { return imag_; }
  constexpr void real(value_type value) { real_ = value; }
  constexpr void imag(value_type value) { imag_ = value; }

  constexpr complex& operator=(value_type x) { return *this = complex(x); }

#define FALX_COMPLEX_ASSIGNMENT(symbol)                                                                      \
  friend constexpr complex& operator symbol## = (complex & z, value_type y) { return z = z symbol y; }       \
  template <class X>                                                                                         \
  friend constexpr complex& operator symbol## = (complex & z, const complex<X>& w) {                         \
    return z = z symbol complex(w);                                                                          \
  }
  FALX_COMPLEX_ASSIGNMENT(+)
  FALX_COMPLEX_ASSIGNMENT(-)
  FALX_COMPLEX_ASSIGNMENT(*)
  FALX_COMPLEX_ASSIGNMENT(/)
#undef FALX_COMPLEX_ASSIGNMENT

  friend constexpr complex operator+(const complex& z) { return z; }
  friend constexpr complex operator-(const complex& z) { return complex(-z.real_, -z.imag_); }

  friend constexpr complex operator+(const complex& z, const complex& w) {
    return complex(z.real_ + w.real_, z.imag_ + w.imag_);
  }
  friend constexpr complex operator+(const complex& z, value_type y) { return complex(z.real_ + y, z.imag_); }
  friend constexpr complex operator+(value_type x, const complex& w) { return w + x; }
  friend constexpr complex operator-(const complex& z, const complex& w) {
    return complex(z.real_ - w.real_, z.imag_ - w.imag_);
  }
  friend constexpr complex operator-(const complex& z, value_type y) { return complex(z.real_ - y, z.imag_); }
  friend constexpr complex operator-(value_type x, const complex& w) {
    return complex(x - w.real_, -w.imag_);
  }
  friend constexpr complex operator*(const complex& z, const complex& w) {
    return complex(wide_complex(z) * wide_complex(w));
  }
  friend constexpr complex operator*(const complex& z, value_type y) {
    return complex(z.real_ * y, z.imag_ * y);
  }
  friend constexpr complex operator*(value_type x, const complex& w) { return w * x; }
  friend constexpr complex operator/(const complex& z, const complex& w) {
    return complex(wide_complex(z) / wide_complex(w));
  }
  friend constexpr complex operator/(const complex& z, value_type y) {
    return complex(z.real_ / y, z.imag_ / y);
  }
  friend constexpr complex operator/(value_type x, const complex& w) { return complex(x) / w; }

  friend constexpr bool operator==(const complex& z, const complex& w) {
    return z.real_ == w.real_ && z.imag_ == w.imag_;
  }
  friend constexpr bool operator==(const complex& z, value_type y) { return z == complex(y); }
  friend constexpr bool operator==(value_type x, const complex& w) { return complex(x) == w; }
  friend constexpr bool operator!=(const complex& z, const complex& w) { return !(z == w); }
  friend constexpr bool operator!=(const complex& z, value_type y) { return !(z == y); }
  friend constexpr bool operator!=(value_type x, const complex& w) { return !(x == w); }

  // Streams of the host.
  template <class Char, class Traits>
  friend std::basic_istream<Char, Traits>& operator>>(std::basic_istream<Char, Traits>& in, complex& z) {
    wide_complex read;
    if (in >> read)
      z = complex(read);
    return in;
  }
  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                                      const complex& z) {
    return out << wide_complex(z);
  }

private:
  value_type real_, imag_;
};

} // namespace ext::oneapi::experimental

namespace detail {

template <class T>
constexpr bool is_complex<ext::oneapi::experimental::complex<T>> = true;

template <class T>
constexpr bool has_zero_and_one<ext::oneapi::experimental::complex<T>> = true;

/// (real,imaginary), for sycl::stream.
template <class T>
struct stream_value<ext::oneapi::experimental::complex<T>> {
  static void write(stream_statement& out, const ext::oneapi::experimental::complex<T>& value) {
    out.put('(');
    stream_value<T>::write(out, value.real());
    out.put(',');
    stream_value<T>::write(out, value.imag());
    out.put(')');
  }
};

} // namespace detail
} // namespace sycl
