// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Parts of sub-groups work together (sycl_ext_oneapi_non_uniform_groups): those that keep their element
// reserve places for all of them at once, and groups of four find their largest one.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <vector>

namespace oneapi = sycl::ext::oneapi::experimental;

/// Copies what is not negative, in any order; one atomic operation for all work-items that are there
/// together.
unsigned keep_positive(sycl::queue& queue, const int* in, std::size_t count, int* out) {
  unsigned* kept = sycl::malloc_shared<unsigned>(1, queue);
  *kept = 0;
  queue
      .parallel_for(
          sycl::nd_range<1>(count, 64),
          [=](sycl::nd_item<1> item) {
            const int x = in[item.get_global_id(0)];
            if (x < 0)
              return;
            const auto here = oneapi::this_kernel::get_opportunistic_group();
            unsigned place = 0;
            if (here.leader())
              place =
                  sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device>(*kept)
                      .fetch_add(static_cast<unsigned>(here.get_local_linear_range()));
            out[sycl::group_broadcast(here, place) + here.get_local_linear_id()] = x;
          })
      .wait();
  const unsigned result = *kept;
  sycl::free(kept, queue);
  return result;
}

/// The largest of each four elements. Both CPUs and GPUs have sub-groups of 32 work-items.
void largest_of_four(sycl::queue& queue, const int* in, std::size_t count, int* out) {
  queue
      .parallel_for(sycl::nd_range<1>(count, 64),
                    [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(32)]] {
                      const auto four = oneapi::chunked_partition<4>(item.get_sub_group());
                      const int most =
                          sycl::reduce_over_group(four, in[item.get_global_id(0)], sycl::maximum<>());
                      if (four.leader())
                        out[item.get_global_id(0) / 4] = most;
                    })
      .wait();
}

int main() {
  constexpr std::size_t count = 1 << 14;
  sycl::queue queue;
  std::vector<int> input(count);
  for (std::size_t i = 0; i < count; ++i)
    input[i] = static_cast<int>(i * 2654435761u % 2001) - 1000;
  int* in = sycl::malloc_shared<int>(count, queue);
  int* out = sycl::malloc_shared<int>(count, queue);
  std::copy(input.begin(), input.end(), in);

  std::vector<int> kept(out, out + keep_positive(queue, in, count, out));
  std::vector<int> expected;
  std::copy_if(input.begin(), input.end(), std::back_inserter(expected), [](int x) { return x >= 0; });
  std::sort(kept.begin(), kept.end());
  std::sort(expected.begin(), expected.end());
  bool right = kept == expected;
  std::printf("%zu of %zu elements kept\n", kept.size(), count);

  largest_of_four(queue, in, count, out);
  for (std::size_t i = 0; i < count / 4; ++i)
    right = right && out[i] == *std::max_element(&input[4 * i], &input[4 * i] + 4);
  sycl::free(out, queue);
  sycl::free(in, queue);
  std::printf("%s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
