// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/sycl.hpp>

void launch(sycl::queue& queue, sycl::float4* v, sycl::marray<double, 3>* m, sycl::half2* h,
            sycl::half* one) {
  queue.single_task<class vectors>([=] { v[0] = v[1] * v[2] + v[3]; });
  queue.single_task<class swizzles>([=] { v[0].lo() -= v[1].hi() * 1.5f; });
  queue.single_task<class arrays>([=] { m[0] += m[1] * m[2]; });
  queue.single_task<class halves>([=] { h[0] = h[1] * h[2] + h[3]; });
  queue.single_task<class one_half>([=] { one[0] = one[1] * one[2] + one[3]; });
}
