// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/backend.hpp"
#include "backends/cpu/cpu_chunks.hpp"
#include "backends/cpu/cpu_executor.hpp"
#include "backends/cpu/cpu_kernel.hpp"
#include "backends/cpu/cpu_memory_operations.hpp"
#include "backends/cpu/cpu_worker_memory.hpp"
#include "command_work.hpp"
#include "wait_help.hpp"

#include <algorithm>
#include <array>
#include <optional>

/// \file
/// Running kernels: a launch's work-items or work-groups are cut into boxes, which threads take one by one.
/// What takes less time than waking a thread stays on one.

namespace falx {
namespace {

/// Work that takes longer than this is shared with other threads.
constexpr double SHARING_NANOSECONDS = 10'000;
constexpr std::size_t CHUNKS_PER_THREAD = 8;
/// A trial run of one chunk must not be a large part of the whole.
constexpr std::size_t SMALLEST_TRIAL = 8;
/// Chunks of a basic range end at multiples of the widest vector and of the widest sub-group.
constexpr std::size_t RANGE_GRAIN = 128;

using triple = std::array<std::uint64_t, 3>;

triple as_triple(const extent3& extent) noexcept {
  return {extent.x, extent.y, extent.z};
}
std::uint64_t product(const triple& extent) noexcept {
  return extent[0] * extent[1] * extent[2];
}

/// What running part of a launch takes.
struct launch_context {
  cpu::kernel_function function;
  cpu::launch_arguments arguments;
  worker_demand demand;
  command* self;
  /// The whole box, the box of one chunk, and the number of chunks by axis.
  triple range, chunk, chunks;
};
static_assert(sizeof(launch_context) <= cpu_chunks::CONTEXT_BYTES);

void run_box(const launch_context& launch, const triple& begin, const triple& end) noexcept {
  cpu::worker_memory& memory = worker_memory_for(launch.demand);
  memory.launch = launch.self;
  launch.function(&launch.arguments, begin.data(), end.data(), &memory);
}

void run_chunk(const void* context, std::size_t index) noexcept {
  const auto& launch = *static_cast<const launch_context*>(context);
  const triple position{index % launch.chunks[0], index / launch.chunks[0] % launch.chunks[1],
                        index / launch.chunks[0] / launch.chunks[1]};
  triple begin, end;
  for (int axis = 0; axis < 3; ++axis) {
    begin[axis] = position[axis] * launch.chunk[axis];
    end[axis] = std::min(begin[axis] + launch.chunk[axis], launch.range[axis]);
  }
  run_box(launch, begin, end);
}

/// Cuts the slowest axis first, so that a chunk is as contiguous as can be.
void cut(launch_context& launch, std::size_t wanted, std::size_t grain_of_x) noexcept {
  launch.chunk = launch.range;
  launch.chunks = {1, 1, 1};
  for (int axis = 2; axis >= 0 && wanted > 1; --axis) {
    const std::uint64_t grain = axis == 0 ? grain_of_x : 1;
    const std::uint64_t extent = launch.range[axis];
    std::uint64_t size = std::max<std::uint64_t>((extent + wanted - 1) / wanted, 1);
    size = (size + grain - 1) / grain * grain;
    launch.chunk[axis] = std::min(size, extent);
    launch.chunks[axis] = (extent + launch.chunk[axis] - 1) / launch.chunk[axis];
    wanted = (wanted + launch.chunks[axis] - 1) / launch.chunks[axis];
  }
}

launch_context make_context(const kernel_operation& kernel, command& self) noexcept {
  const launch_geometry& geometry = kernel.geometry;
  const cpu::kernel_properties& properties =
      static_cast<const cpu_loaded_kernel*>(kernel.kernel)->properties();
  const triple global = as_triple(geometry.global_range);
  const triple local = as_triple(geometry.local_range);
  const triple offset = as_triple(geometry.global_offset);
  const bool has_groups = geometry.kind == kernel_kind::nd_range || geometry.kind == kernel_kind::work_group;

  launch_context launch{};
  launch.self = &self;
  launch.function = properties.function;
  launch.arguments.function = kernel.function;
  for (int axis = 0; axis < 3; ++axis) {
    launch.arguments.global_range[axis] = global[axis];
    launch.arguments.global_offset[axis] = offset[axis];
    launch.arguments.local_range[axis] = local[axis];
    launch.arguments.group_range[axis] = has_groups ? global[axis] / local[axis] : global[axis];
    launch.range[axis] = launch.arguments.group_range[axis];
  }
  const std::uint64_t group_size = has_groups ? product(local) : 1;
  launch.demand.local_memory = kernel.local_memory_bytes;
  launch.demand.group_scratch = properties.scratch_bytes_per_work_item * group_size;
  launch.demand.work_item_context = properties.context_bytes_per_work_item * ((group_size + 63) / 64 * 64);
  return launch;
}

/// What work-items of kernels cost on this thread, as far as it remembers. Two kernels in one place only cost
/// each other a trial.
class cost_memory {
public:
  /// Nanoseconds for one unit (work-item or work-group); 0 if unknown.
  double of(const loaded_kernel* kernel) const noexcept {
    const entry& found = entries_[place(kernel)];
    return found.kernel == kernel ? found.nanoseconds : 0;
  }
  void learn(const loaded_kernel* kernel, std::uint64_t nanoseconds, std::uint64_t units) noexcept {
    entry& mine = entries_[place(kernel)];
    const double latest = static_cast<double>(std::max<std::uint64_t>(nanoseconds, 1)) /
                          static_cast<double>(std::max<std::uint64_t>(units, 1));
    // The mean with what was known: one launch that was disturbed changes little.
    mine.nanoseconds = mine.kernel == kernel ? (mine.nanoseconds + latest) / 2 : latest;
    mine.kernel = kernel;
  }

private:
  struct entry {
    const loaded_kernel* kernel = nullptr;
    double nanoseconds = 0;
  };
  static std::size_t place(const loaded_kernel* kernel) noexcept {
    return (reinterpret_cast<std::uintptr_t>(kernel) >> 4) % 64;
  }
  std::array<entry, 64> entries_{};
};
thread_local constinit cost_memory costs;

/// Runs everything on this thread and learns what it costs. \p is_short: it is known to take less than waking
/// a thread does.
void run_alone(cpu_executor& executor, const launch_context& launch, const loaded_kernel* kernel,
               std::uint64_t units, bool is_short) noexcept {
  std::optional<cpu_long_work> long_work;
  if (!is_short)
    long_work.emplace(executor);
  const std::uint64_t start = now();
  run_box(launch, {0, 0, 0}, launch.range);
  costs.learn(kernel, now() - start, units);
}

bool run_kernel(cpu_executor& executor, const kernel_operation& kernel, command& self,
                void (*done)(command&) noexcept) noexcept {
  launch_context launch = make_context(kernel, self);
  const std::uint64_t units = product(launch.range);
  if (units == 0)
    return true;
  const bool is_range = kernel.geometry.kind == kernel_kind::range;
  const double known = costs.of(kernel.kernel);
  const bool is_short = known != 0 && known * static_cast<double>(units) < SHARING_NANOSECONDS;
  if (is_short || units <= (is_range ? RANGE_GRAIN : 1) || executor.thread_count() == 1) {
    run_alone(executor, launch, kernel.kernel, units, is_short);
    return true;
  }
  const cpu_long_work long_work(executor);
  cut(launch, executor.thread_count() * CHUNKS_PER_THREAD, is_range ? RANGE_GRAIN : 1);
  const std::size_t count = product(launch.chunks);
  std::size_t first = 0;
  const loaded_kernel* const which = kernel.kernel; // the command may be gone when others finish it
  if (known == 0 && count >= SMALLEST_TRIAL) {
    const std::uint64_t start = now();
    run_chunk(&launch, first++);
    const std::uint64_t took = now() - start;
    costs.learn(which, took, product(launch.chunk));
    if (static_cast<double>(took) * static_cast<double>(count - 1) < SHARING_NANOSECONDS) {
      for (; first < count; ++first)
        run_chunk(&launch, first);
      return true;
    }
  }
  double chunk_took = 0;
  const bool is_done =
      run_chunks(executor, {&run_chunk, &launch, sizeof(launch), first, count}, self, done, &chunk_took);
  if (chunk_took != 0)
    costs.learn(which, static_cast<std::uint64_t>(chunk_took), product(launch.chunk));
  return is_done;
}

} // namespace

bool run_work(cpu_executor& executor, command& self, void (*done)(command& self) noexcept) noexcept {
  self.mark_running();
  const operation& what = self.work()->what;
  if (const auto* kernel = std::get_if<kernel_operation>(&what))
    return run_kernel(executor, *kernel, self, done);
  if (const auto* copy = std::get_if<copy_operation>(&what))
    return run_copy(executor, *copy, self, done);
  if (const auto* fill = std::get_if<fill_operation>(&what))
    return run_fill(executor, *fill, self, done);
  return true; // a prefetch or advice: all memory is near
}

} // namespace falx
