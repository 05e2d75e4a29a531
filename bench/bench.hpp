// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <benchmark/benchmark.h>
#include <sycl/sycl.hpp>

#include <cstddef>

namespace bench {

/// One in-order queue on the default device for all benchmarks.
inline sycl::queue& queue() {
  static sycl::queue the_queue{sycl::property::queue::in_order()};
  return the_queue;
}

/// Shared memory, initialised on the host and freed at the end of the scope.
template <class T>
class array {
public:
  template <class Initialise>
  array(std::size_t size, Initialise initialise) : data_(sycl::malloc_shared<T>(size, queue())) {
    for (std::size_t i = 0; i < size; ++i)
      data_[i] = initialise(i);
  }
  array(const array&) = delete;
  array& operator=(const array&) = delete;
  ~array() { sycl::free(data_, queue()); }
  T* data() const { return data_; }

private:
  T* data_;
};

/// Runs \p body under the benchmark's clock after one warm-up (the first launch compiles). \p work is what
/// one run moves or computes, for the rate in \p unit per second.
template <class Body>
void measure(benchmark::State& state, const char* unit, double work, Body body) {
  body();
  for (auto _ : state)
    body();
  state.counters[unit] = benchmark::Counter(work, benchmark::Counter::kIsIterationInvariantRate);
}

} // namespace bench
