// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/sycl.hpp>

#include <array>

/// \file
/// Kernels of an image that is worth keeping: image-parts.test. They share functions, and one of them a
/// table of 64 KiB, a specialization constant and a device global.

constexpr std::size_t ENTRIES = 1 << 14;
constexpr std::array<unsigned, ENTRIES> make_table() {
  std::array<unsigned, ENTRIES> table{};
  for (unsigned i = 0; i < ENTRIES; ++i)
    table[i] = i * 2654435761U;
  return table;
}
constexpr std::array<unsigned, ENTRIES> TABLE = make_table();
constexpr sycl::specialization_id<unsigned> offset{7};
sycl::ext::oneapi::experimental::device_global<unsigned> counter;

static unsigned twice(unsigned value) {
  return 2 * value;
}
static unsigned four_times(unsigned value) {
  return twice(twice(value));
}

int main() {
  sycl::queue queue;
  auto* data = sycl::malloc_shared<unsigned>(16, queue);
  queue.parallel_for<class doubles>(16, [=](sycl::id<1> i) { data[i] = twice(data[i]); });
  queue.parallel_for<class quadruples>(16, [=](sycl::id<1> i) { data[i] = four_times(data[i]); });
  queue.submit([&](sycl::handler& handler) {
    handler.set_specialization_constant<offset>(3U);
    handler.parallel_for<class looks_up>(16, [=](sycl::id<1> i, sycl::kernel_handler constants) {
      data[i] =
          TABLE[four_times(data[i]) % ENTRIES] + constants.get_specialization_constant<offset>() + counter;
    });
  });
  queue.wait();
}
