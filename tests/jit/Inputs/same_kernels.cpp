// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/sycl.hpp>

#include <array>

/// \file
/// Instances of templates, some of which say the same: image-contents.test. The table makes the image worth
/// keeping.

constexpr std::array<unsigned, 1 << 14> make_table() {
  std::array<unsigned, 1 << 14> table{};
  for (unsigned i = 0; i < table.size(); ++i)
    table[i] = i * 2654435761U;
  return table;
}
constexpr std::array<unsigned, 1 << 14> TABLE = make_table();

template <class T, int Step>
class adds;
template <int First>
class picks;

template <class T>
T sum(const T& one, const T& other) {
  return one + other;
}

template <class T, int Step>
void add(sycl::queue& queue, T* data) {
  queue.parallel_for<adds<T, Step>>(16, [=](sycl::id<1> i) { data[i] = sum<T>(data[i], T(Step)); });
}

template <int First>
void pick(sycl::queue& queue, int* data) {
  queue.parallel_for<picks<First>>(16, [=](sycl::id<1> i) {
    const int numbers[] = {First, 5, 7, 11};
    data[i] = numbers[i % 4];
  });
}

int main() {
  sycl::queue queue;
  void* data = sycl::malloc_shared(16 * sizeof(double), queue);
  queue.parallel_for<class looks_up>(
      16, [=](sycl::id<1> i) { static_cast<unsigned*>(data)[i] = TABLE[i % TABLE.size()]; });
  add<long, 1>(queue, static_cast<long*>(data));
  add<long long, 1>(queue, static_cast<long long*>(data));
  add<long, 2>(queue, static_cast<long*>(data));
  add<double, 1>(queue, static_cast<double*>(data));
  add<char, 1>(queue, static_cast<char*>(data));
  add<signed char, 1>(queue, static_cast<signed char*>(data));
  pick<3>(queue, static_cast<int*>(data));
  pick<4>(queue, static_cast<int*>(data));
  queue.wait();
}
