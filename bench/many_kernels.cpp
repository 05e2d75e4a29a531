// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Fifty kernels of the kinds that programs have, each launched once and waited for: what a program takes
// whose kernels were never compiled (bench/first).
#include <sycl/sycl.hpp>

#include <cstdio>
#include <utility>

constexpr int SIZE = 4096, SIDE = 64, GROUP = 64, KERNELS = 50;

struct arrays {
  float *a, *b;
};

template <int Number>
void launch(sycl::queue& queue, arrays data) {
  const auto [a, b] = data;
  if constexpr (Number % 5 == 0) { // element by element
    queue.parallel_for(sycl::range<1>(SIZE),
                       [=](sycl::id<1> i) { b[i] = a[i] * (Number + 1) + sycl::sin(b[i]); });
  } else if constexpr (Number % 5 == 1) { // stencil
    queue.parallel_for(sycl::range<2>(SIDE, SIDE), [=](sycl::id<2> i) {
      const std::size_t x = i[1], y = i[0], here = y * SIDE + x;
      if (x > 0 && y > 0 && x < SIDE - 1 && y < SIDE - 1)
        b[here] = (Number * a[here] + a[here - 1] + a[here + 1] + a[here - SIDE] + a[here + SIDE]) * 0.2f;
    });
  } else if constexpr (Number % 5 == 2) { // sums of work-groups
    queue.submit([&](sycl::handler& handler) {
      sycl::local_accessor<float, 1> local(GROUP, handler);
      handler.parallel_for(sycl::nd_range<1>(SIZE, GROUP), [=](sycl::nd_item<1> item) {
        const std::size_t i = item.get_global_id(0), j = item.get_local_id(0);
        local[j] = a[i] + Number;
        for (std::size_t half = GROUP / 2; half > 0; half /= 2) {
          sycl::group_barrier(item.get_group());
          if (j < half)
            local[j] += local[j + half];
        }
        sycl::group_barrier(item.get_group());
        b[i] = local[0];
      });
    });
  } else if constexpr (Number % 5 == 3) { // one work-item
    queue.single_task([=] {
      sycl::float4 v(a[0], a[1], a[2], a[3]);
      v = v * float(Number) + sycl::float4(b[0]);
      v.lo() = v.hi();
      for (int i = 0; i < 4; ++i)
        b[i] = v[i];
    });
  } else { // a loop in each work-item
    queue.parallel_for(sycl::range<1>(SIZE), [=](sycl::id<1> i) {
      float sum = 0;
      for (int j = 0; j < Number; ++j)
        sum = sum * 0.5f + a[(i[0] + j) % SIZE];
      b[i] = sum;
    });
  }
  queue.wait();
}

template <int... Numbers>
void launch_all(sycl::queue& queue, arrays data, std::integer_sequence<int, Numbers...>) {
  (launch<Numbers>(queue, data), ...);
}

int main() {
  sycl::queue queue(sycl::cpu_selector_v);
  const arrays data = {sycl::malloc_shared<float>(SIZE, queue), sycl::malloc_shared<float>(SIZE, queue)};
  for (int i = 0; i < SIZE; ++i) {
    data.a[i] = float(i);
    data.b[i] = 1;
  }
  launch_all(queue, data, std::make_integer_sequence<int, KERNELS>());
  double sum = 0;
  for (int i = 0; i < SIZE; ++i)
    sum += data.b[i];
  std::printf("%.9g\n", sum);
  sycl::free(data.a, queue);
  sycl::free(data.b, queue);
}
