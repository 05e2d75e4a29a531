// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A stencil in local memory, whose next tile is on its way while the current one is computed: asynchronous
// copies announce themselves at an asynchronous barrier (sycl_ext_oneapi_cuda_async_barrier).
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

using sycl::ext::oneapi::experimental::cuda::barrier;

int main() {
  constexpr std::size_t tile = 256, tiles = 64, groups = 32, total = tile * tiles * groups;
  std::vector<float> values(total), smooth(total);
  for (std::size_t i = 0; i < total; ++i)
    values[i] = static_cast<float>(i % 1013) * 0.25f;

  sycl::queue queue;
  if (!queue.get_device().has(sycl::aspect::ext_oneapi_cuda_async_barrier)) {
    std::printf("async barrier: %s has none\n",
                queue.get_device().get_info<sycl::info::device::name>().c_str());
    return 0;
  }
  {
    sycl::buffer<float> in(values), out(smooth);
    queue.submit([&](sycl::handler& group) {
      sycl::accessor from(in, group, sycl::read_write);
      sycl::accessor to(out, group, sycl::write_only, sycl::no_init);
      sycl::local_accessor<float, 2> tiles_here({2, tile}, group);
      sycl::local_accessor<barrier> arrived(2, group);
      group.parallel_for(sycl::nd_range<1>(tile * groups, tile), [=](sycl::nd_item<1> item) {
        const std::size_t self = item.get_local_linear_id();
        const std::size_t first = item.get_group(0) * tile * tiles;
        if (self < 2)
          arrived[self].initialize(2 * tile); // each work-item's copies and the work-item itself
        sycl::group_barrier(item.get_group());
        const auto fetch = [&](std::size_t number) {
          item.async_work_group_copy(sycl::local_ptr<float>(&tiles_here[number % 2][0]),
                                     sycl::global_ptr<float>(&from[first + number * tile]), tile);
          arrived[number % 2].arrive_copy_async_no_inc();
        };
        fetch(0);
        for (std::size_t number = 0; number < tiles; ++number) {
          if (number + 1 < tiles)
            fetch(number + 1);
          arrived[number % 2].arrive_and_wait();
          const float* here = &tiles_here[number % 2][0];
          const float left = here[self == 0 ? 0 : self - 1];
          const float right = here[self + 1 == tile ? self : self + 1];
          to[first + number * tile + self] = 0.25f * left + 0.5f * here[self] + 0.25f * right;
          sycl::group_barrier(item.get_group()); // before the tile is written over
        }
      });
    });
  }

  std::size_t wrong = 0;
  for (std::size_t i = 0; i < total; ++i) {
    const std::size_t self = i % tile;
    const float left = values[self == 0 ? i : i - 1], right = values[self + 1 == tile ? i : i + 1];
    wrong += std::abs(smooth[i] - (0.25f * left + 0.5f * values[i] + 0.25f * right)) > 1e-3f;
  }
  std::printf("async barrier: %zu elements on %s, %s\n", total,
              queue.get_device().get_info<sycl::info::device::name>().c_str(),
              wrong == 0 ? "verified" : "WRONG");
  return wrong == 0 ? 0 : 1;
}
