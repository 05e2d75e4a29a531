// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// AdaptiveCpp's small extensions of queues and command groups in one program: transfers apart from kernels,
// hints for single command groups, pages of a buffer, placeholders that a library need not know, memory that
// goes back to the host, atomic operations on floating-point values and barriers that are left out.
#define ACPP_EXT_FP_ATOMICS
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>

namespace {

namespace group_property = sycl::property::command_group;
namespace queue_property = sycl::property::queue;

constexpr std::size_t COUNT = std::size_t(1) << 16;
const sycl::range<1> ALL{COUNT};

/// UPDATE_DEVICE, COARSE_GRAINED_EVENTS, QUEUE_WAIT_LIST: the data is on the device before the kernel is,
/// the kernels' own events are not used, and another queue waits for all of them.
bool transfers_apart() {
  sycl::queue queue{queue_property::AdaptiveCpp_coarse_grained_events()}, other;
  std::vector<int> data(COUNT, 1);
  int* const last = sycl::malloc_shared<int>(1, other);
  {
    sycl::buffer<int> buffer(data);
    queue.submit([&](sycl::handler& group) {
      sycl::accessor access(buffer, group, sycl::read_write);
      group.update(access);
    });
    for (int step = 0; step < 3; ++step)
      queue.submit([&](sycl::handler& group) {
        sycl::accessor access(buffer, group, sycl::read_write);
        group.parallel_for(ALL, [=](sycl::id<1> i) { access[i] *= 2; });
      });
    other.single_task(queue.get_wait_list(), [=] { *last = 8; }).wait();
  }
  const bool right = *last == 8 && std::count(data.begin(), data.end(), 8) == std::ptrdiff_t(COUNT);
  sycl::free(last, other);
  return right;
}

/// CG_PROPERTY_PREFER_GROUP_SIZE, _PREFER_EXECUTION_LANE, BUFFER_PAGE_SIZE: kernels on different pages, on
/// different streams.
bool pages_and_lanes() {
  constexpr std::size_t pages = 4, page = COUNT / pages;
  sycl::queue queue;
  sycl::buffer<int> buffer(ALL, sycl::property::buffer::AdaptiveCpp_page_size<1>(sycl::range<1>(page)));
  for (std::size_t number = 0; number < pages; ++number)
    queue.submit({group_property::AdaptiveCpp_prefer_group_size<1>(sycl::range<1>(128)),
                  group_property::AdaptiveCpp_prefer_execution_lane(number)},
                 [&](sycl::handler& group) {
                   sycl::accessor access(buffer, group, sycl::range<1>(page), sycl::id<1>(number * page),
                                         sycl::write_only, sycl::no_init);
                   group.parallel_for(sycl::range<1>(page),
                                      [=](sycl::id<1> i) { access[i] = static_cast<int>(number); });
                 });
  const sycl::host_accessor host(buffer);
  return host[0] == 0 && host[page] == 1 && host[COUNT - 1] == static_cast<int>(pages) - 1;
}

/// Part of a library that knows nothing of the accessors in \p condition.
template <class Condition>
std::size_t count_if(sycl::queue& queue, const int* values, Condition condition) {
  sycl::buffer<std::size_t> result{sycl::range<1>(1)};
  queue.submit([&](sycl::handler& group) {
    group.parallel_for(ALL,
                       sycl::reduction(result, group, sycl::plus<std::size_t>(),
                                       sycl::property::reduction::initialize_to_identity()),
                       [=](sycl::id<1> i, auto& sum) { sum += condition(values[i]); });
  });
  return sycl::host_accessor(result)[0];
}

/// AUTO_PLACEHOLDER_REQUIRE, SYNCHRONOUS_MEM_ADVISE, PREFETCH_HOST.
bool placeholders_in_a_library() {
  sycl::queue queue;
  int* const values = sycl::malloc_shared<int>(COUNT, queue);
  sycl::mem_advise(values, COUNT * sizeof(int), 0, queue); // 0: the driver's default
  std::iota(values, values + COUNT, 0);
  sycl::buffer<int> limit{sycl::range<1>(1)};
  sycl::host_accessor{limit}[0] = 100;
  sycl::accessor<int, 1, sycl::access_mode::read, sycl::target::device, sycl::access::placeholder::true_t>
      bound(limit);
  const auto required = sycl::vendor::hipsycl::automatic_require(queue, bound);
  const std::size_t below = count_if(queue, values, [=](int value) { return value < bound[0]; });
  queue.parallel_for(ALL, [=](sycl::id<1> i) { values[i] += 1; });
  queue.prefetch_host(values, COUNT * sizeof(int));
  queue.wait();
  const bool right = below == 100 && values[COUNT - 1] == static_cast<int>(COUNT);
  sycl::free(values, queue);
  return right;
}

/// FP_ATOMICS, CUSTOM_PFWI_SYNCHRONIZATION: what a work-item reads is what it has written itself, so there
/// need be no barrier between the two steps.
bool atomics_and_no_barriers() {
  namespace synchronization = sycl::vendor::hipsycl::synchronization;
  constexpr std::size_t groups = 16, size = 64;
  sycl::queue queue;
  sycl::buffer<float> sum{sycl::range<1>(1)}, values{sycl::range<1>(groups * size)};
  sycl::host_accessor{sum}[0] = 0;
  queue.submit([&](sycl::handler& group) {
    auto total = sum.get_access<sycl::access_mode::atomic>(group);
    sycl::accessor squares(values, group, sycl::read_write, sycl::no_init);
    group.parallel_for_work_group(
        sycl::range<1>(groups), sycl::range<1>(size), [=](sycl::group<1> work_group) {
          work_group.parallel_for_work_item<synchronization::none>([&](sycl::h_item<1> item) {
            const float value = static_cast<float>(item.get_local_id(0));
            squares[item.get_global_id()] = value * value;
          });
          work_group.parallel_for_work_item(
              [&](sycl::h_item<1> item) { total[0].fetch_add(squares[item.get_global_id()]); });
        });
  });
  return sycl::host_accessor(sum)[0] == static_cast<float>(groups * 85344); // 0 + 1 + 4 + … + 63²
}

bool report(const char* what, bool right) {
  std::printf("%s: %s\n", what, right ? "verified" : "WRONG");
  return right;
}

} // namespace

int main() {
  bool all_right = report("transfers apart from kernels", transfers_apart());
  all_right &= report("pages and lanes", pages_and_lanes());
  all_right &= report("placeholders in a library", placeholders_in_a_library());
  all_right &= report("atomics on floats and no barriers", atomics_and_no_barriers());
  return all_right ? 0 : 1;
}
