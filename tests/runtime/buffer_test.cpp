// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/platform_state.hpp"
#include "falx/buffer.hpp"
#include "memory/buffer_owner.hpp"
#include "memory/buffer_state.hpp"
#include "scheduler/command_group.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/exception.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace {

using namespace falx;

/// A device with memory of its own, which copies when told and counts bytes. Kernels are what the tests do to
/// its memory themselves.
class separate_memory_device final : public backend_device {
public:
  separate_memory_device() { description_.name = "memory apart"; }
  const device_description& description() const noexcept override { return description_; }
  std::string_view jit_target() const noexcept override { return "none"; }
  void* allocate(usm_kind, std::size_t bytes, std::size_t) override {
    if (fails)
      throw sycl::exception(sycl::errc::memory_allocation, "no memory");
    ++allocations;
    char* memory = new char[bytes];
    std::memset(memory, 0x55, bytes);
    return memory;
  }
  void free(usm_kind, void* pointer) noexcept override {
    --allocations;
    delete[] static_cast<char*>(pointer);
  }
  std::unique_ptr<loaded_kernel> load(const kernel_binary&, const kernel_names&) override { return nullptr; }
  void enqueue(command_view& self, const operation& work,
               std::span<const handle<command_view>> after) override {
    for (const auto& earlier : after)
      EXPECT_TRUE(earlier->is_complete());
    if (!std::holds_alternative<copy_operation>(work)) {
      self.complete();
      return;
    }
    if (fails)
      throw std::runtime_error("cable cut");
    const auto& copy = std::get<copy_operation>(work);
    const memory_box &s = copy.source, &d = copy.destination;
    EXPECT_EQ(s.element_size, 1u);
    for (std::size_t z = 0; z < s.range.z; ++z)
      for (std::size_t y = 0; y < s.range.y; ++y)
        std::memcpy(row(d, y, z), row(s, y, z), s.range.x);
    bytes_copied += s.range.x * s.range.y * s.range.z;
    self.complete();
  }
  bool can_order_after(const command_view&) const noexcept override { return false; }
  bool runs_host_operations() const noexcept override { return false; }

  bool fails = false;
  int allocations = 0;
  std::size_t bytes_copied = 0;

private:
  static char* row(const memory_box& box, std::size_t y, std::size_t z) {
    return static_cast<char*>(box.base) + box.offset.x +
           box.array_range.x * ((box.offset.y + y) + box.array_range.y * (box.offset.z + z));
  }
  device_description description_;
};

class one_device_backend final : public backend {
public:
  std::string_view name() const noexcept override { return "apart"; }
  std::string_view platform_name() const noexcept override { return "apart"; }
  std::span<backend_device* const> devices() override { return {&pointer_, 1}; }
  separate_memory_device device;

private:
  backend_device* pointer_ = &device;
};

/// Lives as long as the process, as the runtime's queues for transfers do.
struct machine {
  one_device_backend native;
  platform_state& platform = *new platform_state(native);
  device_state& device = *new device_state(platform, native.device);
};
machine& the_machine(int which = 0) {
  static machine* const machines[2] = {new machine, new machine};
  return *machines[which];
}

access_request request_for(std::size_t elements, std::size_t offset, std::size_t range, bool reads,
                           bool writes, bool discards = false) {
  access_request r;
  r.reads = reads;
  r.writes = writes;
  r.discards = discards;
  r.buffer_range = {elements, 1, 1};
  r.offset = {offset, 0, 0};
  r.range = {range, 1, 1};
  r.element_size = sizeof(int);
  return r;
}

handle<buffer_owner> make_int_buffer(std::size_t elements, host_data initial, void* data) {
  buffer_description description;
  description.range = {elements, 1, 1};
  description.element_size = sizeof(int);
  description.element_alignment = alignof(int);
  description.initial = initial;
  description.data = data;
  return make_buffer(std::move(description));
}

/// A command on a device that has been given its requirements.
struct device_use {
  handle<command> self = command::make_manual();
  std::vector<handle<command>> dependencies;
  int* data = nullptr;

