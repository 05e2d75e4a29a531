// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <sycl/sycl.hpp>
#include <vector>

namespace bench {

/// One in-order queue on the CPU for all benchmarks that use this header: GPUs have rows of their own (gpu/).
inline sycl::queue& queue() {
  static sycl::queue the_queue{sycl::cpu_selector_v, sycl::property::queue::in_order()};
  return the_queue;
}

/// By the clock, of \p rounds calls.
template <class Function>
double least_nanoseconds(std::size_t rounds, const Function& function) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    function();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count());
  }
  return least;
}

/// Shared memory, initialised on the host and freed at the end of the scope.
template <class T>
class array {
public:
  template <class Initialise>
  array(std::size_t size, Initialise initialise)
      : size_(size), data_(sycl::aligned_alloc_shared<T>(64, size, queue())) {
    for (std::size_t i = 0; i < size; ++i)
      data_[i] = initialise(i);
  }
  explicit array(std::size_t size) : array(size, [](std::size_t) { return T{}; }) {}
  array(const array&) = delete;
  array& operator=(const array&) = delete;
  ~array() { sycl::free(data_, queue()); }
  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  void fill(T value) { std::fill_n(data_, size_, value); }
  /// All elements as numbers, appended to \p target.
  void append_to(std::vector<double>& target) const { target.insert(target.end(), data_, data_ + size_); }

private:
  std::size_t size_;
  T* data_;
};

} // namespace bench
