// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/sycl.hpp>

class captured_logical_range;

/// The logical range is a copy of captured bytes, of which LLVM sees late that nobody writes it.
void visit(sycl::queue& queue, int* visits, sycl::range<3> groups, sycl::range<3> physical,
           sycl::range<3> logical) {
  queue.submit([&](sycl::handler& handler) {
    handler.parallel_for_work_group<captured_logical_range>(groups, physical, [=](sycl::group<3> group) {
      group.parallel_for_work_item(logical, [&](sycl::h_item<3> item) {
        visits[group.get_group_linear_id() * logical.size() + item.get_logical_local().get_linear_id()] += 1;
      });
    });
  });
}
