// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A histogram in variables that live on the device: no kernel captures a pointer, and the state stays from
// kernel to kernel (sycl_ext_oneapi_device_global).
#include <sycl/sycl.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

using namespace sycl::ext::oneapi::experimental;

constexpr int BINS = 16;

struct range_of_values {
  float low, high;
};

static device_global<range_of_values> limits;                                           // the host writes it,
static device_global<unsigned[BINS], decltype(properties{host_access_read})> histogram; // and reads this
static device_global<unsigned, decltype(properties{host_access_read})> outside;

template <class T>
using relaxed_ref = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device>;

/// Any device function reaches them.
void count(float value) {
  const range_of_values range = limits;
  const float place = (value - range.low) / (range.high - range.low) * BINS;
  if (place >= 0 && place < BINS)
    relaxed_ref<unsigned>(histogram[static_cast<int>(place)]) += 1;
  else
    relaxed_ref<unsigned>(outside.get()) += 1;
}

int main() {
  constexpr unsigned n = 1 << 20;
  sycl::queue queue{sycl::property::queue::in_order()};
  const range_of_values range{-1, 1};
  queue.copy(&range, limits);
  // Two kernels count into the same bins.
  queue.parallel_for(n, [](sycl::id<1> i) { count(sycl::sin(static_cast<float>(i[0]))); });
  queue.parallel_for(n, [](sycl::id<1> i) { count(2.5f * sycl::cos(static_cast<float>(i[0]))); });

  std::vector<unsigned> counts(BINS);
  unsigned of_outside = 0, in_last_quarter = 0;
  queue.copy(histogram, counts.data());
  queue.copy(histogram, &in_last_quarter, 1, BINS - 1); // one element
  queue.copy(outside, &of_outside);
  queue.wait();

  const unsigned inside = std::accumulate(counts.begin(), counts.end(), 0u);
  const bool right = inside + of_outside == 2 * n && in_last_quarter == counts.back() && of_outside > n / 2;
  std::printf("device globals: %u values inside, %u outside, on %s: %s\n", inside, of_outside,
              queue.get_device().get_info<sycl::info::device::name>().c_str(), right ? "verified" : "WRONG");
  return right ? 0 : 1;
}