  device_use(buffer_state& buffer, const access_request& request, device_state& device) {
    std::vector<requirement> requirements;
    requirements.push_back({handle<buffer_state>::share(&buffer), request, 1, nullptr});
    acquire_requirements(requirements, *self, device, dependencies);
    const std::lock_guard lock(buffer.mutex());
    data = static_cast<int*>(buffer.address(buffer.memory_of(device, request.on_host)));
  }
  ~device_use() { finish(); }
  void finish() {
    if (!self->is_complete())
      self->complete();
  }
};

TEST(buffer, moves_only_the_regions_a_command_needs_and_brings_back_what_was_written) {
  machine& m = the_machine();
  std::vector<int> host(100);
  std::iota(host.begin(), host.end(), 0);
  {
    const auto owner = make_int_buffer(100, host_data::writable, host.data());
    buffer_state& buffer = owner->state();
    m.native.device.bytes_copied = 0;
    {
      device_use use(buffer, request_for(100, 10, 20, true, true), m.device);
      EXPECT_EQ(m.native.device.bytes_copied, 20 * sizeof(int));
      EXPECT_EQ(use.data[10], 10);
      EXPECT_EQ(use.data[29], 29);
      for (int i = 10; i < 30; ++i)
        use.data[i] = -i;
    }
    {
      device_use use(buffer, request_for(100, 15, 5, true, false), m.device);
      EXPECT_EQ(m.native.device.bytes_copied, 20 * sizeof(int)) << "still there";
    }
    {
      device_use use(buffer, request_for(100, 90, 10, false, true, true), m.device);
      EXPECT_EQ(m.native.device.bytes_copied, 20 * sizeof(int)) << "no_init moves nothing";
      for (int i = 90; i < 100; ++i)
        use.data[i] = -i;
    }
    {
      const auto access = begin_host_access(buffer, request_for(100, 0, 15, true, false));
      EXPECT_EQ(static_cast<int*>(data_of(*access))[10], -10);
      EXPECT_EQ(data_of(*access), host.data()) << "the host works in the user's memory";
    }
    EXPECT_EQ(m.native.device.bytes_copied, 25 * sizeof(int));
  }
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(host[i], (i >= 10 && i < 30) || i >= 90 ? -i : i);
  EXPECT_EQ(m.native.device.allocations, 0);
}

TEST(buffer, ranges_of_one_buffer_are_ordered_and_those_of_sub_buffers_are_not) {
  machine& m = the_machine();
  const auto owner = make_int_buffer(8, host_data::none, nullptr);
  buffer_state& buffer = owner->state();
  {
    device_use left(buffer, request_for(8, 0, 4, false, true, true), m.device);
    device_use right(buffer, request_for(8, 4, 4, false, true, true), m.device);
    EXPECT_EQ(right.dependencies, std::vector<handle<command>>{left.self});
    device_use nothing(buffer, request_for(8, 8, 0, true, false), m.device);
    EXPECT_EQ(nothing.dependencies, std::vector<handle<command>>{right.self});
  }
  const auto half = [](std::size_t base) {
    access_request r = request_for(4, 0, 4, false, true, true);
    r.base = base * sizeof(int);
    r.on_host = true; // alignment does not matter
    return r;
  };
  device_use left(buffer, half(0), m.device), right(buffer, half(4), m.device);
  EXPECT_TRUE(right.dependencies.empty());
}

TEST(buffer, a_thread_holds_host_accessors_of_disjoint_ranges_whose_contents_come_from_a_device) {
  machine& m = the_machine();
  const auto owner = make_int_buffer(8, host_data::none, nullptr);
  buffer_state& buffer = owner->state();
  {
    device_use use(buffer, request_for(8, 0, 8, false, true, true), m.device);
    std::iota(use.data, use.data + 8, 0);
  }
  const auto left = begin_host_access(buffer, request_for(8, 0, 4, true, true));
  const auto right = begin_host_access(buffer, request_for(8, 4, 4, true, true));
  EXPECT_EQ(static_cast<int*>(data_of(*left))[3], 3);
  EXPECT_EQ(static_cast<int*>(data_of(*right))[7], 7);
}

