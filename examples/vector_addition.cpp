// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Adds two vectors with buffers and accessors, and checks the sum on the host.
#include <sycl/sycl.hpp>

#include <chrono>
#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t n = std::size_t(1) << 22;
  std::vector<float> a(n), b(n), sum(n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i % 1000);
    b[i] = static_cast<float>(i % 777);
  }

  sycl::queue queue;
  const auto start = std::chrono::steady_clock::now();
  {
    sycl::buffer buffer_a(a), buffer_b(b), buffer_sum(sum);
    queue.submit([&](sycl::handler& group) {
      sycl::accessor in_a(buffer_a, group, sycl::read_only);
      sycl::accessor in_b(buffer_b, group, sycl::read_only);
      sycl::accessor out(buffer_sum, group, sycl::write_only, sycl::no_init);
      group.parallel_for(sycl::range(n), [=](sycl::id<1> i) { out[i] = in_a[i] + in_b[i]; });
    });
  } // The buffers' destructors wait and write the result back.
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;

  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i)
    wrong += sum[i] != a[i] + b[i];
  std::printf("vector addition: %zu elements on %s, %.2f ms, %s\n", n,
              queue.get_device().get_info<sycl::info::device::name>().c_str(), time.count(),
              wrong == 0 ? "verified" : "WRONG");
  return wrong == 0 ? 0 : 1;
}
