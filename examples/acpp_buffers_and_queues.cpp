// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// AdaptiveCpp's extensions of buffers, accessors and queues in one program: a buffer that works in USM, a
// view that writes back while the program goes on, accessors that are pointers, a queue over all devices of
// the machine, and one in-order queue whose steps run on different devices.
#define ACPP_EXT_ACCESSOR_VARIANT_DEDUCTION
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

constexpr std::size_t COUNT = std::size_t(1) << 20;
const sycl::range<1> ALL{COUNT};

/// BUFFER_USM_INTEROP and UPDATE_DEVICE: a buffer on memory that is there already.
bool buffer_on_usm() {
  sycl::queue queue;
  int* const memory = sycl::malloc_device<int>(COUNT, queue);
  {
    sycl::buffer<int> buffer{{sycl::buffer_allocation::empty_view(memory, queue.get_device())}, ALL};
    queue.submit([&](sycl::handler& group) {
      sycl::accessor out{buffer, group, sycl::write_only_raw, sycl::no_init}; // one pointer
      group.parallel_for(ALL, [=](sycl::id<1> i) { out[i] = static_cast<int>(i[0]); });
    });
  }
  int last = 0;
  queue.copy(memory + COUNT - 1, &last, 1).wait();
  sycl::free(memory, queue);
  return last == static_cast<int>(COUNT - 1);
}

/// EXPLICIT_BUFFER_POLICIES: destructors do not wait.
bool asynchronous_write_back() {
  sycl::queue queue;
  std::vector<float> data(COUNT, 1.0f);
  {
    auto view = sycl::make_async_writeback_view(data.data(), ALL, queue);
    queue.submit([&](sycl::handler& group) {
      sycl::accessor access{view, group, sycl::read_write};
      group.parallel_for(ALL, [=](sycl::id<1> i) { access[i] *= 3; });
    });
  } // returns at once
  queue.wait();
  return std::all_of(data.begin(), data.end(), [](float value) { return value == 3; });
}

/// MULTI_DEVICE_QUEUE: commands go where they are expected to be done first.
bool over_all_devices() {
  sycl::queue queue{sycl::system_selector_v};
  std::vector<sycl::buffer<float>> parts(8, sycl::buffer<float>(ALL));
  for (sycl::buffer<float>& part : parts) {
    part = sycl::buffer<float>(ALL);
    for (int step = 0; step < 3; ++step)
      queue.submit([&](sycl::handler& group) {
        sycl::accessor access{part, group, sycl::read_write};
        group.parallel_for(ALL,
                           [=](sycl::id<1> i) { access[i] = step == 0 ? 1.0f : access[i] * 2.0f + 1.0f; });
      });
  }
  return std::all_of(parts.begin(), parts.end(),
                     [](sycl::buffer<float>& part) { return sycl::host_accessor(part)[COUNT - 1] == 7; });
}

/// CG_PROPERTY_RETARGET: steps on every device, in order.
bool one_queue_many_devices() {
  namespace property = sycl::property;
  const std::vector<sycl::device> devices = sycl::device::get_devices();
  sycl::queue queue{devices.front(),
                    {property::queue::in_order(), property::queue::AdaptiveCpp_retargetable()}};
  sycl::buffer<int> buffer{sycl::range<1>(1)};
  sycl::host_accessor{buffer}[0] = 0;
  for (const sycl::device& device : devices)
    queue.submit({property::command_group::AdaptiveCpp_retarget(device)}, [&](sycl::handler& group) {
      sycl::accessor access{buffer, group, sycl::read_write};
      group.single_task([=] { access[0] += 1; });
    });
  queue.wait(); // for all of them
  return sycl::host_accessor{buffer}[0] == static_cast<int>(devices.size());
}

} // namespace

int main() {
  const struct {
    const char* what;
    bool (*run)();
  } parts[] = {{"a buffer on USM", buffer_on_usm},
               {"a view that writes back by itself", asynchronous_write_back},
               {"a queue over all devices", over_all_devices},
               {"an in-order queue that changes devices", one_queue_many_devices}};
  bool all_right = true;
  for (const auto& part : parts) {
    const bool right = part.run();
    std::printf("%s: %s\n", part.what, right ? "verified" : "WRONG");
    all_right = all_right && right;
  }
  return all_right ? 0 : 1;
}