TEST(buffer, two_devices_see_each_other_s_writes) {
  machine &a = the_machine(0), &b = the_machine(1);
  const auto owner = make_int_buffer(8, host_data::none, nullptr);
  buffer_state& buffer = owner->state();
  {
    device_use use(buffer, request_for(8, 0, 8, false, true, true), a.device);
    std::iota(use.data, use.data + 8, 100);
  }
  {
    device_use use(buffer, request_for(8, 0, 8, true, true), b.device);
    EXPECT_EQ(use.data[7], 107);
    use.data[7] = 1;
  }
  device_use use(buffer, request_for(8, 7, 1, true, false), a.device);
  EXPECT_EQ(use.data[7], 1);
}

TEST(buffer, two_dimensional_regions_move_as_boxes) {
  machine& m = the_machine();
  std::vector<int> host(64, 1);
  {
    buffer_description description;
    description.range = {8, 8, 1};
    description.element_size = sizeof(int);
    description.initial = host_data::writable;
    description.data = host.data();
    const auto owner = make_buffer(std::move(description));
    access_request request;
    request.buffer_range = {8, 8, 1};
    request.offset = {2, 3, 0};
    request.range = {4, 2, 1};
    request.element_size = sizeof(int);
    m.native.device.bytes_copied = 0;
    device_use use(owner->state(), request, m.device);
    EXPECT_EQ(m.native.device.bytes_copied, 8 * sizeof(int));
    for (int y = 3; y < 5; ++y)
      for (int x = 2; x < 6; ++x)
        use.data[y * 8 + x] = 2;
    use.finish();
  }
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      EXPECT_EQ(host[y * 8 + x], x >= 2 && x < 6 && y >= 3 && y < 5 ? 2 : 1);
}

TEST(buffer, a_command_does_not_wait_for_itself_and_waits_for_each_other_once) {
  machine& m = the_machine();
  const auto owner = make_int_buffer(10, host_data::none, nullptr);
  const auto shared = handle<buffer_state>::share(&owner->state());
  const auto run = [&](command& self, std::vector<handle<command>>& dependencies) {
    std::vector<requirement> requirements;
    requirements.push_back({shared, request_for(10, 0, 5, true, false), 1, nullptr});
    requirements.push_back({shared, request_for(10, 0, 10, true, true), 2, nullptr});
    requirements.push_back({shared, request_for(10, 3, 5, true, true), 3, nullptr});
    acquire_requirements(requirements, self, m.device, dependencies);
  };
  const auto first = command::make_manual(), second = command::make_manual();
  std::vector<handle<command>> dependencies;
  run(*first, dependencies);
  EXPECT_TRUE(dependencies.empty());
  run(*second, dependencies);
  EXPECT_EQ(dependencies, std::vector<handle<command>>{first});
  first->complete();
  second->complete();
}

TEST(buffer, constant_host_data_is_neither_changed_nor_written_back) {
  machine& m = the_machine();
  std::vector<int> host(10, 7);
  {
    const auto owner = make_int_buffer(10, host_data::read_only, host.data());
    {
      device_use use(owner->state(), request_for(10, 0, 10, true, true), m.device);
      EXPECT_EQ(use.data[3], 7);
      use.data[3] = 8;
    }
    const auto access = begin_host_access(owner->state(), request_for(10, 0, 10, true, true));
    EXPECT_EQ(static_cast<int*>(data_of(*access))[3], 8);
    EXPECT_NE(data_of(*access), host.data());
  }
  EXPECT_EQ(host, std::vector<int>(10, 7));
}

TEST(buffer, cancelled_write_back_leaves_the_host_data_alone) {
  std::vector<int> host(10, 7);
  {
    const auto owner = make_int_buffer(10, host_data::writable, host.data());
    set_write_back(*owner, false);
    const auto access = begin_host_access(owner->state(), request_for(10, 0, 10, true, true));
    static_cast<int*>(data_of(*access))[3] = 8;
  }
  EXPECT_EQ(host, std::vector<int>(10, 7));
}

TEST(buffer, buffers_without_host_data_do_not_wait) {
  auto owner = make_int_buffer(10, host_data::none, nullptr);
  machine& m = the_machine();
  const auto memory = handle<buffer_state>::share(&owner->state()); // as the command's work does
  device_use use(owner->state(), request_for(10, 0, 10, false, true, true), m.device);
  owner = {};
  EXPECT_FALSE(use.self->is_complete());
}

