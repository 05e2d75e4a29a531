// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Quotients and rests of integers: nanoseconds for an element on one processor, data in its first caches, in
/// a kernel and in a loop of C++ over the elements. The divisor is one of each element, one number that is
/// known when the program runs, or a constant.
#include "bench.hpp"

#include <cstdint>
#include <cstdio>

namespace {

constexpr std::size_t ELEMENTS = 16384, REPETITIONS = 10, ROUNDS = 60;

template <class Function>
double nanoseconds_of_element(const Function& function) {
  const double least = bench::least_nanoseconds(ROUNDS, [&] {
    for (std::size_t repetition = 0; repetition < REPETITIONS; ++repetition)
      function();
  });
  return least / (ELEMENTS * REPETITIONS);
}

template <class T>
class measurement {
public:
  measurement(const char* type, T divisor)
      : type_(type), divisor_(divisor),
        a_(ELEMENTS, [](std::size_t i) { return static_cast<T>(i * 1000003 % (std::size_t{1} << 40)); }),
        b_(ELEMENTS, [](std::size_t i) { return static_cast<T>(1 + i % 100); }), out_(ELEMENTS) {}

  void rows() {
    const T *const a = a_.data(), *const b = b_.data();
    const T m = divisor_;
    row("a / b", [=](std::size_t i) { return a[i] / b[i]; });
    row("a / m", [=](std::size_t i) { return a[i] / m; });
    row("a % m", [=](std::size_t i) { return a[i] % m; });
    row("a / 100", [=](std::size_t i) { return a[i] / T{100}; });
    row("a % 100", [=](std::size_t i) { return a[i] % T{100}; });
    row("i / m", [=](std::size_t i) { return static_cast<T>(i) / m; });
    row("i / m % m", [=](std::size_t i) { return static_cast<T>(i) / m % m; });
    row("sum of (i + k) % m, k < 16", [=](std::size_t i) {
      T sum = 0;
      for (T k = 0; k < 16; ++k)
        sum = static_cast<T>(sum + (static_cast<T>(i) + k) % m);
      return sum;
    });
    row("a[i * 5 % m]", [=](std::size_t i) { return a[static_cast<T>(i * 5) % m]; });
  }

private:
  template <class Element>
  void row(const char* name, Element element) {
    T* const out = out_.data();
    const double kernel = nanoseconds_of_element([&] {
      bench::queue()
          .parallel_for(ELEMENTS, [=](sycl::id<1> i) { out[i] = static_cast<T>(element(i)); })
          .wait();
    });
    const double loop = nanoseconds_of_element([&] {
      for (std::size_t i = 0; i < ELEMENTS; ++i)
        out[i] = static_cast<T>(element(i));
    });
    std::printf("| %s | %s | %.3f | %.3f | %.2f |\n", type_, name, kernel, loop, loop / kernel);
    std::fflush(stdout);
  }

  const char* type_;
  T divisor_;
  bench::array<T> a_, b_, out_;
};

} // namespace

int main(int count, char**) {
  const int divisor = 76 + count; // not a constant
  std::printf("| type | | kernel, ns | loop, ns | loop over kernel |\n|---|---|--:|--:|--:|\n");
  measurement<std::int32_t>("int32", divisor).rows();
  measurement<std::uint32_t>("uint32", static_cast<std::uint32_t>(divisor)).rows();
  measurement<std::int64_t>("int64", divisor).rows();
  measurement<std::uint64_t>("uint64", static_cast<std::uint64_t>(divisor)).rows();
  measurement<std::int16_t>("int16", static_cast<std::int16_t>(divisor)).rows();
  measurement<std::uint8_t>("uint8", static_cast<std::uint8_t>(divisor)).rows();
}
