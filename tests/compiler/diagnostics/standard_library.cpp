// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of the standard library works in kernels.
// RUN: %clang -std=c++20 -O0 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
// RUN: %clang -std=c++20 -O2 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

// expected-no-diagnostics
#include <array>
#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <variant>

void submit(float* out, std::array<int, 4> a, std::pair<int, float> p, std::tuple<int, float, char> t, std::optional<int> o,
            std::variant<int, float, char> v, std::complex<float> c) {
  run([=] {
    out[0] = a.at(2) + a[1] + p.first + std::get<1>(t);
    out[1] = o.value() + *o + o.value_or(3);
    out[2] = std::visit([](auto x) { return float(x); }, v) + std::get<int>(v);
    out[3] = std::span<const float>(out, 8).subspan(1).front();
    const std::complex<float> z = c * c + std::exp(c) + std::sqrt(c) + std::conj(c);
    out[4] = z.real() + std::abs(z) + std::arg(z);
    out[5] = std::min(1.f, out[1]) + std::max({1.f, out[0]}) + std::clamp(out[1], 0.f, 1.f) + std::numeric_limits<float>::max();
    out[6] = std::sin(out[0]) + std::pow(2.f, out[1]) + ::sinf(1) + std::fma(1.f, 2.f, out[2]) + std::hypot(1.f, 2.f) + std::isnan(out[2]);
    out[7] = std::fmod(1.0, 2.0) + std::ldexp(1.f, 3) + std::abs(-3.f) + std::lgamma(1.f);
    out[8] = static_cast<float>(std::bit_cast<int>(1.f)) + std::popcount(3u);
    assert(out[8] > 0);
    std::memcpy(out, &a, sizeof(a));
    std::swap(out[0], out[1]);
    out[9] = std::accumulate(a.begin(), a.end(), 0);
    auto [first, second] = p;
    out[10] = first + second;
    out[11] = std::apply([](auto... values) { return (values + ...); }, t);
  });
}