TEST(buffer, sub_buffers_are_contiguous_parts_of_their_parent) {
  const auto code = [](extent3 parent, extent3 offset, extent3 range) {
    try {
      check_sub_buffer(parent, offset, range);
    } catch (const sycl::exception& e) {
      return e.code();
    }
    return std::error_code();
  };
  const auto invalid = make_error_code(sycl::errc::invalid);
  EXPECT_FALSE(code({8, 8, 1}, {0, 2, 0}, {8, 2, 1}));
  EXPECT_FALSE(code({8, 8, 1}, {2, 2, 0}, {3, 1, 1}));
  EXPECT_EQ(code({8, 8, 1}, {0, 2, 0}, {2, 2, 1}), invalid);
  EXPECT_EQ(code({8, 8, 1}, {2, 2, 0}, {6, 2, 1}), invalid);
  EXPECT_EQ(code({8, 8, 1}, {2, 2, 0}, {8, 2, 1}), invalid);
  EXPECT_EQ(code({8, 1, 1}, {~std::size_t{0}, 0, 0}, {2, 1, 1}), invalid);
}

/// While one lives, copies to and from the device fail, and so do allocations.
struct failure {
  explicit failure(separate_memory_device& device) : of(device) { of.fails = true; }
  ~failure() { of.fails = false; }
  separate_memory_device& of;
};

TEST(buffer, host_access_throws_what_its_transfer_failed_with_and_may_be_tried_again) {
  machine& m = the_machine();
  const auto owner = make_int_buffer(8, host_data::none, nullptr);
  begin_host_access(owner->state(), request_for(8, 0, 8, true, true));
  {
    device_use use(owner->state(), request_for(8, 0, 8, false, true, true), m.device);
    std::iota(use.data, use.data + 8, 100);
  }
  const auto request = request_for(8, 0, 8, true, false);
  {
    const failure broken(m.native.device);
    EXPECT_THROW(begin_host_access(owner->state(), request), std::runtime_error);
    EXPECT_THROW(begin_host_access(owner->state(), request), std::runtime_error);
  }
  const auto access = begin_host_access(owner->state(), request);
  EXPECT_EQ(static_cast<int*>(data_of(*access))[7], 107);
}

TEST(buffer, failed_transfers_for_a_command_reach_its_queue_s_async_handler) {
  machine& m = the_machine();
  std::vector<std::string> errors;
  const auto context = handle<context_state>::adopt(new context_state(
      {handle<device_state>::share(&m.device)}, sycl::async_handler(), sycl::property_list()));
  const auto queue = handle<queue_state>::adopt(new queue_state(
      context, handle<device_state>::share(&m.device),
      [&](const sycl::exception_list& list) {
        for (const std::exception_ptr& error : list)
          try {
            std::rethrow_exception(error);
          } catch (const std::exception& exception) {
            errors.push_back(exception.what());
          }
      },
      sycl::property_list()));
  const auto owner = make_int_buffer(8, host_data::none, nullptr);
  begin_host_access(owner->state(), request_for(8, 0, 8, true, true));
  const auto use = [&] {
    std::vector<requirement> requirements;
    requirements.push_back(
        {handle<buffer_state>::share(&owner->state()), request_for(8, 0, 8, true, false), 1, nullptr});
    const handle<command> self = command::make_for(*queue);
    queue->submit(self, {}, requirements, falx::barrier::none);
    self->wait();
    queue->throw_asynchronous();
  };
  {
    device_use allocates(owner->state(), request_for(8, 0, 0, true, false), m.device);
  }
  {
    const failure broken(m.native.device);
    use();
  }
  EXPECT_EQ(errors, std::vector<std::string>{"cable cut"});
  use();
  EXPECT_EQ(errors.size(), 1u) << "tried again";
}

TEST(buffer, what_cannot_be_written_back_is_said) {
  machine& m = the_machine();
  std::vector<int> host(8, 1);
  testing::internal::CaptureStderr();
  {
    const auto owner = make_int_buffer(8, host_data::writable, host.data());
    device_use(owner->state(), request_for(8, 0, 8, true, true), m.device).data[0] = 2;
    m.native.device.fails = true;
  }
  m.native.device.fails = false;
  EXPECT_NE(testing::internal::GetCapturedStderr().find("written back: cable cut"), std::string::npos);
}

