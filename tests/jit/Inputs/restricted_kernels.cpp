// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/sycl.hpp>

void launch(sycl::queue& queue, const float* in, float* out, sycl::buffer<float>& source,
            sycl::buffer<float>& target) {
  queue.parallel_for<class pointers>(sycl::range<1>(64), [=](sycl::id<1> i) [[intel::kernel_args_restrict]] {
    out[i] = 2 * in[0];
    out[i + 1] = in[0];
  });
  queue.parallel_for<class aliases>(sycl::range<1>(64), [=](sycl::id<1> i) {
    out[i] = 2 * in[0];
    out[i + 1] = in[0];
  });
  queue.submit([&](sycl::handler& group) {
    sycl::accessor from(source, group, sycl::read_only);
    sycl::accessor to(target, group, sycl::read_write);
    group.parallel_for<class accessors>(sycl::nd_range<1>(64, 64),
                                        [=](sycl::nd_item<1> item) [[intel::kernel_args_restrict]] {
                                          to[item.get_global_id()] += from[item.get_global_id()];
                                        });
  });
  queue.parallel_for<class copied>(
      sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> item) [[intel::kernel_args_restrict]] {
        const std::size_t i = 4 * item.get_global_id();
        float values[4], results[4];
        *reinterpret_cast<sycl::uint4*>(values) = *reinterpret_cast<const sycl::uint4*>(in + i);
        float sum = 0;
        for (float value : values)
          sum += value;
        sum = sycl::reduce_over_group(item.get_sub_group(), sum, sycl::plus<>());
        for (int k = 0; k < 4; ++k)
          results[k] = values[k] / sum;
        *reinterpret_cast<sycl::uint4*>(out + i) = *reinterpret_cast<const sycl::uint4*>(results);
      });
}
