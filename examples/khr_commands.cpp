// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Extensions of the Khronos group: the sums of a matrix's rows, with the group interface, commands that are
// functions, and a queue that is flushed and asked whether it is empty.
#include <sycl/sycl.hpp>

#include <cstdio>

constexpr std::size_t ROWS = 1024, COLUMNS = 256, GROUP = 32;

/// Takes any pointer; rows are in global memory, which need not be tested.
static int sum_of_row(const int* row, const sycl::khr::member_item<sycl::khr::work_group<1>>& item) {
  const auto global = sycl::khr::static_addrspace_cast<sycl::access::address_space::global_space>(row);
  int sum = 0;
  for (std::size_t column = item.linear_id(); column < COLUMNS; column += item.range().size())
    sum += global[column];
  return sum;
}

int main() {
  sycl::queue queue;
  const sycl::context shared = queue.get_device().get_platform().khr_get_default_context();
  int* const matrix = sycl::malloc_shared<int>(ROWS * COLUMNS, queue.get_device(), shared);
  int* const sums = sycl::malloc_shared<int>(ROWS, queue.get_device(), shared);

  sycl::khr::launch(queue, sycl::range<1>(ROWS * COLUMNS),
                    [=](sycl::id<1> i) { matrix[i] = static_cast<int>(i[0] % 1000); });
  sycl::khr::enqueue_barrier(queue);
  const sycl::event done = sycl::khr::make_event(shared);
  const sycl::khr::requirements signal{sycl::khr::signal_event(done)};
  sycl::khr::launch_grouped(queue, ROWS / 4 * GROUP, GROUP, signal, [=](sycl::nd_item<1> nd_item) {
    const sycl::khr::work_group<1> group = nd_item.get_group();
    const sycl::khr::member_item item = get_member_item(group);
    for (std::size_t row = group.linear_id(); row < ROWS; row += group.range().size()) {
      const int sum = sycl::reduce_over_group(sycl::group<1>(group), sum_of_row(matrix + row * COLUMNS, item),
                                              sycl::plus<>());
      if (sycl::khr::leader_of(group))
        sums[row] = sum;
    }
  });
  queue.khr_flush();
  sycl::event(done).wait();

  int wrong = queue.khr_empty() ? 0 : 1;
  for (std::size_t row = 0; row < ROWS; ++row) {
    int expected = 0;
    for (std::size_t column = 0; column < COLUMNS; ++column)
      expected += static_cast<int>((row * COLUMNS + column) % 1000);
    wrong += sums[row] != expected;
  }
  std::printf("%zu sums of rows, %d wrong; at most %zu work-groups\n", ROWS, wrong,
              queue.get_device().get_info<sycl::khr::info::device::max_work_group_range_size>());
  sycl::free(matrix, shared);
  sycl::free(sums, shared);
  return wrong != 0;
}