TEST(buffer, update_host_brings_contents_to_the_users_memory) {
  machine& m = the_machine();
  std::vector<int> host(8, 1);
  const auto owner = make_int_buffer(8, host_data::writable, host.data());
  device_use(owner->state(), request_for(8, 0, 8, true, true), m.device).data[3] = 2;
  const auto context = handle<context_state>::adopt(new context_state(
      {handle<device_state>::share(&m.device)}, sycl::async_handler(), sycl::property_list()));
  const auto queue = handle<queue_state>::adopt(new queue_state(
      context, handle<device_state>::share(&m.device), sycl::async_handler(), sycl::property_list()));
  command_group group(*queue);
  const accessor_core accessor = require(group, owner->state(), request_for(8, 0, 8, true, true));
  group.set_update_host(accessor.requirement);
  group.submit()->wait();
  EXPECT_EQ(host[3], 2);
  m.native.device.bytes_copied = 0;
  {
    device_use(owner->state(), request_for(8, 0, 8, true, false), m.device);
  }
  EXPECT_EQ(m.native.device.bytes_copied, 0u) << "the device's copy is as good as before";
}

TEST(buffer, commands_under_the_user_s_mutex_leave_the_contents_on_the_host) {
  machine& m = the_machine();
  std::vector<int> host(8, 1), given(4, 7), taken(8);
  std::mutex mutex;
  buffer_description description;
  description.range = {8, 1, 1};
  description.element_size = sizeof(int);
  description.element_alignment = alignof(int);
  description.initial = host_data::writable;
  description.data = host.data();
  description.mutex = &mutex;
  const auto owner = make_buffer(std::move(description));
  const auto context = handle<context_state>::adopt(new context_state(
      {handle<device_state>::share(&m.device)}, sycl::async_handler(), sycl::property_list()));
  const auto queue = handle<queue_state>::adopt(new queue_state(
      context, handle<device_state>::share(&m.device), sycl::async_handler(), sycl::property_list()));
  const auto bytes = [](void* base, std::size_t all, std::size_t first, std::size_t count) {
    memory_box box;
    box.base = base;
    box.array_range = {all * sizeof(int), 1, 1};
    box.offset = {first * sizeof(int), 0, 0};
    box.range = {count * sizeof(int), 1, 1};
    box.element_size = 1;
    return box;
  };
  m.native.device.bytes_copied = 0;
  for (int turn = 0; turn < 100; ++turn) {
    command_group group(*queue);
    const accessor_core accessor =
        require(group, owner->state(), request_for(8, 2, 4, false, true, /*discards=*/true));
    group.set_copy({bytes(given.data(), 4, 0, 4)}, {bytes(nullptr, 8, 2, 4), accessor.requirement});
    group.submit()->wait();
  }
  EXPECT_EQ(m.native.device.bytes_copied, 100 * 2 * 4 * sizeof(int)) << "the copies, and each back";
  {
    const std::lock_guard lock(mutex);
    EXPECT_EQ(host, (std::vector<int>{1, 1, 7, 7, 7, 7, 1, 1}));
    host[7] = 50;
  }
  m.native.device.bytes_copied = 0;
  command_group group(*queue);
  const accessor_core accessor = require(group, owner->state(), request_for(8, 0, 8, true, false));
  group.set_copy({bytes(nullptr, 8, 0, 8), accessor.requirement}, {bytes(taken.data(), 8, 0, 8)});
  group.submit()->wait();
  EXPECT_EQ(taken, host);
  EXPECT_EQ(m.native.device.bytes_copied, 2 * 8 * sizeof(int)) << "to the device, and the copy";
}

TEST(buffer, wrong_requests_are_refused) {
  const auto owner = make_int_buffer(10, host_data::none, nullptr);
  const auto refused = [&](const access_request& request) {
    try {
      begin_host_access(owner->state(), request);
    } catch (const sycl::exception& e) {
      return e.code() == make_error_code(sycl::errc::invalid);
    }
    return false;
  };
  EXPECT_TRUE(refused(request_for(10, 5, 6, true, true)));
  EXPECT_TRUE(refused(request_for(10, 11, 0, true, true)));
  EXPECT_TRUE(refused(request_for(10, 0, 10, true, false, true))) << "no_init on a read-only access";
  EXPECT_FALSE(refused(request_for(10, 10, 0, true, true)));
}

} // namespace
