// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_choice.hpp"

#include "adaptivity/execution_times.hpp"
#include "command_group.hpp"
#include "command_work.hpp"
#include "devices/platform_state.hpp"
#include "memory/buffer_state.hpp"
#include "memory/usm_registry.hpp"
#include "process/spinning.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace falx {
namespace {

/// Of a copy between the host and a device, in bytes per nanosecond, and before the first byte.
constexpr double COPY_BANDWIDTH = 12;
constexpr double COPY_LATENCY = 15'000;
/// From submission to the first work-item, in nanoseconds.
constexpr double LAUNCH_LATENCY = 5'000;
/// What a work-item of a kernel that was never measured may do.
constexpr double OPERATIONS_PER_WORK_ITEM = 100;
/// Of what is not measured on a device, this part of the estimate is believed.
constexpr double HOPE = 0.5;

/// What a device is like and what it has to do. One per device for the life of the process.
struct device_load {
  /// Nanoseconds of commands that are not complete.
  std::atomic<std::uint64_t> backlog{0};
  /// Operations per nanosecond, roughly.
  double speed = 1;
};

double speed_of(const device_description& device) noexcept {
  constexpr double LANES_OF_A_GPU = 128, LANE_BYTES = 4;
  constexpr double GIGAHERTZ_OF_A_GPU = 1.5, GIGAHERTZ_OF_A_CPU = 3;
  const double units = std::max<double>(device.compute_units, 1);
  return device.is_gpu ? units * LANES_OF_A_GPU * GIGAHERTZ_OF_A_GPU
                       : units * std::max<double>(device.vector_bytes / LANE_BYTES, 1) * GIGAHERTZ_OF_A_CPU;
}

device_load& load_of(const device_state& device) {
  struct table {
    std::mutex mutex;
    std::map<const device_state*, std::unique_ptr<device_load>> loads;
  };
  static table& all = *std::make_unique<table>().release(); // never destroyed, as commands complete late
  const std::lock_guard lock(all.mutex);
  std::unique_ptr<device_load>& load = all.loads[&device];
  if (load == nullptr) {
    load = std::make_unique<device_load>();
    load->speed = speed_of(device.description());
  }
  return *load;
}

/// Can kernels and copies of \p device use the memory?
bool reaches(const device_state& device, const usm_allocation& memory) {
  if (&memory.device->root() == &device.root())
    return true;
  if (memory.kind == usm_kind::device)
    return false;
  if (&memory.device->platform() == &device.platform() || device.description().unified_memory)
    return true; // the host reaches all but device memory
  return memory.device->description().unified_memory && device.description().usm_system;
}

/// The devices that reach all memory that the command uses; all, if the words that look like pointers leave
/// none.
std::vector<device_state*> candidates(const choice_request& request) {
  std::vector<usm_allocation> memories;
  for (const void* const pointer : request.pointers)
    if (pointer != nullptr)
      if (std::optional<usm_allocation> found = usm_registry::instance().find(pointer))
        memories.push_back(std::move(*found));
  std::vector<device_state*> able, all;
  for (const handle<device_state>& device : request.devices) {
    all.push_back(device.get());
    if (std::ranges::all_of(memories, [&](const usm_allocation& memory) { return reaches(*device, memory); }))
      able.push_back(device.get());
  }
  return able.empty() ? all : able;
}

double execution_time(const choice_request& request, const device_state& device,
                      std::span<device_state* const> others) {
  if (request.kernel == nullptr)
    return 0;
  const execution_times& times = execution_times::instance();
  if (const std::optional<double> measured = times.expected(request.kernel, device, request.work_items))
    return *measured;
  const double speed = load_of(device).speed;
  double guess = static_cast<double>(request.work_items) * OPERATIONS_PER_WORK_ITEM / speed;
  for (const device_state* const other : others)
    if (const std::optional<double> measured = times.expected(request.kernel, *other, request.work_items)) {
      guess = *measured * load_of(*other).speed / speed;
      break;
    }
  return HOPE * guess;
}

double transfer_time(const choice_request& request, device_state& device) {
  double time = 0;
  for (const requirement& wanted : request.requirements)
    if (const std::size_t bytes = wanted.buffer->bytes_to_bring(device, wanted.request); bytes != 0)
      time += COPY_LATENCY + static_cast<double>(bytes) / COPY_BANDWIDTH;
  return time;
}

/// A command that counts to a backlog.
struct watched_command {
  handle<command> self;
  device_choice choice;
  bool is_measured = false;
};

void release(void* data) {
  const std::unique_ptr<watched_command> watched(static_cast<watched_command*>(data));
  const device_choice& choice = watched->choice;
  load_of(*choice.device).backlog.fetch_sub(choice.expected, std::memory_order_relaxed);
  const command& self = *watched->self;
  if (watched->is_measured && self.error() == nullptr && self.end_time() > self.start_time())
    execution_times::instance().record(choice.kernel, *choice.device, choice.work_items,
                                       self.end_time() - self.start_time());
}

} // namespace

device_choice choose_device(const choice_request& request) {
  const std::vector<device_state*> able = candidates(request);
  const double time_now = static_cast<double>(now());
  double ready = 0; // from now on
  for (const requirement& wanted : request.requirements)
    if (wanted.request.reads || wanted.request.writes)
      ready = std::max(ready, static_cast<double>(wanted.buffer->expected_ready()) - time_now);
  device_choice best{.device = nullptr, .kernel = request.kernel, .work_items = request.work_items};
  double best_end = std::numeric_limits<double>::infinity();
  for (device_state* const device : able) {
    const double own =
        LAUNCH_LATENCY + transfer_time(request, *device) + execution_time(request, *device, able);
    const double backlog = static_cast<double>(load_of(*device).backlog.load(std::memory_order_relaxed)) -
                           static_cast<double>(request.since_poll);
    const double end = std::max({backlog, ready, 0.0}) + own;
    if (end < best_end) {
      best_end = end;
      best.device = device;
      best.expected = static_cast<std::uint64_t>(own);
    }
  }
  for (const requirement& wanted : request.requirements)
    if (wanted.request.writes)
      wanted.buffer->expect_ready(static_cast<std::uint64_t>(time_now + best_end));
  return best;
}

void watch(const handle<command>& self, const device_choice& choice) {
  auto watched = std::make_unique<watched_command>(watched_command{self, choice});
  // A queue with profiling takes times of all commands anyway.
  watched->is_measured = choice.kernel != nullptr &&
                         execution_times::instance().wants(choice.kernel, *choice.device, choice.work_items);
  if (watched->is_measured)
    self->measure();
  self->work()->kept_alive.push_back({release, watched.get()});
  static_cast<void>(watched.release());
  load_of(*choice.device).backlog.fetch_add(choice.expected, std::memory_order_relaxed);
}

} // namespace falx
